import { formatBytes, formatCount, formatDuration } from "../../../lib/format.ts";
import { LoneMoment } from "../../ui/moment.tsx";

/** The numbers behind an incident, by their names. */
export type Evidence = readonly (readonly [
  name: string,
  value: number | string | boolean | null,
])[];

/** Numbers from here on are times: 2001 and later, in milliseconds. */
const FIRST_MOMENT = 1e12;

/** What is counted, by the code of the reason. */
const COUNTED: Readonly<Record<string, string>> = {
  failing: "Failed runs",
  overdue: "Overdue runs",
  missed: "Missed runs",
  late: "Late runs",
  "made-up-by-hand": "Runs repaired by hand",
  "unknown-status": "Runs with this status",
  "outside-recipient": "New external recipients",
  "recipients-dropped": "Runs with fewer recipients",
  "sent-to-nobody": "Runs sent to nobody",
  "hollow-success": "Runs without content",
  clock: "Runs with impossible times",
  inconsistent: "Inconsistencies",
};

/** Names that do not say by themselves what they are. */
const NAMES: Readonly<Record<string, string>> = {
  recent: "Of these, recent",
  confirmed: "Plan",
  reachesBack: "May have begun earlier",
  lastGood: "Last success",
  latest: "Latest was due",
  next: "Next run due",
  of: "Of the latest runs",
  failed: "Failed runs",
  openMs: "Open for",
  usualMs: "Usual duration",
  longestMs: "Longest duration",
  outliers: "Much longer runs",
  gone: "No longer has",
};

export function IncidentEvidence({ code, evidence, runs, scheduleId }: {
  /** Of the incident's reason. */
  readonly code: string;
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
            <dt>{(name === "count" ? COUNTED[code] : NAMES[name]) ?? wordsOf(name)}</dt>
            <dd>
              <Value code={code} name={name} value={value} />
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

function Value({ code, name, value }: {
  readonly code: string;
  readonly name: string;
  readonly value: Evidence[number][1];
}) {
  if (name === "confirmed") return <>{value ? "confirmed" : "inferred"}</>;
  if (typeof value === "boolean") return <>{value ? "yes" : "no"}</>;
  if (value === null) return <>not known</>;
  if (typeof value === "string") return <>{name === "field" ? wordsOf(value) : value}</>;
  const isChange = name === "before" || name === "after";
  if (isChange && code === "size-jump") return <>{formatBytes(value)}</>;
  if (isChange && code === "slower") return <>{formatDuration(value)}</>;
  if (name.endsWith("Ms")) return <>{formatDuration(value)}</>;
  if (value >= FIRST_MOMENT) return <LoneMoment at={value} />;
  return <>{formatCount(Math.round(value * 10) / 10)}</>;
}

function wordsOf(name: string): string {
  const words = name.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}
