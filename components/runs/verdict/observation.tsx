import { FormKey } from "../../ui/form_key.tsx";
import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { ForActing, useMayAct } from "../../ui/reader.tsx";
import { Ago, Day } from "../../ui/moment.tsx";
import { formatLoaded } from "../format.ts";
import { SeverityMark, type ShownIncident } from "../incidents/incident_rows.tsx";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
import { SilenceNote } from "../incidents/silence.tsx";
import { incidentHref, scheduleHref } from "../run_links.tsx";

export interface ObservedSchedule {
  readonly polled: number | null;
  readonly isDue: boolean;
  readonly silences: readonly Silence[];
  readonly failure: string | null;
  readonly incidents: readonly ObservedIncident[];
}

type ObservedIncident = Pick<ShownIncident, "id" | "summary" | "since" | "opened"> & {
  readonly severity: string;
};

export function Observation({ observed, loaded, basis, scheduleId, now }: {
  readonly observed: ObservedSchedule;
  readonly loaded: LoadedRuns;
  /** Whether the verdict is the stored one; null if none is stored. */
  readonly basis: "stored" | "computed" | null;
  readonly scheduleId: number;
  readonly now: number;
}) {
  const { polled, isDue, silences, failure, incidents } = observed;
  const ago = (at: number) => <Ago at={at} now={now} />;
  const checked = (
    <span class="help">
      {loaded.runs.length > 0 && `${formatLoaded(loaded)} `}
      {polled === null
        ? <span data-busy data-announced>The first check is in progress</span>
        : isDue
        ? <span data-busy data-announced>Checking</span>
        : <>Checked {ago(polled)}</>}
      {failure && `, then failed: ${failure}`}. {basis === "computed" &&
        "This verdict is from the runs that you can read, so Today " +
          "may show another. "}
    </span>
  );
  return (
    <section class="observation" aria-label="Watching">
      {useMayAct()
        ? (
          <form method="post" action={`${scheduleHref(scheduleId)}/check-now`}>
            <FormKey />
            {checked}
            <button type="submit" class="quiet">Check now</button>
          </form>
        )
        : checked}
      {silences.map((silence) => (
        <p key={silence.kind} class="incidents capital">
          <SilenceNote silence={silence} of={`Schedule ${scheduleId}`} now={now} />
        </p>
      ))}
      {incidents.length > 0 && (
        <ul class="incidents plain" aria-label="Open incidents">
          {incidents.map(({ id, severity, summary, since, opened }) => (
            <li key={id}>
              <SeverityMark severity={severity} /> <a href={incidentHref(id)}>{summary}</a>
              {since !== null && [", since ", <Day key="day" at={since} now={now} />]}, found{" "}
              {ago(opened)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export interface RunOwner {
  /** The owner of the newest run, by name or user id. */
  readonly name: string;
  readonly hasLeft: boolean;
  /** The previous owner, and when that changed, in milliseconds since 1970. */
  readonly before: { readonly name: string; readonly until: number } | null;
  /** Whether they can be set as owner: the schedule is watched and has none. */
  readonly canBeSet: boolean;
}

export function RunOwnerLine({ owner, scheduleId, now }: {
  readonly owner: RunOwner;
  readonly scheduleId: number;
  readonly now: number;
}) {
  const { name, hasLeft, before, canBeSet } = owner;
  return (
    <form method="post" action="/schedules/watch" class="help">
      <FormKey />
      Owner in the service: {name}
      {hasLeft && <strong class="status bad">, who left</strong>}
      {before &&
        [", since ", <Day key="since" at={before.until} now={now} />, `; before: ${before.name}`]}
      {" "}
      {canBeSet && (
        <ForActing>
          <input type="hidden" name="next" value={scheduleHref(scheduleId)} />
          <input type="hidden" name="id" value={scheduleId} />
          <input type="hidden" name="owner" value={name} />
          <button type="submit" name="action" value="owner" class="quiet">Set as owner</button>
        </ForActing>
      )}
    </form>
  );
}
