import { capitalized } from "../../../lib/format.ts";
import { FilterField, Segments } from "../../ui/list.tsx";
import { withValues } from "../../ui/query.ts";
import { type Headline, HEADLINES } from "../../../lib/judgement/headline.ts";
import { toneOf } from "../verdict/state_badge.tsx";

interface OverviewFilter {
  readonly headline?: Headline;
  /** A part of the name or of the owner, or the start of the id. */
  readonly text?: string;
  readonly owner?: string;
  readonly among?: "watched" | "unwatched";
}

/** A list of schedules; Today's begins far below the top of the page. */
export function overviewHref(
  { headline, text, owner, among }: OverviewFilter,
  offset = 0,
  path = "/",
): string {
  const href = withValues(path, { state: headline, owner, list: among, q: text, offset });
  return path === "/" ? `${href}#schedules` : href;
}

/** Links to the schedules with each headline, with their number, and a field for a search. */
export function OverviewFilterLine({ counts, lists, filter, path = "/" }: {
  readonly counts: Readonly<Record<Headline, number>>;
  /** How many schedules there are of each kind, where the page offers them. */
  readonly lists?: Readonly<Record<typeof AMONG[number][2], number>>;
  readonly filter: OverviewFilter;
  readonly path?: string;
}) {
  const { headline, text, owner, among } = filter;
  const all = Object.values(counts).reduce((sum, each) => sum + each, 0);
  const segment = (name: string, chosen: Headline | undefined, count: number) => ({
    name,
    count,
    tone: chosen && toneOf(chosen),
    href: overviewHref({ ...filter, headline: chosen }, 0, path),
    isCurrent: chosen === headline,
  });
  const isFiltered = !!(headline || text || owner || among);
  return (
    <div class="line filter-line">
      <Segments
        label="Schedules by state"
        isAnnounced={path !== "/"}
        segments={[
          segment("All", undefined, all),
          ...HEADLINES.filter((each) => counts[each] > 0 || each === headline)
            .map((each) => segment(capitalized(each), each, counts[each])),
        ]}
      />
      {lists && (lists.unwatched > 0 || among) && (
        <Segments
          label="Watched or not"
          segments={AMONG.map(([name, value, list]) => ({
            name,
            count: lists[list],
            href: overviewHref({ ...filter, among: value }, 0, path),
            isCurrent: among === value,
          }))}
        />
      )}
      <FilterField
        action={overviewHref({}, 0, path)}
        label="Filter by name, owner or id"
        value={text ?? ""}
        others={{ state: headline, owner, list: among }}
        clear={isFiltered ? overviewHref({}, 0, path) : undefined}
      />
    </div>
  );
}

const AMONG = [
  ["Watched or not", undefined, "known"],
  ["Watched", "watched", "watched"],
  ["Not watched", "unwatched", "unwatched"],
] as const;
