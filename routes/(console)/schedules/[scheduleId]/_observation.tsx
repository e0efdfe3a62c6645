import { capitalized } from "../../../../lib/format.ts";
import { ActionForm } from "../../../../components/ui/form.tsx";
import { Ago } from "../../../../components/ui/moment.tsx";
import { formatLoaded } from "../../../../components/runs/run_words.tsx";
import { SilenceNote } from "../../../../components/runs/incidents/incident_words.tsx";
import { incidentHref } from "../../../../components/runs/run_links.tsx";
import { RowActions } from "../../incidents/_incident_rows.tsx";
import type { loadScheduleOverview } from "../../../../server/pages/schedule.ts";

type Loaded = Awaited<ReturnType<typeof loadScheduleOverview>>;

/** What watching found: open incidents with what can be done about them, and the last check. */
export function Observation({ observed, loaded, scheduleId }:
  & Pick<Loaded, "loaded" | "scheduleId">
  & { readonly observed: NonNullable<Loaded["observed"]> }) {
  const { polled, isDue, silences, failure, incidents } = observed;
  const checked = (
    <span class="help">
      {loaded.runs.length > 0 && formatLoaded(loaded)} {polled === null
        ? failure
          ? "Not read yet"
          : <span data-busy data-announced>The first check is in progress</span>
        : isDue
        ? <span data-busy data-announced>Checking</span>
        : (
          <>
            Checked <Ago at={polled} />
          </>
        )}.
    </span>
  );
  return (
    <section class="stack observation" aria-label="Watching">
      {incidents.length > 0 && (
        <ul class="plain" aria-label="Open incidents">
          {incidents.map(({ id, code, summary, opened, acknowledgedBy }, place) => (
            <li key={id} class="row">
              {!acknowledgedBy && (
                <RowActions {...{ id, code }} about={summary} isMain={place === 0} />
              )}{" "}
              <a href={incidentHref(id)}>
                {incidents.length > 1 ? capitalized(summary) : "Open the incident"}
              </a>{" "}
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
        <ActionForm action="/schedules/watch" values={{ id: scheduleId }}>
          <button type="submit" class="quiet" name="action" value="check">Check now</button>
        </ActionForm>
      </div>
    </section>
  );
}
