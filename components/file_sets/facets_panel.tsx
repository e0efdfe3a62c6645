import { capitalized, formatCount, formatCountOf } from "../../lib/format.ts";
import type { FacetOption, Facets } from "../../lib/search/facets.ts";
import { FILE_SET_QUERY } from "../../lib/search/query_table.ts";
import { findUse, isDateCondition, toggled } from "../search/conditions.ts";
import { formatPageView, type ShownSearch } from "../search/page_view.ts";
import { INPUTS } from "../search/new_condition.ts";
import { columnLabel, fieldLabel, formatTimes, rangeName } from "../search/search_words.ts";
import { isTooLongToRepeat, withQuery } from "../ui/query.ts";
import { fileSetsHref } from "./file_sets_view.ts";

export function FacetsPanel({ facets, view, zone }: {
  readonly facets: Facets;
  readonly view: ShownSearch;
  readonly zone: string;
}) {
  const shown = facets.facets.filter(({ options }) => options.some(({ count }) => count > 0));
  if (shown.length === 0 || isTooLongToRepeat(fileSetsHref(view))) return null;
  return (
    <section class="facets" aria-label="Narrow down">
      <details>
        <summary>Narrow down</summary>
      </details>
      <div class="facet-list">
        {facets.rows !== null && (
          <p class="help">
            of the {formatCountOf(facets.rows, "row", "rows")} shown
          </p>
        )}
        {shown.map(({ field, options, others }) => {
          const id = `facet-${field}`;
          const most = Math.max(...options.map(({ count }) => count));
          return (
            <section key={field} class="facet" aria-labelledby={id}>
              <h2 id={id} class="small">{columnLabel(FILE_SET_QUERY, field)}</h2>
              <ul class="plain">
                {options.map((option, index) => renderOption(option, index, { view, zone, most }))}
                {others > 0 && (
                  <li>
                    <a href={addHref(view, field)} class="help">
                      Other values…<span class="unseen">
                        {` of ${fieldLabel(FILE_SET_QUERY, field)}`}
                      </span>
                    </a>
                    <span class="number small">{formatCount(others)}</span>
                  </li>
                )}
              </ul>
            </section>
          );
        })}
      </div>
    </section>
  );
}

/** The view with the form to add a condition on this field. */
function addHref(view: ShownSearch, field: string): string {
  const params = formatPageView(view, FILE_SET_QUERY);
  params.set(INPUTS.field, field);
  return withQuery("/filesets", params);
}

/** A value. Its text includes it, the sign excludes it. A function, since there are many. */
function renderOption({ condition, count }: FacetOption, index: number, { view, zone, most }: {
  readonly view: ShownSearch;
  readonly zone: string;
  readonly most: number;
}) {
  const use = findUse(view, condition);
  const label = optionLabel(condition, zone);
  const about = `${fieldLabel(FILE_SET_QUERY, condition.field)} ${label}`;
  const exclude = `${use === "excluded" ? "Do not exclude" : "Exclude"} ${about}`;
  return (
    <li key={index} class={use ?? undefined}>
      <a
        href={fileSetsHref(toggled(view, condition, "included"))}
        aria-current={use === "included" ? "true" : undefined}
        // A long value is cut off.
        title={label.length > 16 ? label : undefined}
      >
        {use === "excluded" && [<b key="not" class="not">not</b>, " "]}
        <span>{label}</span>
      </a>
      <span class="number small">{formatCount(count)}</span>
      <a
        href={fileSetsHref(toggled(view, condition, "excluded"))}
        class="small"
        aria-label={exclude}
        title={exclude}
      >
        exclude
      </a>
      <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.round((100 * count) / most)} height="3" />
      </svg>
    </li>
  );
}

function optionLabel(condition: FacetOption["condition"], zone: string): string {
  if (isDateCondition(condition)) {
    return capitalized(rangeName(condition) ?? formatTimes(condition, zone));
  }
  const [value] = condition.value ?? [];
  if (value === undefined) return "none";
  if (condition.field !== "fileCount") return value === "" ? "“”" : value;
  if (condition.operator === "EQUALS") return "None";
  return `${formatCount(Number(value))} or more`;
}
