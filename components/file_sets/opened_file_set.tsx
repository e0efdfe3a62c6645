import type { ComponentChildren } from "preact";
import type { FileSet } from "../../lib/types.ts";
import { FileSetFacts } from "./file_set_facts.tsx";
import { fileSetsHref, type FileSetsView, withOpen } from "./file_sets_view.ts";

/** The file set that is open beside the table. */
export function OpenedFileSet({ view, fileSet, children }: {
  readonly view: FileSetsView;
  readonly fileSet: FileSet | null;
  /** What can be done with it. */
  readonly children: ComponentChildren;
}) {
  const id = view.open ?? "";
  return (
    <section class="opened" aria-labelledby="opened-heading">
      <h2 id="opened-heading" tabIndex={-1} data-opened>{fileSet?.name || id}</h2>
      <p>
        <a href={fileSetsHref(withOpen(view, null))}>Close</a> ·{" "}
        <a href={`/filesets/${encodeURIComponent(id)}`} data-own>Its own page</a> {children}
      </p>
      {fileSet
        ? <FileSetFacts fileSet={fileSet} />
        : <p class="notice bad">This file set could not be found.</p>}
    </section>
  );
}
