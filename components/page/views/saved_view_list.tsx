import { useState } from "preact/hooks";
import { deleteView, readSavedViews, saveView } from "./saved_views.ts";

/** The saved views, and a form to save the current one. */
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
      {views.length === 0 && <p class="help">No saved views yet. They are kept in this browser.</p>}
      <ul>
        {views.map(({ name, href }) => (
          <li key={name}>
            <a href={href}>{name}</a>{" "}
            <button
              type="button"
              class="quiet"
              aria-label={`Delete ${name}`}
              onClick={() => setViews(deleteView(localStorage, name))}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      <form class="row" onSubmit={onSubmit}>
        <label for="view-name">Save current view as</label>
        <input id="view-name" name="view-name" required maxLength={80} autocomplete="off" />
        <button type="submit">Save</button>
      </form>
    </>
  );
}
