import { capitalized, formatCount } from "../../../lib/format.ts";
import { MAX_TEXT, withQuery } from "../../ui/query.ts";
import { type Headline, HEADLINES } from "../../../lib/judgement/headline.ts";
import { toneOf } from "../verdict/state_badge.tsx";

export const TODAY_CHOICES = ["planned", "sent", "waiting", "failed", "overdue", "missed"] as const;
export type TodayChoice = typeof TODAY_CHOICES[number];

export interface OverviewFilter {
  readonly headline?: Headline;
  readonly day?: TodayChoice;
  /** A part of the name or of the owner's note, or the start of the id. */
  readonly text?: string;
  readonly owner?: string;
  readonly among?: "watched" | "unwatched";
}

export function overviewHref(
  { headline, day, text, owner, among }: OverviewFilter,
  offset = 0,
  path = "/",
): string {
  const values = { state: headline, day, owner, list: among, q: text, offset: offset || undefined };
  const given = Object.entries(values).flatMap(([name, value]) =>
    value ? [[name, String(value)]] : []
  );
  return withQuery(path, new URLSearchParams(given));
}

/** Links to the schedules with each headline, with their number, and a field for a search. */
export function OverviewFilterLine({ counts, filter, path = "/" }: {
  readonly counts: Readonly<Record<Headline, number>>;
  readonly filter: OverviewFilter;
  readonly path?: string;
}) {
  const { headline, day, text, owner, among } = filter;
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const hrefOf = (chosen: Headline | undefined) =>
    overviewHref({ ...filter, headline: chosen, day: undefined }, 0, path);
  const amongHref = (chosen: OverviewFilter["among"]) =>
    overviewHref({ ...filter, among: chosen }, 0, path);
  const isFiltered = !!(headline || day || text || owner || among);
  return (
    <div class="filter-line">
      <ul
        class="headlines plain"
        aria-label="Schedules by state"
        data-announced={path === "/" ? undefined : true}
      >
        <li>
          <a href={hrefOf(undefined)} aria-current={headline || day ? undefined : "true"}>
            All <b>{formatCount(all)}</b>
          </a>
        </li>
        {HEADLINES.filter((each) => counts[each] > 0 || each === headline).map((each) => (
          <li key={each}>
            <a
              href={hrefOf(each)}
              aria-current={each === headline ? "true" : undefined}
              class={toneOf(each)}
            >
              {capitalized(each)} <b>{formatCount(counts[each])}</b>
            </a>
          </li>
        ))}
      </ul>
      {path !== "/" && (
        <ul class="headlines plain" aria-label="Watched or not">
          {AMONG.map(([words, value]) => (
            <li key={words}>
              <a href={amongHref(value)} aria-current={among === value ? "true" : undefined}>
                {words}
              </a>
            </li>
          ))}
        </ul>
      )}
      <form action={path} role="search" autocomplete="off">
        {Object.entries({ state: headline, day, owner, list: among }).map(([name, value]) =>
          value && <input key={name} type="hidden" name={name} value={value} />
        )}
        <input
          type="search"
          name="q"
          aria-label="Filter by name, owner or id"
          placeholder="Filter by name, owner or id"
          maxLength={MAX_TEXT}
          value={text ?? ""}
        />
        <button type="submit" class="past">Filter</button>
        {isFiltered && <a href={overviewHref({}, 0, path)}>Clear</a>}
      </form>
      {day && <p class="help">Today’s reports: {DAY_WORDS[day]}.</p>}
    </div>
  );
}

const AMONG = [
  ["Watched or not", undefined],
  ["Watched", "watched"],
  ["Not watched", "unwatched"],
] as const;

const DAY_WORDS: Readonly<Record<TodayChoice, string>> = {
  planned: "due by now",
  sent: "gone out",
  waiting: "due, and may still start on time",
  failed: "failed",
  overdue: "overdue",
  missed: "did not run",
};
