import { formatCountOf } from "../../../lib/format.ts";
import { saveFile } from "../../ui/save_file.ts";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { defaultViewCookie } from "./default_view.ts";
import {
  MAX_NAME,
  MAX_VIEWS,
  movedView,
  readSavedViews,
  renamedView,
  type SavedView,
  viewHref,
  withDefault,
  withoutView,
  withView,
  writeSavedViews,
} from "./saved_views.ts";
import { formatViewFile, mergedViews, parseViewFile } from "./view_file.ts";
import { ViewTools } from "./view_tools.tsx";

interface Outcome {
  readonly text: string;
  readonly isError?: true;
  readonly undo?: readonly SavedView[];
}

export function SavedViewList() {
  const { root, views, outcome, onImport, onError, ...act } = useSavedViews();
  const [isManaged, setIsManaged] = useState(false);
  return (
    <div ref={root}>
      {views.length === 0 && (
        <p class="help">No saved views yet. They are stored in this browser.</p>
      )}
      <ol class={isManaged ? "managed plain" : "plain"}>
        {views.map((view) => (
          <li key={view.name} data-view={view.name}>
            <a href={view.href}>{view.name}</a>{" "}
            {view.isDefault && <span class="help">default</span>}
            {isManaged && (
              <ViewTools
                view={view}
                onMove={(by) => act.move(view.name, by)}
                onRename={(next) => act.rename(view.name, next)}
                onDefault={() => act.setDefault(view)}
                onDelete={() => act.remove(view.name)}
              />
            )}
          </li>
        ))}
      </ol>
      <p
        class={outcome?.isError ? "notice bad" : "help"}
        role={outcome?.isError ? "alert" : "status"}
      >
        {outcome?.text} {outcome?.undo && (
          <button
            type="button"
            class="quiet"
            data-undo
            onClick={() => act.undo(outcome.undo!)}
          >
            Undo
          </button>
        )}
      </p>
      <form class="row" onSubmit={act.save}>
        <label for="view-name">Save current view as</label>
        <input id="view-name" name="view-name" required maxLength={MAX_NAME} autocomplete="off" />
        <button type="submit">Save</button>
      </form>
      <p>
        <a href="/filesets?view=all">All file sets</a>{" "}
        <button
          type="button"
          class="quiet"
          aria-pressed={isManaged}
          onClick={() => setIsManaged(!isManaged)}
        >
          Manage
        </button>
      </p>
      {isManaged && <ViewFiles {...{ views, onImport, onError }} />}
    </div>
  );
}

function useSavedViews() {
  const root = useRef<HTMLDivElement>(null);
  const [views, setViews] = useState(() => readSavedViews(localStorage));
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  /** What to focus once it is drawn: a change moves or removes what had the focus. */
  const toFocus = useRef("");

  useLayoutEffect(() => {
    if (toFocus.current) root.current?.querySelector<HTMLElement>(toFocus.current)?.focus();
    toFocus.current = "";
  });

  function keep(next: readonly SavedView[], done: Outcome): void {
    try {
      writeSavedViews(localStorage, next);
    } catch {
      return setOutcome({ text: "Your browser has no space for more views.", isError: true });
    }
    document.cookie = defaultViewCookie(next, location.protocol);
    setViews(next);
    setOutcome(done);
  }

  function save(event: SubmitEvent) {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get("view-name")).trim();
    if (!name) return;
    const next = withView(views, { name, href: viewHref(location) });
    if (next.length > MAX_VIEWS) {
      return setOutcome({ text: `You can save at most ${MAX_VIEWS} views.`, isError: true });
    }
    keep(next, { text: `Saved “${name}”.`, undo: views });
    form.reset();
  }

  function rename(name: string, next: string): boolean {
    const renamed = renamedView(views, name, next);
    if (renamed === null) {
      setOutcome({ text: `There is another view named “${next}”.`, isError: true });
      return false;
    }
    toFocus.current = `${rowOf(next)} [data-rename]`;
    keep(renamed, { text: `Renamed to “${next}”.`, undo: views });
    return true;
  }

  function move(name: string, by: -1 | 1) {
    const next = movedView(views, name, by);
    if (next === views) return;
    const place = next.findIndex((view) => view.name === name) + 1;
    toFocus.current = `${rowOf(name)} [data-move="${by}"]`;
    keep(next, { text: `“${name}” is now number ${place} of ${next.length}.` });
  }

  function remove(name: string) {
    toFocus.current = "[data-undo]";
    keep(withoutView(views, name), { text: `Deleted “${name}”.`, undo: views });
  }

  function setDefault(view: SavedView) {
    const text = view.isDefault
      ? "There is no default view: File sets shows all file sets."
      : `File sets now opens with “${view.name}”.`;
    keep(withDefault(views, view.isDefault ? null : view.name), { text, undo: views });
  }

  function undo(before: readonly SavedView[]) {
    toFocus.current = "[name='view-name']";
    keep(before, { text: "Undone." });
  }

  return {
    ...{ root, views, outcome },
    ...{ save, rename, move, remove, setDefault, undo },
    onImport: (next: readonly SavedView[], text: string) => keep(next, { text, undo: views }),
    onError: (text: string) => setOutcome({ text, isError: true }),
  };
}

function rowOf(name: string): string {
  return `[data-view="${CSS.escape(name)}"]`;
}

/** More would not be read: a file of 500 views with long links is smaller. */
const MAX_BYTES = 5_000_000;

function ViewFiles({ views, onImport, onError }: {
  readonly views: readonly SavedView[];
  /** Takes the views with those of a file, and what to say about it. */
  readonly onImport: (views: readonly SavedView[], text: string) => void;
  readonly onError: (text: string) => void;
}) {
  function save() {
    const file = new Blob([formatViewFile(views)], { type: "application/json" });
    saveFile(file, "docket-views.json");
  }

  async function read({ currentTarget }: { readonly currentTarget: HTMLInputElement }) {
    const file = currentTarget.files?.[0];
    currentTarget.value = "";
    if (!file) return;
    try {
      if (file.size > MAX_BYTES) throw new Error("The file is too large.");
      const imported = parseViewFile(await file.text());
      const next = mergedViews(views, imported);
      if (next.length > MAX_VIEWS) throw new Error(`You can save at most ${MAX_VIEWS} views.`);
      const added = next.length - views.length;
      const replaced = imported.length - added;
      onImport(
        next,
        `Imported ${formatCountOf(added, "new view", "new views")}${
          replaced > 0 ? `, replaced ${replaced}` : ""
        }.`,
      );
    } catch (error) {
      onError(`${file.name} was not imported. ${(error as Error).message}`);
    }
  }

  return (
    <div class="row">
      <button type="button" class="quiet" onClick={save}>Export to a file</button>
      <label>
        Import a file <input type="file" accept=".json,application/json" onChange={read} />
      </label>
    </div>
  );
}
