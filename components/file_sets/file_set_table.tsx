import { wordsIn } from "../../lib/moments.ts";
import { useContext } from "preact/hooks";
import { cellText } from "../../lib/export.ts";
import { formatCount } from "../../lib/format.ts";
import type { FileSet } from "../../lib/types.ts";
import { DataTable } from "../ui/data_table.tsx";
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
    <DataTable
      name="File sets"
      rows={fileSets}
      rowClass={({ id }) => id === view.open ? "open" : undefined}
      columns={columns.map((field) => ({
        name: columnLabel(FIELDS, field),
        heading: <SortHeader key={field} {...{ field, page }} canAdd />,
        kind: field === "description" ? "wide" : isNumber(FIELDS, field) ? "number" : undefined,
        cell: (fileSet: FileSet) =>
          field === "name"
            ? <a href={fileSetHref(fileSet.id)} data-open>{fileSet.name || fileSet.id}</a>
            : renderValue(
              field === "id" ? fileSet.id.slice(0, 8) : fieldValue(fileSet, field),
              field,
              words,
            ),
      }))}
    />
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
