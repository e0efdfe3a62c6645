import { wordsIn } from "../../../lib/moments.ts";
import { useContext } from "preact/hooks";
import type { FileSet } from "../../../lib/types.ts";
import { Fact, Zone } from "../../ui/moment.tsx";
import { FILE_SET_QUERY as FIELDS } from "../../../lib/search/query_table.ts";
import { columnLabel } from "../../search/search_words.ts";
import { allColumns, fieldValue, fileSetHref, fileSetsHref, withOpen } from "../file_sets_view.ts";
import { renderValue } from "../file_set_table.tsx";
import { CopyButton } from "../../ui/copy_button.tsx";
import type { ShownSearch } from "../../search/page_view.ts";

export function Drawer({ view, fileSet, fileSets }: {
  readonly view: ShownSearch;
  readonly fileSet: FileSet | null;
  /** The rows beside it. */
  readonly fileSets: readonly FileSet[];
}) {
  const id = view.open ?? "";
  const at = fileSets.findIndex((each) => each.id === id);
  const neighbours = at < 0 ? [] : [["Previous", at - 1], ["Next", at + 1]] as const;
  return (
    <div class="drawer" role="dialog" aria-labelledby="opened-heading">
      <div class="line steps">
        {neighbours.map(([label, place]) =>
          fileSets[place] && (
            <a key={label} href={fileSetsHref(withOpen(view, fileSets[place].id))}>{label}</a>
          )
        )}
        <a href={fileSetsHref(withOpen(view, null))} data-close>
          Close <kbd aria-hidden="true">Esc</kbd>
        </a>
      </div>
      <h2 id="opened-heading" tabIndex={-1} data-opened>{fileSet?.name || id}</h2>
      <p class="line">
        <a href={fileSetHref(id)}>Open page</a> <CopyButton text={id} label="Copy id" />
      </p>
      {fileSet
        ? <FileSetFacts fileSet={fileSet} />
        : <p class="notice bad">This file set was not found, or can't be read now.</p>}
    </div>
  );
}

export function FileSetFacts({ fileSet }: { readonly fileSet: FileSet }) {
  const words = wordsIn(useContext(Zone), Date.now());
  return (
    <dl class="facts">
      {/* Its name is the heading. */}
      {allColumns([fileSet]).filter((field) => field !== "name").map((field) => (
        <Fact key={field} name={columnLabel(FIELDS, field)}>
          {renderValue(fieldValue(fileSet, field), field, words)}
        </Fact>
      ))}
    </dl>
  );
}
