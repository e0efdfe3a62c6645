/** Runs side by side, such as the last success and the latest run; one if there is none before. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";
import { durationOf } from "../../../lib/runs/times.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { MISSING, useMoment } from "../../ui/moment.tsx";
import { formatRunValue, resultWords, Statuses } from "../run_words.tsx";
import { runHref, runMoment } from "../run_links.tsx";
import { formatRunDuration } from "../search/run_table.tsx";

export function ComparedRuns({ runs, names, scheduleId }: {
  readonly runs: readonly ReportRun[];
  readonly names: readonly string[];
  readonly scheduleId: number;
}) {
  const { now, zone } = useMoment();
  const statuses = useContext(Statuses);
  const row = (
    name: string,
    cell: (run: ReportRun) => ComponentChildren,
    measure: (run: ReportRun) => unknown = cell,
  ) => (
    <tr>
      <th scope="row">{name}</th>
      {runs.map((run, at) => {
        const isOther = at > 0 && isFar(measure(runs[0]), measure(run));
        return <td key={at} class={isOther ? "number other" : "number"}>{cell(run) ?? MISSING}</td>;
      })}
    </tr>
  );
  return (
    <table class="compared">
      <caption class="unseen">{names.join(" and ")}</caption>
      <thead>
        <tr>
          {runs.length > 1 ? <th scope="col">Compared</th> : <td />}
          {runs.map((run, at) => (
            <th key={at} scope="col" class="number">
              {names[at]} <a href={runHref(scheduleId, run.id)}>{runMoment(run, now, zone)}</a>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row("Result", (run) => resultWords(run, statuses))}
        {row(
          "Attachments",
          attachments,
          ({ attachmentCount, attachmentSize }) =>
            attachmentCount === 0 ? 0 : attachmentSize ?? attachmentCount,
        )}
        {row(
          "Email size",
          ({ emailSize }) => formatRunValue("emailSize", emailSize) || null,
          ({ emailSize }) => emailSize,
        )}
        {row("Duration", formatRunDuration, durationOf)}
        {row("Recipients", (run) => {
          const count = countRecipients(run);
          return count === null ? null : formatCount(count);
        })}
      </tbody>
    </table>
  );
}

/** Sizes and durations are never the same, so they differ if one is more than twice the other. */
function isFar(before: unknown, after: unknown): boolean {
  return typeof before === "number" && typeof after === "number"
    ? Math.max(before, after) > 2 * Math.min(before, after)
    : (before ?? null) !== (after ?? null);
}

function attachments({ attachmentCount, attachmentSize }: ReportRun): string | null {
  if (attachmentCount === 0) return "none";
  const files = typeof attachmentCount === "number" &&
    formatCountOf(attachmentCount, "file", "files");
  const bytes = formatRunValue("attachmentSize", attachmentSize);
  return [files, bytes].filter(Boolean).join(", ") || null;
}
