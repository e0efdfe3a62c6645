import { type RunView, viewHref, withSearch } from "../run_links.ts";
import { Chip } from "../../ui/chip.tsx";
import { isTooLongToRepeat } from "../../ui/query.ts";
import { runDateText, runFilterText, runSortText, type WordOptions } from "./run_search_text.ts";

/** The conditions and sort keys of the runs. Each can be negated or reversed, and removed. */
export function RunChips({ view, words }: {
  readonly view: RunView;
  readonly words: WordOptions;
}) {
  const { filters = [], dateFilters = [], fieldSort = [] } = view.body;
  if (isTooLongToRepeat(viewHref(view))) return <LongSearch view={view} words={words} />;
  const search = (member: keyof RunView["body"], list: readonly unknown[]) =>
    viewHref(withSearch(view, { ...view.body, [member]: list }));
  const chips = [
    ...filters.map((filter, at) => ({
      text: runFilterText(filter, words),
      action: "Negate",
      changed: search("filters", filters.with(at, { ...filter, not: !filter.not })),
      removed: search("filters", filters.toSpliced(at, 1)),
    })),
    ...dateFilters.map((filter, at) => ({
      text: runDateText(filter, words),
      action: "Negate",
      changed: search("dateFilters", dateFilters.with(at, { ...filter, not: !filter.not })),
      removed: search("dateFilters", dateFilters.toSpliced(at, 1)),
    })),
    ...fieldSort.map((key, at) => ({
      text: runSortText(key),
      action: "Reverse",
      changed: search(
        "fieldSort",
        fieldSort.with(at, { ...key, order: key.order === "DESC" ? "ASC" : "DESC" }),
      ),
      removed: search("fieldSort", fieldSort.toSpliced(at, 1)),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Active filters">
      {chips.map((chip) => <Chip key={chip.text} {...chip} />)}
      {chips.length > 1 && (
        <li>
          <a href={viewHref(withSearch(view, {}))}>Clear all</a>
        </li>
      )}
    </ul>
  );
}

/** The conditions of a long search, without a link for each. */
function LongSearch({ view, words }: Parameters<typeof RunChips>[0]) {
  const { filters = [], dateFilters = [] } = view.body;
  const texts = [
    ...filters.map((filter) => runFilterText(filter, words)),
    ...dateFilters.map((filter) => runDateText(filter, words)),
  ];
  return (
    <>
      <ul class="chips" aria-label="Active filters">
        {texts.map((text) => <li key={text} class="chip">{text}</li>)}
        <li>
          <a href={viewHref(withSearch(view, {}))}>Clear all</a>
        </li>
      </ul>
      <p class="help">This search is too long to change by links.</p>
    </>
  );
}
