import { useState } from "preact/hooks";
import { forgetView, readSavedViews, saveView } from "./saved_views.ts";

/** The saved views, and a form that saves the present one. */
export function SavedViewList() {
  const [views, setViews] = useState(() => readSavedViews(localStorage));

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get("view-name")).trim();
    if (!name) return;
    setViews(saveView(localStorage, { name, href: location.pathname + location.search }));
    form.reset();
  }

  return (
    <>
      {views.length === 0 && <p class="help">None yet. They stay in this browser.</p>}
      <ul>
        {views.map(({ name, href }) => (
          <li key={name}>
            <a href={href}>{name}</a>{" "}
            <button
              type="button"
              class="quiet"
              aria-label={`Forget ${name}`}
              onClick={() => setViews(forgetView(localStorage, name))}
            >
              forget
            </button>
          </li>
        ))}
      </ul>
      <form class="row" onSubmit={onSubmit}>
        <label for="view-name">Save this view as</label>
        <input id="view-name" name="view-name" required maxLength={80} autocomplete="off" />
        <button type="submit">Save</button>
      </form>
    </>
  );
}
