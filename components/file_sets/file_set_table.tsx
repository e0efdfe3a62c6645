import { wordsIn } from "../../lib/moments.ts";
import { useContext } from "preact/hooks";
import { cellText } from "../../lib/export.ts";
import { formatCount } from "../../lib/format.ts";
import type { FileSet } from "../../lib/types.ts";
import { TableFrame } from "../ui/data_table.tsx";
import { MISSING, timeElement, Zone } from "../ui/moment.tsx";
import { FILE_SET_QUERY as FIELDS } from "../../lib/search/query_table.ts";
import { SortHeader } from "../search/sort_header.tsx";
import { columnLabel, isDate, isNumber } from "../search/search_words.ts";
import { fieldValue, fileSetHref, fileSetsHref, shownFileSetColumns } from "./file_sets_view.ts";
import type { ShownSearch } from "../search/page_view.ts";

export function FileSetTable({ fileSets, view }: {
  readonly fileSets: readonly FileSet[];
  readonly view: ShownSearch;
}) {
  const columns = shownFileSetColumns(view);
  const page = { table: FIELDS, view, href: fileSetsHref };
  const words = wordsIn(useContext(Zone), Date.now());
  return (
    <TableFrame
      name="File sets"
      headings={columns.map((field) => <SortHeader key={field} {...{ field, page }} canAdd />)}
    >
      {fileSets.map((fileSet) => (
        <tr key={fileSet.id} class={fileSet.id === view.open ? "open" : undefined}>
          {columns.map((field) =>
            renderCell(fileSet, field, words)
          )}
        </tr>
      ))}
    </TableFrame>
  );
}

/** A cell. A function instead of a component: a page has a thousand of them. */
function renderCell(fileSet: FileSet, field: string, words: (time: number) => string) {
  if (field === "name") {
    return (
      <th key={field} scope="row">
        <a href={fileSetHref(fileSet.id)} data-open>{fileSet.name || fileSet.id}</a>
      </th>
    );
  }
  return (
    <td key={field} class={cellClass(field)} data-label={columnLabel(FIELDS, field)}>
      {renderValue(
        field === "id" ? fileSet.id.slice(0, 8) : fieldValue(fileSet, field),
        field,
        words,
      )}
    </td>
  );
}

/** A field's value: dates in these words, numbers with commas. */
export function renderValue(value: unknown, field: string, words: (time: number) => string) {
  const text = cellText(value);
  if (text === "") return MISSING;
  if (isDate(FIELDS, field)) return timeElement(text, words);
  if (field === "id") return <code>{text}</code>;
  return field === "fileCount" && typeof value === "number" ? formatCount(value) : text;
}

function cellClass(field: string): string | undefined {
  if (field === "description") return "wide";
  return isNumber(FIELDS, field) ? "number" : undefined;
}
