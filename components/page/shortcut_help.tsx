const KEYS = [
  ["/", "Search"],
  ["j", "Next row"],
  ["k", "Previous row"],
  ["Enter", "Open row"],
  ["?", "Show this help"],
] as const;

/** The keyboard shortcuts, in a dialog that the key `?` opens. */
export function ShortcutHelp() {
  return (
    <dialog id="shortcuts" class="card" aria-labelledby="shortcuts-heading">
      <h2 id="shortcuts-heading">Keyboard shortcuts</h2>
      <dl class="facts">
        {KEYS.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        Turn them off in <a href="/preferences">Preferences</a>.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
