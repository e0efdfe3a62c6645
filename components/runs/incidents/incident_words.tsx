import { formatWhen } from "../../../lib/moments.ts";
import type { Silence } from "../../../lib/judgement/incidents/incident.ts";
import { ActionForm, OperatorsOnly } from "../../ui/form.tsx";
import { formatSpan, useMoment } from "../../ui/moment.tsx";
import { incidentHref } from "../run_links.tsx";
import { formatCountOf } from "../../../lib/format.ts";

/** Id of the form that the buttons of all rows share. */
const ROW_FORM = "row-actions";

export function RowForm() {
  return <ActionForm id={ROW_FORM} action="/incidents" />;
}

/** Who silenced something and until when, and a button that ends that; `of` names it. */
export function SilenceNote({ silence, of }: { readonly silence: Silence; readonly of: string }) {
  const { kind, from, until, person, note } = silence;
  const { now, zone } = useMoment();
  const why = [person, note && `“${note}”`].filter(Boolean).join(": ");
  const end = until === null ? "further notice" : formatWhen(until, now, zone);
  const start = from === undefined || from <= now ? "" : ` from ${formatWhen(from, now, zone)}`;
  const isMuted = kind === "muted";
  return (
    <>
      {`${kind}${start} until ${end}${why && ` (${why})`}`}{" "}
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

/**
 * What a code means for people, such as `7 people have had no report for 7 days.`, or `Rowan Pike
 * gets this report.`
 */
export function peopleWords(
  { code, lastSuccess, people, undecided = [] }: {
    readonly code: string;
    /** When the last good run started, and how many people received it; null if unknown. */
    readonly lastSuccess: number | null;
    readonly people: number | null;
    /** Whom it is about, as long as nobody has decided about them. */
    readonly undecided?: readonly string[];
  },
  now: number,
): string {
  const who = people ? formatCountOf(people, "person", "people") : "";
  const [is, has] = people === 1 ? ["is", "has"] : ["are", "have"];
  switch (code) {
    case "overdue":
      return who && `${who} ${is} waiting.`;
    case "failing": {
      if (lastSuccess === null) return "";
      const span = formatSpan(now - lastSuccess);
      return who ? `${who} ${has} had no report for ${span}.` : `Nothing was sent for ${span}.`;
    }
    case "missed":
    case "sent-to-nobody":
      return who && `${who} did not get it.`;
    case "empty-delivery":
      return who && `${who} got it.`;
    case "outside-recipient":
    case "leaver-recipient":
      return receiverWords(undecided);
    default:
      return "";
  }
}

function receiverWords(names: readonly string[]): string {
  if (names.length === 0) return "";
  const [first, second] = names;
  if (names.length === 1) return `${first} gets this report.`;
  return `${first} and ${names.length === 2 ? second : "others"} get this report.`;
}
