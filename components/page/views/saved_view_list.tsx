import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  MAX_NAME,
  readSavedViews,
  type SavedView,
  viewHref,
  withView,
  writeSavedViews,
} from "./saved_views.ts";

interface Outcome {
  readonly text: string;
  readonly isError?: true;
  readonly before?: readonly SavedView[];
}

export function SavedViewList() {
  const [views, setViews] = useState(() => readSavedViews(localStorage));
  const [{ text, isError, before }, setOutcome] = useState<Outcome>({ text: "" });
  const name = useRef<HTMLInputElement>(null);
  const undo = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    // The pressed button may be gone.
    if (text && document.activeElement === document.body) (undo.current ?? name.current)!.focus();
  });

  function change(next: readonly SavedView[], outcome: Outcome): void {
    try {
      writeSavedViews(next);
    } catch {
      return setOutcome({ text: "Your browser has no space for more views.", isError: true });
    }
    setViews(next);
    setOutcome(outcome);
  }

  function save(event: SubmitEvent) {
    event.preventDefault();
    const typed = name.current!.value.trim();
    if (!typed) return;
    const next = withView(views, { name: typed, href: viewHref(location) });
    change(next, { text: `Saved “${typed}”.`, before: views });
    name.current!.value = "";
  }

  function remove(view: SavedView) {
    const next = views.filter((each) => each !== view);
    change(next, { text: `Deleted “${view.name}”.`, before: views });
  }

  return (
    <>
      {views.length === 0 && (
        <p class="help">No saved views yet. They are stored in this browser.</p>
      )}
      <ol class="plain">
        {views.map((view) => (
          <li key={view.name} data-view={view.name}>
            <a href={view.href}>{view.name}</a>
            <button type="button" class="quiet" onClick={() => remove(view)}>
              Delete<span class="unseen">{` ${view.name}`}</span>
            </button>
          </li>
        ))}
      </ol>
      <p class={isError ? "notice bad" : "help"} role={isError ? "alert" : "status"}>
        {text} {before && (
          <button
            ref={undo}
            type="button"
            class="quiet"
            onClick={() => change(before, { text: "Undone." })}
          >
            Undo
          </button>
        )}
      </p>
      <form class="row" onSubmit={save}>
        <label for="view-name">Save current view as</label>
        <input
          ref={name}
          id="view-name"
          name="view-name"
          required
          maxLength={MAX_NAME}
          autocomplete="off"
        />
        <button type="submit">Save</button>
      </form>
    </>
  );
}
