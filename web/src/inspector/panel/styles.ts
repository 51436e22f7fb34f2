/** The style sheet of the panel. */
export const styles = `
:host {
  all: initial;
  --bg: #fff; --raised: #f5f6f8; --line: #dde1e6; --text: #1c2127; --muted: #5a636e; --faint: #c3cad2;
  --accent: #0a5fc4; --accent-soft: #e6f0fc; --good: #16793a; --bad: #b3261e; --hot: #9a4a00;
  --s0: #0a5fc4; --s1: #d1741f; --s2: #2b8a5b; --s3: #8a4fc2; --s4: #c23a6b; --s5: #4b8f9e; --s6: #9a8412; --s7: #79838e;
  --row: 24px;
  position: fixed; z-index: 2147483000; box-sizing: border-box; display: block;
  font: 12px/1.4 system-ui, sans-serif; color: var(--text); color-scheme: light;
}
@media (prefers-color-scheme: dark) {
  :host {
    --bg: #16191d; --raised: #1e2227; --line: #343a42; --text: #e3e7eb; --muted: #9ba5b0; --faint: #4a525c;
    --accent: #74b4ff; --accent-soft: #1c3350; --good: #6fcf8e; --bad: #ff8f85; --hot: #ffb26b;
    --s0: #74b4ff; --s1: #ffb26b; --s2: #6fcf8e; --s3: #c79bff; --s4: #ff8fb4; --s5: #7fd0e0; --s6: #dfca5a; --s7: #9ba5b0;
    color-scheme: dark;
  }
}
@media (pointer: coarse) { :host { --row: 34px } }
:host([data-place=right]) { inset: 0 0 0 auto; width: min(var(--width, 440px), 100vw) }
:host([data-place=bottom]) { inset: auto 0 0 0; height: min(var(--height, max(320px, 40vh)), 90vh) }
:host([data-place=window]) { inset: 0 }
:host([data-place=folded]) { inset: auto 12px 12px auto }
*, *::before { box-sizing: border-box }
.panel { position: relative; height: 100%; display: flex; flex-direction: column; background: var(--bg); container: panel / inline-size; font-variant-numeric: tabular-nums }
:host([data-place=right]) .panel { border-left: 1px solid var(--line); box-shadow: 0 0 16px #0003 }
:host([data-place=bottom]) .panel { border-top: 1px solid var(--line); box-shadow: 0 0 16px #0003 }
.grip { position: absolute; z-index: 2; touch-action: none }
:host([data-place=right]) .grip { inset: 0 auto 0 -4px; width: 8px; cursor: ew-resize }
:host([data-place=bottom]) .grip { inset: -4px 0 auto 0; height: 8px; cursor: ns-resize }
.grip:hover { background: var(--accent); opacity: .4 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -1px }
p, h2, h3, ul, ol, dl, dd { margin: 0; padding: 0 }
ul, ol { list-style: none }
h2, h3 { font: inherit; font-weight: 600 }
h2 { font-size: 14px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
button, input, select { font: inherit; color: inherit; margin: 0 }
button, select, input:not([type=checkbox], [type=range]) {
  min-height: var(--row); padding: 0 8px; border: 1px solid var(--line); border-radius: 4px; background: var(--bg)
}
button { cursor: pointer; display: inline-flex; align-items: center; gap: 4px; white-space: nowrap }
button:hover:not(:disabled), select:hover { background: var(--raised) }
button:disabled { opacity: .4; cursor: default }
button[aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent) }
button.icon { padding: 0; border-color: transparent; background: none; width: max(26px, var(--row)); justify-content: center; flex: none; color: var(--muted) }
button.icon:hover:not(:disabled) { color: var(--text); background: var(--raised) }
button.icon[aria-pressed=true] { color: var(--accent) }
button.plain, button.link { border: 0; background: none; padding: 0; text-align: left; overflow: hidden }
button.plain { font-weight: inherit; min-height: calc(var(--row) - 2px) }
button.plain:hover:not(:disabled) { background: none; color: var(--accent) }
button.plain:disabled { opacity: 1 }
button.link { color: var(--accent) }
button.link:hover { text-decoration: underline; background: none }
button.chip { min-height: calc(var(--row) - 2px); border-radius: 99px; background: var(--raised) }
button.recording { color: var(--bad); border-color: currentColor; background: none }
input { min-width: 0 }
input[type=search] { flex: 1 1 120px }
input[type=checkbox] { accent-color: var(--accent); width: 14px; height: 14px; margin: 0; display: block }
input[aria-invalid=true] { border-color: var(--bad) }
code { font: 11px/1.4 ui-monospace, monospace }
.spring { flex: 1 } .gap { width: 8px }
.muted, .note { color: var(--muted) }
.error { color: var(--bad) }
.ellipsis { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0 }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.id { color: var(--muted); font-variant-numeric: tabular-nums; flex: none }
.tag { color: var(--hot); border: 1px solid; border-radius: 4px; padding: 0 4px; font-size: 11px }
.bar { display: flex; align-items: center; padding: 3px 4px 3px 10px; background: var(--raised); flex: none }
.time { display: flex; gap: 10px; overflow: hidden; white-space: nowrap; color: var(--muted) }
.time b { display: inline-block; min-width: 4ch; color: var(--text); font-weight: 600 }
[role=tablist] { display: flex; flex: none; overflow-x: auto; background: var(--raised); border-bottom: 1px solid var(--line); padding: 0 4px; scrollbar-width: none }
[role=tab] { border: 0; border-radius: 0; background: none; padding: 4px 8px; color: var(--muted); border-bottom: 2px solid transparent; flex: none }
[role=tab][aria-selected=true] { color: var(--text); border-color: var(--accent); font-weight: 600 }
.message { display: flex; align-items: center; gap: 8px; padding: 2px 4px 2px 10px; background: var(--accent-soft); flex: none }
.message span { flex: 1; overflow-wrap: anywhere }
.message.wrong { color: var(--bad); background: var(--raised); border-bottom: 1px solid var(--line) }
.view { flex: 1; min-height: 0; display: flex }
.page { flex: 1; min-width: 0; display: flex; flex-direction: column; overflow: auto }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 6px 10px; flex: none }
.tools select { max-width: 160px }
.scroll { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain }
.empty { padding: 24px 16px; color: var(--muted); text-align: center; flex: 1 }
.empty p { margin-bottom: 10px }
.note { padding: 6px 10px; font-size: 11px }
table { border-collapse: collapse; width: 100%; max-width: 960px }
th { font-weight: inherit; text-align: left }
thead th { position: sticky; top: 0; z-index: 1; background: var(--bg); color: var(--muted); font-size: 11px; box-shadow: inset 0 -1px var(--line) }
th, td { padding: 0 6px; height: var(--row); white-space: nowrap; vertical-align: middle }
th:first-child, td:first-child { padding-left: 10px } th:last-child, td:last-child { padding-right: 10px }
th.number, td.number { text-align: right; position: relative }
tbody tr:hover { background: var(--raised) }
tfoot { border-top: 1px solid var(--line) }
tbody th[scope=row] { width: 99%; max-width: 0; overflow: hidden; text-overflow: ellipsis }
.systems tbody th[scope=row] { font-weight: 500 }
.share { position: absolute; right: 4px; top: 4px; bottom: 4px; background: var(--accent); opacity: .16; border-radius: 2px; max-width: calc(100% - 8px) }
.swatch { display: inline-block; width: 9px; height: 9px; border-radius: 2px }
.hot { color: var(--hot); font-weight: 600 }
.off th, .off td { color: var(--muted) }
.group { background: none } .group > * { color: var(--muted); font-weight: 600; padding-top: 6px; vertical-align: baseline }
.group .number { font-weight: 400 }
.twisty { flex: none; display: inline-flex; width: 14px; height: 14px; align-items: center; justify-content: center }
.twisty::before { content: ""; border: 4px solid transparent; border-left: 5px solid currentColor; border-right: 0; transition: transform .1s }
[aria-expanded=true] > .twisty::before { transform: rotate(90deg) }
.detail:hover { background: none }
.detail td { white-space: normal; padding-bottom: 8px }
.constraints dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 10px; align-items: baseline }
.constraints dt { color: var(--muted) }
.constraints dd { display: flex; flex-wrap: wrap; gap: 4px }
.constraints p { display: flex; gap: 10px; padding-top: 4px }
.split { flex-direction: row; overflow: hidden }
.split .entity { min-height: 0 }
.master { flex: 1 1 50%; min-width: 0; display: flex; flex-direction: column }
.details { display: none; flex: 1 1 50%; min-width: 0; flex-direction: column }
.chosen > .master { display: none } .chosen > .details { display: flex }
@container panel (min-width: 680px) {
  .split > .master, .split > .details { display: flex }
  .split > .master { max-width: 720px }
  .details { border-left: 1px solid var(--line) }
  .split .heading > .icon:first-child { display: none }
}
.tree { flex: 1; min-height: 0; overflow: auto; position: relative; overscroll-behavior: contain; border-top: 1px solid var(--line) }
.tree:focus-visible { outline: none }
.tree > div { position: relative }
.row { position: absolute; inset: 0 0 auto; height: var(--row); display: flex; align-items: center; gap: 8px; padding: 0 10px 0 calc(10px + 14px * var(--depth) + 18px); white-space: nowrap; cursor: default; overflow: hidden }
.row > .twisty { margin-left: -22px; margin-right: -4px }
.row:hover { background: var(--raised) }
.row[aria-selected=true] { background: var(--accent-soft) }
.tree:focus-visible .active { outline: 2px solid var(--accent); outline-offset: -2px }
.row .id { min-width: 3ch }
.row strong, .pinned strong { font-weight: 600 }
.pinned { padding: 0 4px 4px 10px; max-height: 30%; overflow: auto; flex: none }
.pinned li { display: flex }
.pinned .plain { flex: 1; min-width: 0; gap: 8px }
.pinned [aria-current=true] { color: var(--accent) }
.help { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; padding: 10px; flex: 1; align-content: start; overflow: auto }
.help dt { font: 11px/1.5 ui-monospace, monospace } .help dd { color: var(--muted) }
.entity { flex: 1; min-height: 200px; display: flex; flex-direction: column }
.heading { display: flex; align-items: center; gap: 6px; padding: 4px 6px 4px 10px; flex: none }
.heading > .muted { display: flex; gap: 6px; overflow: hidden }
.component { border-top: 1px solid var(--line); max-width: 720px }
.component h3 { display: flex; align-items: center; gap: 8px; padding: 0 6px; min-height: var(--row) }
.component h3 .muted { font-weight: 400; font-size: 11px }
.component h3 > .icon { opacity: 0 } .component:hover h3 > .icon, .component h3 > .icon:focus-visible { opacity: 1 }
@media (hover: none) { .component h3 > .icon { opacity: 1 } }
.fields { display: grid; grid-template-columns: minmax(72px, max-content) 1fr; padding: 0 10px 6px 22px; gap: 2px 10px; align-items: center }
.field { display: contents }
.field > .name { color: var(--muted); max-width: 180px }
.field > .value { position: relative; min-width: 0; display: flex; align-items: center; min-height: var(--row) }
.field input:not([type=checkbox]), .field select { width: 100%; padding: 0 6px; border-color: transparent; background: var(--raised) }
.field input:not([type=checkbox]):hover, .field select:hover { border-color: var(--line) }
.field select { width: auto; padding: 0 2px }
.vector { flex: 1; display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 2px }
.vector.many { grid-auto-flow: row; grid-template-columns: repeat(4, minmax(0, 1fr)) }
.reference { flex: 1; display: flex; gap: 6px; min-width: 0 }
.reference input:not([type=checkbox]) { width: 9ch; flex: none }
.flash { position: absolute; inset: 0; border-radius: 4px; pointer-events: none; animation: flash .6s ease-out }
@keyframes flash { from { background: color-mix(in srgb, var(--accent) 30%, transparent) } }
@media (prefers-reduced-motion: reduce) { .flash { animation: none } .twisty::before { transition: none } }
.add { margin: 8px 10px; color: var(--accent) }
.tracking { border-top: 1px solid var(--line); padding: 6px 10px 12px; max-width: 720px }
.tracking h3 { padding-top: 4px }
.tracking li { display: flex; align-items: center; gap: 8px; flex-wrap: wrap; line-height: 1.7 }
.strip { flex: none; padding: 4px 10px 0 }
.strip svg { display: block; width: 100%; height: 56px; background: var(--raised); border-radius: 4px 4px 0 0 }
.strip .chosen { fill: var(--text); opacity: .25 }
.strip input { display: block; width: 100%; margin: 0; height: 18px; accent-color: var(--accent); cursor: pointer }
.scale { display: flex; justify-content: space-between; color: var(--muted); font-size: 11px }
.changes { border-top: 1px solid var(--line); margin-top: 6px }
.changes li { display: grid; grid-template-columns: 6ch 1fr auto; gap: 0 10px; padding: 3px 10px; border-bottom: 1px solid var(--line); align-items: baseline }
.changes li.chosen { background: var(--accent-soft) }
.changes .frame { text-align: right; color: var(--muted) }
.changes .what { min-width: 0; overflow-wrap: anywhere }
.changes .what strong { font-weight: 600 }
.values { margin-left: 8px }
.removed .values code:first-child { color: var(--bad) }
.changes .who { display: flex; gap: 10px; justify-content: end }
.changes .who .link { min-height: 18px }
.changes .what .link { min-height: 18px }
.notified { grid-column: 2 / -1; font-size: 11px }
.advice { padding: 8px 10px; background: var(--accent-soft) }
.events td:last-child { width: 99%; max-width: 0; overflow: hidden; text-overflow: ellipsis }
.events tbody th[scope=row] { width: auto; max-width: none }
.unfold { background: var(--bg); box-shadow: 0 2px 8px #0004; border-radius: 99px; padding: 4px 14px; font-weight: 600 }
@container panel (max-width: 480px) {
  .time span:nth-child(3) { display: none }
  .changes li { grid-template-columns: 6ch 1fr }
  .changes .who { grid-column: 2; justify-content: start }
  [role=tab] { padding: 4px 6px }
}
`;
