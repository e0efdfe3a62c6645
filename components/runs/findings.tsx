import type { Finding, FindingKind } from "../../lib/runs/check.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatCountOf } from "../ui/format.ts";
import { Moment, ZoneName } from "../ui/moment.tsx";
import { compareHref, runHref } from "./view.ts";

/** The most findings on a page. */
const MOST = 500;

const KINDS: Readonly<Record<FindingKind, string>> = {
  "repeated-id": "an id that repeats",
  "no-start": "a missing start",
  "no-end": "a missing end, unless the run may still be going",
  "end-before-start": "an end before the start",
  "overlap": "runs that overlap",
  "recipient-count": "a count of recipients that is not that of the list",
  "repeated-recipient": "a recipient that is listed twice",
  "no-recipients": "an empty list of recipients",
  "no-attachments": "no attachments where nearly all other runs have some",
  "attachment-size": "a size of attachments that does not go with their count",
  "size-jump": "a size three times as large or small as in the runs before",
};

/** What does not add up, each with its run. */
export function FindingTable({ findings, scheduleId }: {
  readonly findings: readonly Finding<ReportRun>[];
  readonly scheduleId: number;
}) {
  return (
    <>
      <div class="scroll" role="region" aria-label="Findings" tabIndex={0}>
        <table>
          <caption class="unseen">
            Findings, times in <ZoneName />
          </caption>
          <thead>
            <tr>
              <th scope="col">
                run <ZoneName />
              </th>
              <th scope="col">finding</th>
              <th scope="col">beside</th>
            </tr>
          </thead>
          <tbody>
            {findings.slice(0, MOST).map(({ kind, run, other, message }, at) => (
              <tr key={at}>
                <th scope="row">
                  <a href={runHref(scheduleId, run.id)}>
                    {run.startTime ? <Moment at={run.startTime} /> : `run ${run.id}`}
                  </a>
                </th>
                <td class="why" data-kind={kind}>{message}</td>
                <td>
                  {other && other.id !== run.id && (
                    <a href={compareHref(scheduleId, other.id, run.id)}>Compare</a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {findings.length > MOST && (
        <p>
          The {formatCountOf(findings.length - MOST, "other", "others")} are not shown.
        </p>
      )}
    </>
  );
}

/** What is looked for. */
export function CheckedFor() {
  return (
    <details>
      <summary>What is looked for</summary>
      <ul>{Object.entries(KINDS).map(([kind, words]) => <li key={kind}>{words}</li>)}</ul>
    </details>
  );
}
