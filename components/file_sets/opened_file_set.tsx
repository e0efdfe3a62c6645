import type { FileSet } from "../../lib/types.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { FileSetFacts } from "./file_set_facts.tsx";
import { fileSetHref, fileSetsHref, type FileSetsView, withOpen } from "./file_sets_view.ts";

/** The file set that is open beside the table. */
export function OpenedFileSet({ view, fileSet }: {
  readonly view: FileSetsView;
  readonly fileSet: FileSet | null;
}) {
  const id = view.open ?? "";
  return (
    <section class="opened" aria-labelledby="opened-heading">
      <h2 id="opened-heading" tabIndex={-1} data-opened>{fileSet?.name || id}</h2>
      <p>
        <a href={fileSetsHref(withOpen(view, null))}>Close</a> ·{" "}
        <a href={fileSetHref(id)} data-own>Open page</a> <CopyButton text={id} label="Copy id" />
      </p>
      {fileSet
        ? <FileSetFacts fileSet={fileSet} />
        : <p class="notice bad">This file set was not found.</p>}
    </section>
  );
}
