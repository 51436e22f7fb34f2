// Tabs according to the ARIA practices: only the selected one is in the tab order, arrow keys select another one.

/** Calls `shown` with the panel that becomes visible, also with the first one. */
export function connectTabs(list: HTMLElement, shown: (panel: HTMLElement) => void): void {
  const tabs = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const panelOf = (tab: HTMLElement) => document.getElementById(tab.getAttribute("aria-controls")!)!;

  const select = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      panelOf(tab).hidden = tab !== chosen;
    }
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
    shown(panelOf(chosen));
  };
  for (const tab of tabs) tab.addEventListener("click", () => select(tab));
  list.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[to % tabs.length]!;
    tab.focus({ preventScroll: true });
    select(tab);
  });
  for (const tab of tabs) panelOf(tab).hidden = tab !== tabs[0];
  shown(panelOf(tabs[0]!));
}
