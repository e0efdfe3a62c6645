const KEYS = [
  ["/", "go to the search"],
  ["j", "next row"],
  ["k", "previous row"],
  ["Enter", "open the row"],
  ["?", "this help"],
] as const;

/** What each single key does, as a dialog that the key `?` opens. */
export function ShortcutHelp() {
  return (
    <dialog id="shortcuts" class="card" aria-labelledby="shortcuts-heading">
      <h2 id="shortcuts-heading">Keys</h2>
      <dl class="facts">
        {KEYS.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="help">
        They can be switched off in the <a href="/preferences">preferences</a>.
      </p>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
