import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { FormKey } from "../../ui/form_key.tsx";
import { Ago } from "../../ui/moment.tsx";
import { ForActing, KnownPerson, useMayAct } from "../../ui/reader.tsx";
import { formatLoaded } from "../format.ts";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
import type { ShownIncident } from "../incidents/incident_rows.tsx";
import { SilenceNote } from "../incidents/silence.tsx";
import { incidentHref, scheduleHref } from "../run_links.tsx";

export interface ObservedSchedule {
  readonly polled: number | null;
  readonly isDue: boolean;
  readonly silences: readonly Silence[];
  readonly failure: string | null;
  readonly incidents: readonly Pick<
    ShownIncident,
    "id" | "summary" | "opened" | "acknowledgedBy"
  >[];
}

/** What watching found: open incidents with what can be done about them, and the last check. */
export function Observation({ observed, loaded, basis, scheduleId, now }: {
  readonly observed: ObservedSchedule;
  readonly loaded: LoadedRuns;
  /** Whether the verdict is the stored one; null if none is stored. */
  readonly basis: "stored" | "computed" | null;
  readonly scheduleId: number;
  readonly now: number;
}) {
  const { polled, isDue, silences, failure, incidents } = observed;
  const next = scheduleHref(scheduleId);
  const checked = (
    <span class="help">
      {loaded.runs.length > 0 && `${formatLoaded(loaded)} `}
      {polled === null
        ? <span data-busy data-announced>The first check is in progress</span>
        : isDue
        ? <span data-busy data-announced>Checking</span>
        : (
          <>
            Checked <Ago at={polled} now={now} />
          </>
        )}
      {failure && `, then failed: ${failure}`}. {basis === "computed" &&
        "This verdict is from the runs that you can read, so Today " +
          "may show another. "}
    </span>
  );
  return (
    <section class="observation" aria-label="Watching">
      {incidents.length > 0 && (
        <ul class="incidents plain" aria-label="Open incidents">
          {incidents.map(({ id, summary, opened, acknowledgedBy }, place) => (
            <li key={id}>
              <form method="post" action={incidentHref(id)} class="row">
                <FormKey />
                {!acknowledgedBy && (
                  <ForActing>
                    <input type="hidden" name="next" value={next} />
                    <KnownPerson />
                    <button
                      type="submit"
                      name="action"
                      value="acknowledge"
                      class={place === 0 ? "main" : undefined}
                    >
                      Acknowledge<span class="unseen">: {summary}</span>
                    </button>
                  </ForActing>
                )} <a href={incidentHref(id)}>{summary}</a>{" "}
                <span class="help">
                  found <Ago at={opened} now={now} />
                  {acknowledgedBy && `, acknowledged by ${acknowledgedBy}`}
                </span>
              </form>
            </li>
          ))}
        </ul>
      )}
      {silences.map((silence) => (
        <p key={silence.kind} class="incidents capital">
          <SilenceNote silence={silence} of={`Schedule ${scheduleId}`} now={now} />
        </p>
      ))}
      {useMayAct()
        ? (
          <form method="post" action={`${next}/check-now`}>
            <FormKey />
            {checked}
            <button type="submit" class="quiet">Check now</button>
          </form>
        )
        : checked}
    </section>
  );
}
