import { formatCount, formatDuration } from "../../../lib/format.ts";
import { LoneMoment } from "../../ui/moment.tsx";

/** The numbers behind an incident, by their names. */
export type Evidence = readonly (readonly [
  name: string,
  value: number | string | boolean | null,
])[];

/** Numbers from here on are times: 2001 and later, in milliseconds. */
const FIRST_MOMENT = 1e12;

export function IncidentEvidence({ evidence, runs, scheduleId }: {
  readonly evidence: Evidence;
  readonly runs: readonly number[];
  readonly scheduleId: number | null;
}) {
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <dl class="facts">
        {evidence.map(([name, value]) => (
          <div key={name}>
            <dt>{wordsOf(name)}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
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

function Value({ name, value }: { readonly name: string; readonly value: Evidence[number][1] }) {
  if (typeof value === "boolean") return <>{value ? "yes" : "no"}</>;
  if (value === null) return <>not known</>;
  if (typeof value === "string") return <>{value}</>;
  if (name.endsWith("Ms")) return <>{formatDuration(value)}</>;
  if (value >= FIRST_MOMENT) return <LoneMoment at={value} />;
  return <>{formatCount(value)}</>;
}

function wordsOf(name: string): string {
  const words = name.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}
