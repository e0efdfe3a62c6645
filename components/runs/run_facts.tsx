import { formatDuration } from "../../lib/format.ts";
import type { JudgedPlan } from "../../lib/judgement/judge_schedule.ts";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import type { JudgedSlot } from "../../lib/judgement/slots.ts";
import { meaningOf, type StatusDictionary, type StatusMeaning } from "../../lib/runs/status.ts";
import type { ReportRun } from "../../lib/types.ts";
import { Fact } from "../ui/fact.tsx";
import { LoneMoment } from "../ui/moment.tsx";
import { formatRunValue, triggerLabel } from "./format.ts";
import { formatRunDuration } from "./search/run_table.tsx";

const SIGNS: Readonly<Record<StatusMeaning, string>> = { good: "✓", bad: "✕", neutral: "○" };

export function RunFacts({ run, dictionary }: {
  readonly run: ReportRun;
  readonly dictionary: StatusDictionary;
}) {
  const meaning = meaningOf(run.status, dictionary);
  return (
    <dl class="facts">
      <Fact name="Status">
        <span class={`status ${meaning}`}>
          <span aria-hidden="true">{SIGNS[meaning]}</span> {run.status || "no status"}
        </span>
      </Fact>
      <Fact name="Started">
        <LoneMoment at={run.startTime} />
      </Fact>
      <Fact name="Ended">
        <LoneMoment at={run.endTime} />
      </Fact>
      <Fact name="Duration">{formatRunDuration(run)}</Fact>
      <Fact name="Trigger">{triggerLabel(run.automated)}</Fact>
      <Fact name="Report">{withId(run.reportTitle, run.reportId)}</Fact>
      <Fact name="Subject">{run.reportSubject}</Fact>
      <Fact name="Resource">
        {withId([run.resourceType, run.resourceName].filter(Boolean).join(" "), run.resourceId)}
      </Fact>
      <Fact name="Owner">{run.ownerId}</Fact>
      <Fact name="Cards">{run.cardCount}</Fact>
      <Fact name="Attachments">{run.attachmentCount}</Fact>
      <Fact name="Attachment size">{formatRunValue("attachmentSize", run.attachmentSize)}</Fact>
      <Fact name="Email size">{formatRunValue("emailSize", run.emailSize)}</Fact>
      <Fact name="Recipient count">{run.recipientCount}</Fact>
      <Fact name="Run id">
        <code>{run.id}</code>
      </Fact>
    </dl>
  );
}

function withId(name: string | null | undefined, id: number | null | undefined) {
  return [name, typeof id === "number" && `(${id})`].filter(Boolean).join(" ");
}

const ON_TIME_MS = 60_000;

export function DueLine({ slot: { at, outcome, runs: [first] }, schedule: { plan, source } }: {
  readonly slot: JudgedSlot<ReportRun>;
  readonly schedule: Pick<JudgedPlan, "plan" | "source">;
}) {
  const lateMs = first.time - at;
  const late = lateMs < ON_TIME_MS ? "on time" : `${formatDuration(lateMs)} later`;
  return (
    <p>
      Due <LoneMoment at={at} />, started {late}
      {outcome === "late" && ", after the grace"}
      {outcome === "made-up" && ", by hand"}. Plan ({source}): {describePlan(plan)}.
    </p>
  );
}
