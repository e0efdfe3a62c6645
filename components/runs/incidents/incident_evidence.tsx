import { evidenceFacts } from "../../../lib/judgement/evidence_words.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { Fact } from "../../ui/fact.tsx";
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
          <Fact key={name} name={name}>
            {typeof value === "string" ? value : <LoneMoment at={value.at} />}
          </Fact>
        ))}
        {runs.length > 0 && (
          <Fact name="Runs">
            {runs.map((run, at) => (
              <span key={run}>
                {at > 0 && ", "}
                <a href={`/schedules/${scheduleId}/runs/${run}`}>{run}</a>
              </span>
            ))}
          </Fact>
        )}
      </dl>
    </section>
  );
}
