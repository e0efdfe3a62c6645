import type { JSX } from "preact";
import type { SearchView } from "../lib/search_url.ts";
import type { FileSet, FileSetField } from "../lib/types.ts";
import { formatCount } from "./format.ts";
import { Missing, Moment, ZoneName } from "./moment.tsx";
import { fileSetsHref, sortedBy } from "./search_view.ts";
import { FIELDS, fieldWords, ORDERS } from "./search_words.ts";

/** File sets as a table; the headers sort it. */
export function FileSetTable({ fileSets, view, busy }: {
  readonly fileSets: readonly FileSet[];
  readonly view: SearchView;
  /** Whether another page is on its way. */
  readonly busy: boolean;
}) {
  return (
    <div class="scroll" role="region" aria-label="File sets" tabIndex={0}>
      <table aria-busy={busy}>
        <caption class="unseen">
          File sets, times in <ZoneName />
        </caption>
        <thead>
          <tr>{FIELDS.map((field) => <SortHeader key={field} field={field} view={view} />)}</tr>
        </thead>
        <tbody>
          {fileSets.map((fileSet) => (
            <tr key={fileSet.id}>
              {FIELDS.map((field) => <Cell key={field} fileSet={fileSet} field={field} />)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SortHeader({ field, view }: { readonly field: FileSetField; readonly view: SearchView }) {
  const [first] = view.body.fieldSort ?? [];
  const order = first?.field === field ? first.order ?? "ASC" : undefined;
  const next = sortedBy(view, field).body.fieldSort?.[0]?.order;
  return (
    <th
      scope="col"
      class={isNumber(field) ? "number" : undefined}
      aria-sort={order && (order === "DESC" ? "descending" : "ascending")}
    >
      <a
        href={fileSetsHref(sortedBy(view, field))}
        title={next ? `Sort by ${fieldWords(field)}, ${ORDERS[next]}` : "Sort no longer"}
      >
        {fieldWords(field)}
        <span class="arrow" aria-hidden="true">{order && (order === "DESC" ? "↓" : "↑")}</span>
      </a>
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
          <a href={`/filesets/${encodeURIComponent(fileSet.id)}`}>
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
