import { formatCount } from "../../../lib/format.ts";
import { Choice, Field, FilterPanel } from "../../ui/form.tsx";
import { MAX_TEXT } from "../../ui/query.ts";
import { type Headline, HEADLINES } from "../../../lib/judgement/headline.ts";
import { markOf, toneOf } from "../verdict/state_badge.tsx";

export interface OverviewFilter {
  readonly headline?: Headline;
  /** A part of the name or of the owner's note, or the start of the id. */
  readonly text?: string;
  readonly owner?: string;
  /** How often the page is refreshed, in seconds: a link or another filter does not end it. */
  readonly refresh?: number;
}

/** The schedules that match a filter, on the overview or another page. */
export function overviewHref(
  { headline, text, owner, refresh }: OverviewFilter,
  offset = 0,
  path = "/",
): string {
  const params = new URLSearchParams();
  if (headline) params.set("state", headline);
  if (owner) params.set("owner", owner);
  if (text) params.set("q", text);
  if (offset > 0) params.set("offset", String(offset));
  if (refresh) params.set("refresh", String(refresh));
  return params.size > 0 ? `${path}?${params}` : path;
}

/** How many schedules have each headline; each count links to them. */
export function StateCounts({ counts, filter }: {
  /** How many schedules each has, and how many of those have an open critical incident. */
  readonly counts: Readonly<
    Record<Headline, { readonly schedules: number; readonly critical: number }>
  >;
  readonly filter: OverviewFilter;
}) {
  return (
    <ul class="states plain" aria-label="Watched schedules by state">
      {HEADLINES.filter((headline) =>
        counts[headline].schedules > 0 || headline === filter.headline
      ).map((headline) => {
        const { schedules, critical } = counts[headline];
        const isCurrent = headline === filter.headline;
        const tone = toneOf(headline);
        return (
          <li key={headline}>
            <a
              href={overviewHref({ ...filter, headline: isCurrent ? undefined : headline })}
              aria-current={isCurrent ? "true" : undefined}
              class={schedules > 0 ? tone : "none"}
            >
              <b>{formatCount(schedules)}</b> {markOf(headline)}
              {tone !== "bad" && critical > 0 && (
                <span class="bad">, {formatCount(critical)} with a critical incident</span>
              )}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

export function OverviewFilterForm({ filter: { headline, text, owner, refresh }, path = "/" }: {
  readonly filter: OverviewFilter;
  /** The page that shows the schedules. */
  readonly path?: string;
}) {
  const isFiltered = !!(headline || text || owner);
  return (
    <FilterPanel action={path} clear={isFiltered && overviewHref({ refresh }, 0, path)}>
      {refresh && <input type="hidden" name="refresh" value={refresh} />}
      <Choice
        name="state"
        label="State"
        selected={headline ?? ""}
        options={[{ value: "", text: "all" }, ...HEADLINES]}
      />
      <Field name="owner" label="Owner" maxLength={MAX_TEXT} value={owner ?? ""} />
      <Field
        name="q"
        label="Name, owner or id"
        type="search"
        maxLength={MAX_TEXT}
        value={text ?? ""}
      />
    </FilterPanel>
  );
}
