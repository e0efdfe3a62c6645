import { Fact } from "../ui/moment.tsx";

const GROUPS = [
  ["Everywhere", [
    ["Ctrl K or ⌘ K", "Go to a page, person or schedule"],
    ["?", "Show this help"],
    ["Esc", "Close a dialog, menu or drawer"],
  ]],
  ["Lists", [
    ["/", "Search"],
    ["j", "Next row, and the next page after the last; next file set while one is open"],
    ["k", "Previous row, or file set"],
    ["Enter", "Open row"],
    ["Click on a cell", "Only rows with its value; with Alt, only those without"],
    ["Shift click on a heading", "Sort by this column too"],
  ]],
] as const;

export function ShortcutHelp() {
  return (
    <dialog id="shortcut-help" class="card" aria-labelledby="shortcut-help-heading">
      {/* Takes the focus, so that the list shows from its top. */}
      <h2 id="shortcut-help-heading" tabIndex={-1} autofocus>Keyboard shortcuts</h2>
      {GROUPS.map(([group, keys]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl class="facts">
            {keys.map(([key, action]) => <Fact key={key} name={<kbd>{key}</kbd>}>{action}</Fact>)}
          </dl>
        </section>
      ))}
      <p class="help">
        Turn them off in <a href="/preferences">Preferences</a>.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
