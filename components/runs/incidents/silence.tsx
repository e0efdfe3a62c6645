import { formatWhen } from "../../../lib/moments.ts";
import type { Silence } from "../../../lib/judgement/incidents/incident.ts";
import { ActionForm, OperatorsOnly } from "../../ui/acting.tsx";
import { useMoment } from "../../ui/moment.tsx";
import { incidentHref } from "../run_links.tsx";

/** Id of the form that the buttons of all rows share. */
const ROW_FORM = "row-actions";

export function RowForm({ next }: { readonly next: string }) {
  return <ActionForm id={ROW_FORM} action="/incidents" values={{ next }} />;
}

export function SilenceText({ silence }: { readonly silence: Silence }) {
  const { kind, from, until, person, note } = silence;
  const { now, zone } = useMoment();
  const why = [person, note && `“${note}”`].filter(Boolean).join(": ");
  const end = until === null ? "further notice" : formatWhen(until, now, zone);
  const start = from === undefined || from <= now ? "" : ` from ${formatWhen(from, now, zone)}`;
  return <>{`${kind}${start} until ${end}${why && ` (${why})`}`}</>;
}

export function SilenceNote({ silence, of }: { readonly silence: Silence; readonly of: string }) {
  const isMuted = silence.kind === "muted";
  return (
    <>
      <SilenceText silence={silence} />{" "}
      <OperatorsOnly>
        <button
          type="submit"
          class="quiet"
          form={ROW_FORM}
          formaction={silence.incidentId === null
            ? `/schedules/watch?id=${silence.scheduleId}`
            : incidentHref(silence.incidentId)}
          formnovalidate
          name="action"
          value={isMuted ? "unmute" : "resume"}
        >
          {isMuted ? "Unmute" : "Resume"} <span class="unseen">{of}</span>
        </button>
      </OperatorsOnly>
    </>
  );
}
