import type { ComponentChildren } from "preact";
import { type ComparedField, compareRuns } from "../../lib/runs/compare.ts";
import type { Recipient, ReportRun } from "../../lib/types.ts";
import { formatBytes, formatCountOf, formatDuration } from "../ui/format.ts";
import { Missing, Moment, ZoneName } from "../ui/moment.tsx";
import { Address } from "./address.tsx";
import { shownName } from "./recipient_choices.ts";
import { triggerWords } from "./row.ts";
import { changeWords } from "./words.ts";
import { runHref } from "./view.ts";

/** What differs between two runs: times, the fields that changed, and who was added or dropped. */
export function Comparison({ before, after, scheduleId, addressesShown }: {
  readonly before: ReportRun;
  readonly after: ReportRun;
  readonly scheduleId: number;
  readonly addressesShown: boolean;
}) {
  const { changes, durations, added, dropped, kept } = compareRuns(before, after);
  return (
    <>
      <div class="scroll" role="region" aria-label="What changed" tabIndex={0}>
        <table class="comparison">
          <caption class="unseen">
            What changed between two runs, times in <ZoneName />
          </caption>
          <thead>
            <tr>
              <th scope="col">what</th>
              <th scope="col">before</th>
              <th scope="col">after</th>
              <th scope="col">change</th>
            </tr>
          </thead>
          <tbody>
            <Row
              name="started"
              before={<StartLink run={before} scheduleId={scheduleId} />}
              after={<StartLink run={after} scheduleId={scheduleId} />}
            />
            <Row
              name="duration"
              before={duration(durations[0])}
              after={duration(durations[1])}
              change={durations[0] !== null && durations[1] !== null
                ? changeWords(durations[0], durations[1])
                : "not known"}
            />
            {changes.map(({ field, before, after }) => (
              <Row
                key={field}
                name={FIELD_WORDS[field]}
                before={fieldValue(field, before)}
                after={fieldValue(field, after)}
                change={typeof before === "number" && typeof after === "number" && !isId(field)
                  ? changeWords(before, after)
                  : undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
      {changes.length === 0 && <p>No other field differs.</p>}
      {added === null || dropped === null
        ? <p>A run without a list of recipients can't be compared by them.</p>
        : (
          <>
            <p>
              {formatCountOf(kept ?? 0, "recipient", "recipients")} in both, {added.length} added,
              {" "}
              {dropped.length} dropped.
            </p>
            <People name="Added" people={added} addressesShown={addressesShown} />
            <People name="Dropped" people={dropped} addressesShown={addressesShown} />
          </>
        )}
    </>
  );
}

function Row({ name, before, after, change }: {
  readonly name: string;
  readonly before: ComponentChildren;
  readonly after: ComponentChildren;
  readonly change?: string;
}) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{before}</td>
      <td>{after}</td>
      <td>{change}</td>
    </tr>
  );
}

function StartLink(
  { run, scheduleId }: { readonly run: ReportRun; readonly scheduleId: number },
) {
  return (
    <a href={runHref(scheduleId, run.id)}>
      {run.startTime ? <Moment at={run.startTime} /> : `run ${run.id}`}
    </a>
  );
}

function People({ name, people, addressesShown }: {
  readonly name: string;
  readonly people: readonly Recipient[];
  readonly addressesShown: boolean;
}) {
  if (people.length === 0) return null;
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {people.map(({ userId, displayName, emailAddress }, at) => (
          <li key={at}>
            {(addressesShown ? displayName : shownName(displayName)) || `user ${userId ?? "?"}`}
            {", "}
            <Address address={emailAddress} shown={addressesShown} />
          </li>
        ))}
      </ul>
    </>
  );
}

const FIELD_WORDS: Readonly<Record<ComparedField, string>> = {
  status: "status",
  automated: "trigger",
  reportTitle: "report",
  reportSubject: "subject",
  reportId: "report id",
  cardCount: "cards",
  attachmentCount: "attachments",
  attachmentSize: "attachment size",
  emailSize: "e-mail size",
  recipientCount: "recipients counted",
  resourceType: "resource type",
  resourceName: "resource",
  resourceId: "resource id",
  ownerId: "owner",
};

function isId(field: ComparedField): boolean {
  return field === "reportId" || field === "resourceId" || field === "ownerId";
}

function fieldValue(field: ComparedField, value: string | number | boolean | null) {
  if (value === null || value === "") return <Missing />;
  if (typeof value === "boolean") return triggerWords(value);
  if (field === "attachmentSize" || field === "emailSize") return formatBytes(Number(value));
  return String(value);
}

function duration(ms: number | null) {
  return ms === null ? <Missing /> : formatDuration(ms);
}
