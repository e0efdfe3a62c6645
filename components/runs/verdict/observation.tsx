import type { LoadedRuns } from "../../../lib/runs/load_runs.ts";
import { capitalized } from "../../../lib/format.ts";
import { ActionForm } from "../../ui/action_form.tsx";
import { Ago } from "../../ui/moment.tsx";
import { KnownPerson } from "../../ui/reader.tsx";
import { formatLoaded } from "../format.ts";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
import { SilenceNote } from "../incidents/silence.tsx";
import { incidentHref, scheduleHref } from "../run_links.tsx";

export interface ObservedSchedule {
  readonly polled: number | null;
  readonly isDue: boolean;
  readonly silences: readonly Silence[];
  readonly failure: string | null;
  readonly incidents: readonly {
    readonly id: string;
    readonly summary: string;
    readonly opened: number;
    readonly acknowledgedBy: string | null;
  }[];
}

/** What watching found: open incidents with what can be done about them, and the last check. */
export function Observation({ observed, loaded, basis, scheduleId }: {
  readonly observed: ObservedSchedule;
  readonly loaded: LoadedRuns;
  /** Whether the verdict is the stored one; null if none is stored. */
  readonly basis: "stored" | "computed" | null;
  readonly scheduleId: number;
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
            Checked <Ago at={polled} />
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
        <ul class="plain" aria-label="Open incidents">
          {incidents.map(({ id, summary, opened, acknowledgedBy }, place) => (
            <li key={id} class="row">
              {!acknowledgedBy && (
                <ActionForm action={incidentHref(id)} values={{ next }}>
                  <KnownPerson />
                  <button
                    type="submit"
                    name="action"
                    value="acknowledge"
                    class={place === 0 ? "main" : undefined}
                  >
                    Acknowledge<span class="unseen">: {summary}</span>
                  </button>
                </ActionForm>
              )} <a href={incidentHref(id)}>{capitalized(summary)}</a>{" "}
              <span class="help">
                found <Ago at={opened} />
                {acknowledgedBy && `, acknowledged by ${acknowledgedBy}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {silences.map((silence) => (
        <p key={silence.kind} class="capital">
          <SilenceNote silence={silence} of={`Schedule ${scheduleId}`} />
        </p>
      ))}
      <div class="row">
        {checked}
        <ActionForm action="/schedules/watch" values={{ next, id: scheduleId }}>
          <button type="submit" class="quiet" name="action" value="check">Check now</button>
        </ActionForm>
      </div>
    </section>
  );
}
