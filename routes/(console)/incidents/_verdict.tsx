/** What is wrong, since when and what to do, above the actions. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { Strip } from "../../../components/runs/charts/strip.tsx";
import { SeverityMark, stateWords } from "../../../components/runs/incidents/incident_rows.tsx";
import { peopleWords } from "../../../components/runs/incidents/incident_words.ts";
import { SilenceNote } from "../../../components/runs/incidents/silence.tsx";
import { ownerHref, SERVICE_PATH } from "../../../components/runs/run_links.tsx";
import { StateBadge, toneOf, VerdictPart } from "../../../components/runs/verdict/state_badge.tsx";
import { When } from "../../../components/ui/moment.tsx";
import { Now } from "../../../components/ui/zone.ts";
import { capitalized } from "../../../lib/format.ts";
import { headlineOfCode } from "../../../lib/judgement/headline.ts";
import type { loadIncident } from "../../../server/pages/incident.ts";

const BLINDING: ReadonlySet<string> = new Set(["unreadable", "stale", "behind"]);

export function IncidentVerdict({ data, evidence, children }: {
  readonly data: Awaited<ReturnType<typeof loadIncident>>;
  /** What stands beside the sentence, instead of the latest planned runs. */
  readonly evidence: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { row, known, planned, silences, nextStep, nextDue, owner } = data;
  const { code, severity, since, opened, resolved } = row;
  const headline = headlineOfCode(code);
  const meaning = resolved === null && peopleWords(known, useContext(Now));
  const when = (at: number) => <When at={at} />;
  return (
    <VerdictPart
      tone={resolved !== null ? "neutral" : headline ? toneOf(headline) : "bad"}
      label="What is wrong"
      sentence={meaning || `${capitalized(row.summary)}.`}
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
          <SilenceNote silence={silence} of={data.schedule} />
        </p>
      ))}
      {children}
    </VerdictPart>
  );
}
