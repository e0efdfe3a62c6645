import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  canBeDefault,
  DEFAULT_VIEW_COOKIE,
  MAX_NAME,
  readDefaultView,
  readSavedViews,
  type SavedView,
  viewHref,
  withView,
  writeSavedViews,
} from "./saved_views.ts";

interface Saved {
  readonly views: readonly SavedView[];
  /** The link of the default view. */
  readonly preferred: string | null;
}

interface Outcome {
  readonly text: string;
  readonly isError?: true;
  readonly before?: Saved;
}

const NOT_RENAMED: Outcome = { text: "Not renamed." };

function readSaved(): Saved {
  const [, cookie] = new RegExp(`(?:^|; )${DEFAULT_VIEW_COOKIE}=([^;]*)`).exec(document.cookie) ??
    [];
  return { views: readSavedViews(localStorage), preferred: readDefaultView(cookie) };
}

export function SavedViewList() {
  const [saved, setSaved] = useState(readSaved);
  const { views, preferred } = saved;
  const [{ text, isError, before }, setOutcome] = useState<Outcome>({ text: "" });
  const [renamed, setRenamed] = useState<SavedView | null>(null);
  const newName = useRef<HTMLInputElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const undo = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    // The pressed button may have been removed.
    if ((text || renamed) && document.activeElement === document.body) {
      (newName.current ?? undo.current ?? name.current)!.focus();
    }
  });

  function change(changed: Partial<Saved>, outcome: Outcome): void {
    const next = { ...saved, ...changed };
    try {
      writeSavedViews(next.views, next.preferred);
    } catch {
      return setOutcome({ text: "Your browser has no space for more views.", isError: true });
    }
    setSaved(next);
    setRenamed(null);
    setOutcome(outcome);
  }

  function save(event: SubmitEvent) {
    event.preventDefault();
    const typed = name.current!.value.trim();
    if (!typed) return;
    const view = { name: typed, href: viewHref(location) };
    const isDefault = views.some(({ name, href }) => name === typed && href === preferred);
    change({
      views: withView(views, view),
      ...(isDefault && { preferred: canBeDefault(view) ? view.href : null }),
    }, { text: `Saved “${typed}”.`, before: saved });
    name.current!.value = "";
  }

  function rename(event: SubmitEvent, view: SavedView) {
    event.preventDefault();
    const typed = newName.current!.value.trim();
    if (!typed) return;
    if (views.some((each) => each !== view && each.name === typed)) {
      return setOutcome({ text: `Another view is named “${typed}”.`, isError: true });
    }
    const next = views.map((each) => each === view ? { ...view, name: typed } : each);
    change({ views: next }, { text: `Renamed to “${typed}”.`, before: saved });
  }

  function remove(view: SavedView) {
    const next = views.filter((each) => each !== view);
    change({ views: next, ...(view.href === preferred && { preferred: null }) }, {
      text: `Deleted “${view.name}”.`,
      before: saved,
    });
  }

  function prefer({ name, href }: SavedView) {
    const isDefault = href === preferred;
    change({ preferred: isDefault ? null : href }, {
      text: `File sets opens with ${isDefault ? "all file sets" : `“${name}”`}.`,
      before: saved,
    });
  }

  return (
    <>
      {views.length === 0 && (
        <p class="help">No saved views yet. They are stored in this browser.</p>
      )}
      <ol class="plain">
        {views.map((view) => (
          <li key={view.name} data-view={view.name}>
            {view === renamed
              ? (
                <form class="row" onSubmit={(event) => rename(event, view)}>
                  <input
                    ref={newName}
                    aria-label={`New name of ${view.name}`}
                    required
                    maxLength={MAX_NAME}
                    autocomplete="off"
                    defaultValue={view.name}
                    onFocus={(event) => event.currentTarget.select()}
                  />
                  <button type="submit">Rename</button>
                  <button type="button" class="quiet" onClick={() => change({}, NOT_RENAMED)}>
                    Cancel
                  </button>
                </form>
              )
              : (
                <>
                  <a href={view.href}>{view.name}</a>
                  {canBeDefault(view) && (
                    <ViewButton
                      view={view}
                      action="Default"
                      isPressed={view.href === preferred}
                      onClick={prefer}
                    />
                  )}
                  <ViewButton view={view} action="Rename" onClick={setRenamed} />
                  <ViewButton view={view} action="Delete" onClick={remove} />
                </>
              )}
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

function ViewButton({ view, action, isPressed, onClick }: {
  readonly view: SavedView;
  readonly action: string;
  readonly isPressed?: boolean;
  readonly onClick: (view: SavedView) => void;
}) {
  return (
    <button type="button" class="quiet" aria-pressed={isPressed} onClick={() => onClick(view)}>
      {action}
      <span class="unseen">{` ${view.name}`}</span>
    </button>
  );
}
