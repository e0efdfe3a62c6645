import { formatCountOf } from "../../../lib/format.ts";
import { Ago } from "../../ui/ago.tsx";
import { incidentHref, SeverityMark } from "../incidents/incident_table.tsx";
import { scheduleHref } from "../run_links.ts";

/** What the observer last saw of a watched schedule. */
export interface ObservedSchedule {
  /** When it was last looked at, in milliseconds since 1970; null if never. */
  readonly looked: number | null;
  /** When the stored verdict was made; null before the first. */
  readonly judged: number | null;
  /** Why later looks failed; null if none did. */
  readonly failure: string | null;
  /** The plan that it is watched by, in words; null if none is confirmed. */
  readonly plan: string | null;
  /** What its statuses mean to the watch, in words. */
  readonly statuses: string;
  readonly incidents: readonly ObservedIncident[];
  /** Its newest incidents, including those that ended, newest first. */
  readonly marked: readonly ObservedIncident[];
}

interface ObservedIncident {
  readonly id: string;
  readonly severity: string;
  readonly summary: string;
  /** In milliseconds since 1970. */
  readonly opened: number;
}

/** Why a page shows another verdict than the stored one, by what it rests on. */
const OTHERWISE: Readonly<Record<string, string>> = {
  "newer-runs": "This page read newer runs than that look, and judged them itself.",
  "unseen-runs": "That look read runs that this page did not read, so the overview may differ.",
  "own-statuses": "This page uses your status meanings, the overview those of the watch:",
  outdated: "That verdict no longer holds, so this page judged the runs itself.",
};

/** When a watched schedule was looked at and judged, by which plan, and its open incidents. */
export function Observation({ observed, basis, scheduleId, now }: {
  readonly observed: ObservedSchedule;
  /** What the verdict on the page rests on; null where none is stored. */
  readonly basis: string | null;
  readonly scheduleId: number;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}) {
  const { looked, judged, failure, plan, statuses, incidents } = observed;
  return (
    <section class="observation" aria-label="Watching">
      <form method="post" action={`${scheduleHref(scheduleId)}/look`}>
        <span class="help">
          {looked === null ? "Not looked at yet" : (
            <>
              Last look <Ago at={looked} now={now} />
            </>
          )}
          {failure && `, then failed: ${failure}`}. {basis === "stored" && judged !== null && (
            <>
              Verdict made <Ago at={Math.min(judged, now)} now={now} />.{" "}
            </>
          )}
          {basis !== null && OTHERWISE[basis] && `${OTHERWISE[basis]} `}
          {basis === "own-statuses" && `${statuses}. `}
          Plan: {plan ? `${plan} (confirmed)` : "inferred from the runs"}.
        </span>{" "}
        <button type="submit" class="quiet">Look now</button>
      </form>
      {incidents.length > 0 && (
        <>
          <p>{formatCountOf(incidents.length, "open incident", "open incidents")}:</p>
          <ul>
            {incidents.map(({ id, severity, summary, opened }) => (
              <li key={id}>
                <SeverityMark severity={severity} />{" "}
                <a href={incidentHref(id)}>{summary}</a>, opened <Ago at={opened} now={now} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
