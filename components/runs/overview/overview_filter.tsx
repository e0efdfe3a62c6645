import { formatCount } from "../../../lib/format.ts";
import { Choice, Field, FilterPanel } from "../../ui/form.tsx";
import { MAX_TEXT } from "../../ui/query.ts";
import { STATE_MARKS } from "../verdict/state_badge.tsx";

type VerdictState = keyof typeof STATE_MARKS;

const STATES = Object.keys(STATE_MARKS) as VerdictState[];

export interface OverviewFilter {
  readonly state?: VerdictState;
  /** A part of the name or of the owner's note, or the start of the id. */
  readonly text?: string;
  readonly owner?: string;
  /** How often the page is refreshed, in seconds: a link or another filter does not end it. */
  readonly refresh?: number;
}

/** The schedules that match a filter, on the overview or another page. */
export function overviewHref(
  { state, text, owner, refresh }: OverviewFilter,
  offset = 0,
  path = "/",
): string {
  const params = new URLSearchParams();
  if (state) params.set("state", state);
  if (owner) params.set("owner", owner);
  if (text) params.set("q", text);
  if (offset > 0) params.set("offset", String(offset));
  if (refresh) params.set("refresh", String(refresh));
  return params.size > 0 ? `${path}?${params}` : path;
}

/** How many schedules are in each state; each count links to them. */
export function StateCounts({ counts, filter }: {
  /** How many schedules each state has, and how many of those have an open critical incident. */
  readonly counts: Readonly<
    Record<VerdictState, { readonly schedules: number; readonly critical: number }>
  >;
  readonly filter: OverviewFilter;
}) {
  return (
    <ul class="states plain" aria-label="Watched schedules by state">
      {STATES.map((state) => {
        const [sign, word, meaning] = STATE_MARKS[state];
        const { schedules, critical } = counts[state];
        const isCurrent = state === filter.state;
        return (
          <li key={state}>
            <a
              href={overviewHref({ ...filter, state: isCurrent ? undefined : state })}
              aria-current={isCurrent ? "true" : undefined}
              class={schedules > 0 ? meaning : "none"}
            >
              <b>{formatCount(schedules)}</b> <span aria-hidden="true">{sign}</span>{" "}
              {word.toLowerCase()}
              {/* Being down is critical as it is. */}
              {state !== "down" && critical > 0 && (
                <span class="bad">, {formatCount(critical)} with a critical incident</span>
              )}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

export function OverviewFilterForm({ filter: { state, text, owner, refresh }, path = "/" }: {
  readonly filter: OverviewFilter;
  /** The page that shows the schedules. */
  readonly path?: string;
}) {
  const isFiltered = !!(state || text || owner);
  return (
    <FilterPanel action={path} clear={isFiltered && overviewHref({ refresh }, 0, path)}>
      {refresh && <input type="hidden" name="refresh" value={refresh} />}
      <Choice
        name="state"
        label="State"
        selected={state ?? ""}
        options={[{ value: "", text: "all" }, ...STATES]}
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
