import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { Ago, Day } from "../../ui/ago.tsx";
import { formatLoaded } from "../format.ts";
import { incidentHref, type IncidentRow, SeverityMark } from "../incidents/incident_table.tsx";
import { scheduleHref } from "../run_links.ts";

/** What the observer last saw of a watched schedule. */
export interface ObservedSchedule {
  /** When it was last looked at, in milliseconds since 1970; null if never. */
  readonly looked: number | null;
  /** When the stored verdict was made; null before the first. */
  readonly judged: number | null;
  /** Why later looks failed; null if none did. */
  readonly failure: string | null;
  /** What its statuses mean to the watch, in words. */
  readonly statuses: string;
  readonly incidents: readonly ObservedIncident[];
  /** Its newest incidents, including those that ended, newest first. */
  readonly marked: readonly ObservedIncident[];
}

type ObservedIncident = Pick<IncidentRow, "id" | "severity" | "summary" | "since" | "opened">;

const UNREAD = "That look read runs that this page did not read, so the overview may differ.";
/** Why a page shows another verdict than the stored one, by what it rests on. */
export const OTHERWISE: Readonly<Record<string, string>> = {
  "newer-runs": "This page read newer runs than that look, and judged them itself.",
  "unseen-runs": UNREAD,
  "fewer-runs":
    "The service lists fewer runs to you than that look judged. It may have dropped old " +
    "ones. So this page judged the runs itself.",
  "own-statuses": "This page uses your status meanings, the overview those of the watch:",
  outdated: "That verdict no longer holds, so this page judged the runs itself.",
};

/** A verdict this much older than the last look is worth a sentence. */
const OLD_MS = 60_000;

/** What a watched schedule's verdict rests on, when it was looked at, and its open incidents. */
export function Observation({ observed, loaded, basis, scheduleId, now }: {
  readonly observed: ObservedSchedule;
  readonly loaded: LoadedRuns;
  /** What the verdict on the page rests on; null where none is stored. */
  readonly basis: string | null;
  readonly scheduleId: number;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}) {
  const { looked, judged, failure, statuses, incidents } = observed;
  const isOld = basis === "stored" && judged !== null && looked !== null &&
    looked - judged >= OLD_MS;
  const otherwise = basis === "fewer-runs" && loaded.older ? UNREAD : OTHERWISE[basis ?? ""];
  return (
    <section class="observation" aria-label="Watching">
      <form method="post" action={`${scheduleHref(scheduleId)}/look`}>
        <span class="help">
          {loaded.runs.length > 0 && `${formatLoaded(loaded)} `}
          {looked === null ? "Not looked at yet" : (
            <>
              Last look <Ago at={looked} now={now} />
            </>
          )}
          {failure && `, then failed: ${failure}`}. {isOld && (
            <>
              Verdict made <Ago at={Math.min(judged, now)} now={now} />.{" "}
            </>
          )}
          {otherwise && `${otherwise} `}
          {basis === "own-statuses" && `${statuses}. `}
        </span>
        <button type="submit" class="quiet">Look now</button>
      </form>
      {incidents.length > 0 && (
        <ul class="plain" aria-label="Open incidents">
          {incidents.map(({ id, severity, summary, since, opened }) => (
            <li key={id}>
              <SeverityMark severity={severity} /> <a href={incidentHref(id)}>{summary}</a>
              {since !== null && (
                <>
                  , since <Day at={since} now={now} />
                </>
              )}, opened <Ago at={opened} now={now} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
