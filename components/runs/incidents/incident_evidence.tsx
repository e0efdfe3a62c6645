import { evidenceFacts } from "../../../lib/runs/judge/evidence_words.ts";
import type { Reason } from "../../../lib/runs/judge/reason.ts";
import { LoneMoment } from "../../ui/moment.tsx";

/** The numbers and runs behind an incident. */
export function IncidentEvidence({ code, evidence, runs, scheduleId }: {
  /** Of the incident's reason. */
  readonly code: string;
  readonly evidence: Reason["evidence"];
  readonly runs: readonly number[];
  readonly scheduleId: number | null;
}) {
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <dl class="facts">
        {evidenceFacts({ code, evidence }).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === "string" ? value : <LoneMoment at={value.at} />}</dd>
          </div>
        ))}
        {runs.length > 0 && (
          <div>
            <dt>Runs</dt>
            <dd>
              {runs.map((run, at) => (
                <span key={run}>
                  {at > 0 && ", "}
                  <a href={`/schedules/${scheduleId}/runs/${run}`}>{run}</a>
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
