import type { JSX } from "preact";
import type { FileSet, FileSetField } from "../../lib/types.ts";
import { formatCount } from "../ui/format.ts";
import { Missing, Moment, ZoneName } from "../ui/moment.tsx";
import { fileSetsHref, type FileSetsView, sortedAlsoBy, sortedBy } from "./file_sets_view.ts";
import { FIELDS, fieldWords } from "./search_words.ts";

/** File sets as a table; the headers sort it. */
export function FileSetTable({ fileSets, view, busy }: {
  readonly fileSets: readonly FileSet[];
  readonly view: FileSetsView;
  /** Whether another page is on its way. */
  readonly busy: boolean;
}) {
  const columns = FIELDS.filter((field) => !view.columns || view.columns.includes(field));
  return (
    <div class="scroll" role="region" aria-label="File sets" tabIndex={0}>
      <table aria-busy={busy}>
        <caption class="unseen">
          File sets, times in <ZoneName />
        </caption>
        <thead>
          <tr>{columns.map((field) => <SortHeader key={field} field={field} view={view} />)}</tr>
        </thead>
        <tbody>
          {fileSets.map((fileSet) => (
            <tr key={fileSet.id} class={fileSet.id === view.open ? "open" : undefined}>
              {columns.map((field) => <Cell key={field} fileSet={fileSet} field={field} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A header that sorts: alone by a click, in addition to the others with the shift key. */
function SortHeader(
  { field, view }: { readonly field: FileSetField; readonly view: FileSetsView },
) {
  const sort = view.body.fieldSort ?? [];
  const rank = sort.findIndex((key) => key.field === field);
  const order = rank < 0 ? undefined : sort[rank].order ?? "ASC";
  const direction = order && (order === "DESC" ? "descending" : "ascending");
  return (
    <th
      scope="col"
      class={isNumber(field) ? "number" : undefined}
      // Only the first key is what the table as a whole is sorted by.
      aria-sort={rank === 0 ? direction : undefined}
    >
      <a
        href={fileSetsHref(sortedBy(view, field))}
        data-also={fileSetsHref(sortedAlsoBy(view, field))}
        title="Sort by this column; with the shift key, in addition to the others"
      >
        {fieldWords(field)}
        {direction && (
          <span class="arrow">
            <span aria-hidden="true">
              {direction === "descending" ? "↓" : "↑"}
              {sort.length > 1 && rank + 1}
            </span>
            {rank > 0 && <span class="unseen">, sort key {rank + 1}, {direction}</span>}
          </span>
        )}
      </a>
      {(field === "created" || field === "updated") && (
        <>
          {" "}
          <ZoneName />
        </>
      )}
    </th>
  );
}

function Cell(
  { fileSet, field }: { readonly fileSet: FileSet; readonly field: FileSetField },
): JSX.Element {
  const value = fileSet[field];
  switch (field) {
    case "name":
      return (
        <th scope="row" class="text">
          <a href={`/filesets/${encodeURIComponent(fileSet.id)}`} data-open={fileSet.id}>
            {fileSet.name || fileSet.id}
          </a>
        </th>
      );
    case "description":
      return (
        <td class="text wide" title={fileSet.description ?? undefined}>{value || <Missing />}</td>
      );
    case "created":
    case "updated":
      return (
        <td class="moment">
          <Moment at={fileSet[field]} />
        </td>
      );
    case "fileCount":
      return (
        <td class="number">
          {typeof value === "number" ? formatCount(value) : <Missing />}
        </td>
      );
    case "id":
      return (
        <td>
          <code title={fileSet.id}>{fileSet.id.slice(0, 8)}</code>
        </td>
      );
    default:
      return <td class={isNumber(field) ? "number" : undefined}>{value ?? <Missing />}</td>;
  }
}

function isNumber(field: FileSetField): boolean {
  return field === "fileCount" || field === "createdBy" || field === "updatedBy";
}
