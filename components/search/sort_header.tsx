import { type SearchPage, sortedAlsoBy, sortedBy } from "./page_view.ts";
import { columnLabel, isNumber } from "./search_words.ts";

/** A column heading that sorts by its column; with scripts, Shift adds it to the sort keys. */
export function SortHeader({ field, page: { table, view, href }, canAdd = false }: {
  readonly field: string;
  readonly page: Pick<SearchPage, "table" | "view" | "href">;
  readonly canAdd?: boolean;
}) {
  const sort = view.body.fieldSort ?? [];
  const rank = sort.findIndex((key) => key.field === field);
  const order = rank < 0 ? undefined : sort[rank].order ?? "ASC";
  const direction = order && (order === "DESC" ? "descending" : "ascending");
  return (
    <th
      scope="col"
      class={isNumber(table, field) ? "number" : undefined}
      // Only the first key sorts the whole table.
      aria-sort={rank === 0 ? direction : undefined}
    >
      <a
        href={href(sortedBy(view, field))}
        data-sort={field}
        {...canAdd && {
          "data-also": href(sortedAlsoBy(view, field)),
          title: "Sort by this column (Shift: add to the sort keys)",
        }}
      >
        {columnLabel(table, field)}
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
    </th>
  );
}
