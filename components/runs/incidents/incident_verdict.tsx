import type { ComponentChildren } from "preact";
import { headlineOfCode } from "../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import { When } from "../../ui/moment.tsx";
import { Strip } from "../charts/strip.tsx";
import { ownerHref, SERVICE_PATH } from "../run_links.tsx";
import { StateBadge, toneOf } from "../verdict/state_badge.tsx";
import { VerdictPart } from "../verdict/verdict_part.tsx";
import { SeverityMark, type ShownIncident, stateWords } from "./incident_rows.tsx";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
import { peopleWords, recipientWords } from "./incident_words.ts";
import { SilenceNote } from "./silence.tsx";

const BLINDING: ReadonlySet<string> = new Set(["unreadable", "stale", "behind"]);

/** What is wrong, since when and what to do, above the actions. */
export function IncidentVerdict(
  {
    row,
    known,
    names,
    schedule,
    owner,
    nextStep,
    nextDue,
    planned,
    silences,
    evidence,
    now,
    children,
  }: {
    readonly row:
      & Pick<
        ShownIncident,
        "code" | "summary" | "since" | "opened" | "resolved" | "acknowledgedBy"
      >
      & { readonly severity: string };
    readonly known: Parameters<typeof peopleWords>[0];
    /** The people whom an incident about recipients is about. */
    readonly names: readonly string[];
    readonly schedule: string;
    readonly owner: string;
    readonly nextStep: string;
    readonly nextDue: number | null;
    readonly planned: readonly PlannedRun[];
    readonly silences: readonly Silence[];
    /** What stands beside the sentence, instead of the latest planned runs. */
    readonly evidence: ComponentChildren;
    readonly now: number;
    readonly children: ComponentChildren;
  },
) {
  const { code, severity, since, opened, resolved } = row;
  const headline = headlineOfCode(code);
  const meaning = resolved === null && (recipientWords(names) || peopleWords(known, now));
  const when = (at: number) => <When at={at} now={now} />;
  return (
    <VerdictPart
      tone={resolved !== null ? "neutral" : headline ? toneOf(headline) : "bad"}
      label="What is wrong"
      sentence={meaning || `${row.summary}.`}
      evidence={evidence || planned.length > 0 && (
            <figure class="last-planned">
              <figcaption>Last planned runs</figcaption>
              <Strip planned={planned} />
            </figure>
          )}
    >
      <p class="row">
        {headline && <StateBadge headline={headline} />}{" "}
        <span>
          <SeverityMark severity={severity} />, {stateWords(row)}
          {resolved !== null && <>{" "}{when(resolved)}</>}
        </span>
      </p>
      {resolved === null && BLINDING.has(code) && (
        <p>Until this ends, Docket can't say whether reports go out.</p>
      )}
      {nextStep && (
        <p>{code === "unknown-status" ? <a href={SERVICE_PATH}>{nextStep}</a> : nextStep}</p>
      )}
      <p class="help">
        {since === null ? "Found" : <>Since {when(since)}, found</>} {when(opened)}.{" "}
        {known.lastSuccess !== null && <>Last sent {when(known.lastSuccess)}.{" "}</>}
        {nextDue !== null && <>Next run {when(nextDue)}.{" "}</>}
        {owner && ["Owned by ", <a key="owner" href={ownerHref(owner)}>{owner}</a>, "."]}
      </p>
      {silences.map((silence) => (
        <p key={`${silence.incidentId} ${silence.kind}`} class="capital">
          <SilenceNote silence={silence} of={schedule} now={now} />
        </p>
      ))}
      {children}
    </VerdictPart>
  );
}
