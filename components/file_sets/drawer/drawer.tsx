import type { FileSet } from "../../../lib/types.ts";
import { CopyButton } from "../../ui/copy_button.tsx";
import { fileSetHref, fileSetsHref, type FileSetsView, withOpen } from "../file_sets_view.ts";
import { FileSetFacts } from "./file_set_facts.tsx";

/**
 * The file set that is open beside the table, or over its lower part where there is no room beside
 * it. The rest of the page stays in use.
 */
export function Drawer({ view, fileSet, fileSets }: {
  readonly view: FileSetsView;
  readonly fileSet: FileSet | null;
  readonly fileSets: readonly FileSet[];
}) {
  const id = view.open ?? "";
  const at = fileSets.findIndex((each) => each.id === id);
  const neighbours = [["prev", "Previous", "k", at - 1], ["next", "Next", "j", at + 1]] as const;

  return (
    <div class="drawer" role="dialog" aria-labelledby="opened-heading">
      <div class="steps">
        {neighbours.map(([rel, label, key, place]) => (
          <a
            key={rel}
            rel={rel}
            {...at >= 0 && fileSets[place]
              ? { href: fileSetsHref(withOpen(view, fileSets[place].id)) }
              : { role: "link", "aria-disabled": "true" }}
          >
            {label} <kbd>{key}</kbd>
          </a>
        ))}
        <a href={fileSetsHref(withOpen(view, null))} data-close>
          Close <kbd>Esc</kbd>
        </a>
      </div>
      <h2 id="opened-heading" tabIndex={-1} data-opened>{fileSet?.name || id}</h2>
      <p class="opened-links">
        <a href={fileSetHref(id)}>Open page</a> <CopyButton text={id} label="Copy id" />
      </p>
      {fileSet
        ? <FileSetFacts fileSet={fileSet} view={view} />
        : <p class="notice bad">This file set was not found.</p>}
    </div>
  );
}
