import { formatCount, formatCountOf, formatDuration } from "../../lib/format.ts";
import type { JudgedPlan } from "../../lib/judgement/judge_schedule.ts";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import type { JudgedSlot } from "../../lib/judgement/slots.ts";
import { meaningOf, type StatusDictionary, type StatusMeaning } from "../../lib/runs/status.ts";
import { statusTone } from "../ui/chart.tsx";
import type { Recipient, ReportRun } from "../../lib/types.ts";
import { Fact, LoneMoment, MISSING, ZoneName } from "../ui/moment.tsx";
import { formatDifference, formatRunValue, resultWords, triggerLabel } from "./format.ts";
import { formatRunDuration } from "./search/run_table.tsx";
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { compareRuns, type RunComparison } from "../../lib/runs/compare.ts";
import { type Column, DataTable } from "../ui/data_table.tsx";
import { RunLink } from "./run_links.tsx";
import { RUN_QUERY } from "../../lib/runs/run_search.ts";
import { fieldNamed } from "../../lib/search/query_table.ts";
import { Address, AddressesShown } from "./recipients/address.tsx";
import { MAX_LISTED, shownName } from "./recipients/recipient_choices.ts";
import { columnLabel } from "../search/search_words.ts";

const SIGNS: Readonly<Record<StatusMeaning, string>> = {
  good: "✓",
  bad: "✕",
  pending: "○",
  unknown: "?",
};

export function RunFacts({ run, dictionary }: {
  readonly run: ReportRun;
  readonly dictionary: StatusDictionary;
}) {
  const meaning = meaningOf(run.status, dictionary);
  return (
    <dl class="facts">
      <Fact name="Result">
        <span class={`status ${statusTone(meaning)}`}>
          <span aria-hidden="true">{SIGNS[meaning]}</span> {resultWords(run.status, dictionary)}
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
      {outcome === "by-hand" && ", by hand"}. Plan ({source}): {describePlan(plan)}.
    </p>
  );
}

export function Comparison({ before, after, scheduleId }: {
  readonly before: ReportRun;
  readonly after: ReportRun;
  readonly scheduleId: number;
}) {
  const comparison = compareRuns(before, after);
  const { changes, durations: [took, takes] } = comparison;
  const rows: readonly ComparedRow[] = [
    {
      name: "Started",
      before: <RunLink run={before} scheduleId={scheduleId} />,
      after: <RunLink run={after} scheduleId={scheduleId} />,
    },
    {
      name: "Duration",
      before: took === null ? MISSING : formatDuration(took),
      after: takes === null ? MISSING : formatDuration(takes),
      change: took === null || takes === null ? "unknown" : formatDifference(took, takes),
    },
    ...changes.map(({ field, before, after }) => ({
      name: columnLabel(RUN_QUERY, field),
      before: formatRunValue(field, before) || MISSING,
      after: formatRunValue(field, after) || MISSING,
      change: typeof before === "number" && typeof after === "number" &&
        fieldNamed(RUN_QUERY, field)?.kind !== "integer" && formatDifference(before, after),
    })),
  ];
  return (
    <>
      <DataTable
        name="Differences"
        caption="Differences between two runs"
        columns={COLUMNS}
        rows={rows}
      />
      <p class="help">
        Times in <ZoneName />
      </p>
      {changes.length === 0 && <p>No other differences.</p>}
      <RecipientChanges comparison={comparison} />
    </>
  );
}

interface ComparedRow {
  readonly name: string;
  readonly before: ComponentChildren;
  readonly after: ComponentChildren;
  readonly change?: string | false;
}

const COLUMNS: readonly Column<ComparedRow>[] = [
  { name: "Field", cell: ({ name }) => name },
  { name: "Before", cell: ({ before }) => before },
  { name: "After", cell: ({ after }) => after },
  { name: "Change", kind: "number", cell: ({ change = false }) => change },
];

function RecipientChanges({ comparison }: { readonly comparison: RunComparison }) {
  const isShown = useContext(AddressesShown);
  const { added, dropped, kept, changedAddresses } = comparison;
  if (!added || !dropped) {
    return <p>Recipients can't be compared: one of the runs does not list them.</p>;
  }
  const nameOf = ({ userId, displayName }: Recipient) =>
    shownName(displayName, isShown) || `user ${userId ?? "?"}`;
  const listed = (name: string, items: readonly ComponentChildren[]) =>
    items.length > 0 && (
      <>
        <h3>{name}</h3>
        <ul>
          {items.slice(0, MAX_LISTED).map((item, at) => <li key={at}>{item}</li>)}
          {items.length > MAX_LISTED && <li>and {formatCount(items.length - MAX_LISTED)} more</li>}
        </ul>
      </>
    );
  const addressOf = ({ emailAddress }: Recipient) => <Address address={emailAddress} />;
  const lineOf = (person: Recipient) => <>{nameOf(person)}, {addressOf(person)}</>;
  return (
    <>
      <p>
        {formatCountOf(kept ?? 0, "recipient", "recipients")} in both, {formatCount(added.length)}
        {" "}
        added, {formatCount(dropped.length)} removed.
      </p>
      {listed("Added", added.map(lineOf))}
      {listed("Removed", dropped.map(lineOf))}
      {listed(
        "Address changed",
        (changedAddresses ?? []).map(({ before, after }) => (
          <>{nameOf(after)}, from {addressOf(before)} to {addressOf(after)}</>
        )),
      )}
    </>
  );
}
