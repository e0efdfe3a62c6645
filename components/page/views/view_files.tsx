import { formatCountOf } from "../../../lib/format.ts";
import { MAX_VIEWS, type SavedView } from "./saved_views.ts";
import { saveFile } from "../../ui/save_file.ts";
import { formatViewFile, mergedViews, parseViewFile } from "./view_file.ts";

/** More would not be read: a file of 500 views with long links is smaller. */
const MAX_BYTES = 5_000_000;

export function ViewFiles({ views, onImport, onError }: {
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
