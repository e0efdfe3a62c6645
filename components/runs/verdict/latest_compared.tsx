/** The last success beside the latest run, where that one was no success. */
import type { ComponentChildren } from "preact";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import { countRecipients } from "../../../lib/runs/recipients.ts";
import type { StatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { MISSING } from "../../ui/moment.tsx";
import { formatRunValue, resultWords } from "../format.ts";
import { RunLink } from "../run_links.tsx";
import { formatRunDuration } from "../search/run_table.tsx";

export function LatestCompared({ verdict: { health }, scheduleId, statuses }: {
  readonly verdict: Pick<Verdict, "health">;
  readonly scheduleId: number;
  readonly statuses: StatusDictionary;
}) {
  const { lastGood, latest, streak } = health;
  if (!lastGood || !latest || streak?.meaning !== "bad") return null;
  const both = [lastGood, latest];
  const heading = (name: string, run: ReportRun) => (
    <th scope="col" class="number">
      {name} <RunLink {...{ run, scheduleId }} />
    </th>
  );
  const row = (name: string, cell: (run: ReportRun) => ComponentChildren) => {
    const [before, after] = both.map(cell);
    return (
      <tr>
        <th scope="row">{name}</th>
        <td class="number">{before ?? MISSING}</td>
        <td class={before === after ? "number" : "number other"}>{after ?? MISSING}</td>
      </tr>
    );
  };
  return (
    <table class="compared">
      <caption class="unseen">The last success and the latest run</caption>
      <thead>
        <tr>
          <th scope="col">Compared</th>
          {heading("Last success", lastGood)}
          {heading("Latest run", latest)}
        </tr>
      </thead>
      <tbody>
        {row("Result", ({ status }) => resultWords(status, statuses))}
        {row("Attachments", attachments)}
        {row("Email size", ({ emailSize }) => formatRunValue("emailSize", emailSize) || null)}
        {row("Duration", formatRunDuration)}
        {row("Recipients", (run) => {
          const count = countRecipients(run);
          return count === null ? null : formatCount(count);
        })}
      </tbody>
    </table>
  );
}

function attachments({ attachmentCount, attachmentSize }: ReportRun): string | null {
  if (attachmentCount === 0) return "none";
  const files = typeof attachmentCount === "number" &&
    formatCountOf(attachmentCount, "file", "files");
  const bytes = formatRunValue("attachmentSize", attachmentSize);
  return [files, bytes].filter(Boolean).join(", ") || null;
}
