import type { ComponentChildren } from "preact";
import { meaningOf, type StatusDictionary } from "../../lib/runs/status.ts";
import type { ReportRun } from "../../lib/types.ts";
import { formatBytes } from "../ui/format.ts";
import { LoneMoment, Missing } from "../ui/moment.tsx";
import { triggerWords } from "./row.ts";
import { StatusMark } from "./status_mark.tsx";
import { Duration } from "./table.tsx";

/** Every field of a run but its recipients. */
export function RunFacts({ run, dictionary }: {
  readonly run: ReportRun;
  readonly dictionary: StatusDictionary;
}) {
  return (
    <dl class="facts">
      <Fact name="status">
        <StatusMark status={run.status} meaning={meaningOf(run.status, dictionary)} />
      </Fact>
      <Fact name="started">
        <LoneMoment at={run.startTime} />
      </Fact>
      <Fact name="ended">
        <LoneMoment at={run.endTime} />
      </Fact>
      <Fact name="duration">
        <Duration run={run} />
      </Fact>
      <Fact name="trigger">{triggerWords(run.automated)}</Fact>
      <Fact name="report">{withId(run.reportTitle, run.reportId)}</Fact>
      <Fact name="subject">{run.reportSubject}</Fact>
      <Fact name="resource">
        {withId([run.resourceType, run.resourceName].filter(Boolean).join(" "), run.resourceId)}
      </Fact>
      <Fact name="owner">{run.ownerId}</Fact>
      <Fact name="cards">{run.cardCount}</Fact>
      <Fact name="attachments">{run.attachmentCount}</Fact>
      <Fact name="attachment size">{bytes(run.attachmentSize)}</Fact>
      <Fact name="e-mail size">{bytes(run.emailSize)}</Fact>
      <Fact name="recipients counted">{run.recipientCount}</Fact>
      <Fact name="run id">
        <code>{run.id}</code>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  const missing = children === null || children === undefined || children === "";
  return (
    <div>
      <dt>{name}</dt>
      <dd>{missing ? <Missing /> : children}</dd>
    </div>
  );
}

function withId(name: string | null | undefined, id: number | null | undefined) {
  return [name, typeof id === "number" && `(${id})`].filter(Boolean).join(" ");
}

function bytes(size: number | null | undefined) {
  return typeof size === "number" ? formatBytes(size) : null;
}
