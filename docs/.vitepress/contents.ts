// The pages of the site in their order.
import type { DefaultTheme } from "vitepress";

const page = (text: string, link: string) => ({ text, link: `/${link}` });
const guide = (text: string) => page(text, `guide/${text.toLowerCase().replace(",", "").replaceAll(" ", "-")}`);

/** No pages of VitePress, but of TypeDoc and Doxygen. */
const reference = { text: "TypeScript API", link: "/reference/index.html", target: "_self" };
const cppReference = { text: "C++ API", link: "/cpp-reference/annotated.html", target: "_self" };

export const contents: (DefaultTheme.SidebarItem & {
  readonly items: { readonly text: string; readonly link: string; readonly target?: string }[];
})[] = [
  {
    text: "Tutorial",
    items: [
      page("A game in eight steps", "tutorial/"),
      page("1. Entities", "tutorial/entities"),
      page("2. Components", "tutorial/components"),
      page("3. Systems", "tutorial/systems"),
      page("4. Drawing", "tutorial/drawing"),
      page("5. Input", "tutorial/input"),
      page("6. Spawning and removal", "tutorial/spawning-and-removal"),
      page("7. Dirty tracking", "tutorial/dirty-tracking"),
      page("8. Saving and rewinding", "tutorial/rewinding"),
    ],
  },
  {
    text: "Guide",
    items: [
      page("Introduction", "guide/"),
      page("Playground", "playground"),
      guide("Entities and components"),
      guide("Queries"),
      guide("Systems"),
      guide("Filters, order and intervals"),
      guide("Dirty tracking"),
      guide("Hierarchy"),
      guide("The world entity"),
      guide("Aspects"),
      guide("Events"),
      guide("Time"),
      guide("Clearing"),
      guide("Bulk operations"),
      guide("Errors"),
      guide("Development build"),
      guide("Hot reload"),
      guide("Measuring"),
      guide("Testing your game"),
    ],
  },
  {
    text: "Recipes",
    items: [
      page("All recipes", "recipes/"),
      page("Drawing on a canvas", "recipes/canvas"),
      page("Drawing with PixiJS", "recipes/pixi"),
      page("Cameras", "recipes/cameras"),
      page("Timers and cooldowns", "recipes/timers"),
      page("States of an enemy", "recipes/enemy-states"),
      page("References between entities", "recipes/references"),
      page("A spatial grid", "recipes/spatial-grid"),
      page("Input", "recipes/input"),
      page("Pause, menus and game over", "recipes/pause-and-menus"),
      page("Switching systems and entities off", "recipes/switching-off"),
      page("Several of one kind", "recipes/several-of-one-kind"),
      page("Effects and rollback", "recipes/effects"),
    ],
  },
  {
    text: "State",
    items: [
      page("Saving, sending, rewinding", "saving"),
      page("Multiplayer", "multiplayer"),
      page("Inspector", "inspector"),
    ],
  },
  {
    text: "With other libraries",
    items: [
      page("React", "react"),
      page("three.js", "three"),
      page("Workers", "workers"),
      page("Environments", "environments"),
    ],
  },
  {
    text: "Coming from",
    items: [
      page("Another library", "coming-from/"),
      page("koota", "coming-from/koota"),
      page("bitECS", "coming-from/bitecs"),
      page("miniplex", "coming-from/miniplex"),
      page("becsy", "coming-from/becsy"),
      page("Bevy", "coming-from/bevy"),
      page("Unity", "coming-from/unity"),
      page("EnTT, Flecs", "coming-from-cpp"),
      page("The articles", "coming-from/articles"),
    ],
  },
  { text: "C++", items: [page("The C++ library", "cpp"), page("Your own module", "your-own-module")] },
  {
    text: "Reference",
    items: [
      reference,
      cppReference,
      page("For assistants", "for-assistants"),
      page("Rules", "rules"),
      page("Format of snapshots", "format"),
      page("Glossary", "glossary"),
    ],
  },
  {
    text: "Background",
    items: [
      page("Benchmarks", "benchmarks"),
      page("Measurements", "measurements"),
      page("The demo", "demo"),
      page("Design", "design"),
      page("The articles", "articles"),
    ],
  },
];

export const navigation = [
  page("Tutorial", "tutorial/"),
  page("Guide", "guide/"),
  page("Recipes", "recipes/"),
  page("Playground", "playground"),
  { ...reference, text: "API" },
  page("Rules", "rules"),
  page("Coming from", "coming-from/"),
  page("C++", "cpp"),
  page("Benchmarks", "benchmarks"),
];
