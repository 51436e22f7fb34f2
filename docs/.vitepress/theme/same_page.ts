// Keeps the page when only the hash of the address changes. VitePress loads a page again when Back or Forward leads to another place of it, and
// the first time it gets another build of it than the one it began with, so that what was edited in the page would be lost.
import { type Router, inBrowser } from "vitepress";

const pathOf = (href: string): string => new URL(href, location.href).pathname;

export function keepSamePage(router: Router) {
  if (!inBrowser) return;
  /** Of the page that is shown; undefined while another is loaded, which going back must cancel. */
  let shown: string | undefined;
  router.onBeforeRouteChange = () => {
    shown = undefined; // a link or the search, for which VitePress also scrolls
  };
  router.onBeforePageLoad = (href) => {
    if (pathOf(href) === shown) return false; // the browser scrolls
    shown = undefined;
    return true;
  };
  router.onAfterPageLoad = (href) => {
    shown = pathOf(href);
  };
}
