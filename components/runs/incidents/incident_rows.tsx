/** Open incidents as rows with their actions, as on Today. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { capitalized, formatCount } from "../../../lib/format.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { ActionForm } from "../../ui/action_form.tsx";
import { When } from "../../ui/moment.tsx";
import { KnownPerson } from "../../ui/reader.tsx";
import { withQuery } from "../../ui/query.ts";
import { Now } from "../../ui/zone.ts";
import { Strip } from "../charts/strip.tsx";
import { type ChannelRow, ChannelState, channelTone } from "../owners/channel_list.tsx";
import { incidentHref, runHref, scheduleHref, SERVICE_PATH } from "../run_links.tsx";
import { reasonMark } from "../verdict/state_badge.tsx";
import type { Silence } from "../../../lib/judgement/incidents/silence.ts";
import { peopleWords } from "./incident_words.ts";
import { SilenceNote } from "./silence.tsx";

/** An incident, and who was notified; times are milliseconds since 1970. */
export interface ShownIncident {
  readonly id: string;
  readonly scheduleId: number | null;
  readonly code: string;
  readonly reason: Pick<Reason, "code" | "severity">;
  /** What is wrong, such as `Failing for 7 runs`. */
  readonly summary: string;
  readonly since: number | null;
  readonly opened: number;
  readonly resolved: number | null;
  readonly acknowledgedBy: string | null;
  readonly name: string;
  readonly owner: string;
  /** The run that it names, for an incident of the service. */
  readonly run: { readonly scheduleId: number; readonly runId: number } | null;
  /** Its schedule's latest planned runs. */
  readonly planned: readonly PlannedRun[];
  /** When its schedule was last sent, and to how many people; null if unknown. */
  readonly lastSuccess: number | null;
  readonly people: number | null;
  /** The people it is about, as long as nobody has decided about them. */
  readonly undecided: readonly string[];
  readonly sent: readonly { readonly outlet: string; readonly at: number }[];
  /** The channels that still have to send messages about it, or failed. */
  readonly unsent: readonly ChannelRow[];
  readonly silences: readonly Silence[];
}

/** Open incidents of one cause. */
export interface ShownGroup {
  readonly code: string;
  readonly severity: string;
  readonly count: number;
  readonly since: number | null;
  /** Some of the schedules. */
  readonly named: readonly { readonly scheduleId: number; readonly name: string }[];
}

export function IncidentRow({ row, next }: {
  readonly row: ShownIncident;
  /** The page to return to. */
  readonly next: string;
}) {
  const { id, scheduleId, name, owner, summary, since, opened, resolved, acknowledgedBy } = row;
  const [sign, tone] = resolved === null ? reasonMark(row.reason) : ["✓", "neutral"];
  const about = `${name}: ${summary}`;
  const isAboutRecipient = ["outside-recipient", "leaver-recipient"].includes(row.code);
  const people = resolved === null && peopleWords(row, useContext(Now));
  return (
    <article>
      <span class={`sign ${tone}`} aria-hidden="true">{sign}</span>
      <div class="name">
        <h3>
          <a href={incidentHref(id)}>{name}</a>
        </h3>
        <small>{scheduleId}</small>
      </div>
      <p>
        {people && [<b key="people">{people}</b>, " "]}
        {capitalized(summary)}.
        {row.code === "unknown-status" && <UnknownStatus run={row.run} />}
      </p>
      <p class="help">
        {since !== null && ["Since ", <When key="since" at={since} />, ", "]}
        found <When at={opened} />
        {resolved !== null && [", over ", <When key="over" at={resolved} />]}
        {resolved === null && acknowledgedBy && ` · acknowledged by ${acknowledgedBy}`}
        {owner && ` · ${owner}`}
        {row.silences.map((
          each,
        ) => [" · ", <SilenceNote key={each.kind} silence={each} of={about} />])}
      </p>
      {resolved === null && <Notified {...row} />}
      {row.planned.length > 0 && <Strip planned={row.planned} />}
      {resolved === null && !acknowledgedBy && (
        <ActionForm action={incidentHref(id)} class="actions" values={{ next }}>
          <KnownPerson />
          {isAboutRecipient
            ? <a class="button" href={incidentHref(id)}>Expected?</a>
            : (
              <button type="submit" name="action" value="acknowledge">
                Acknowledge<span class="unseen">: {about}</span>
              </button>
            )}
          <details class="menu">
            <summary class="icon" aria-label={`More for ${about}`}>⋯</summary>
            <div class="card">
              {isAboutRecipient && (
                <button type="submit" class="quiet" name="action" value="acknowledge">
                  Acknowledge<span class="unseen">: {about}</span>
                </button>
              )}
              <button type="submit" class="quiet" name="action" value="mute">
                Mute 24 h<span class="unseen">: {about}</span>
              </button>
            </div>
          </details>
        </ActionForm>
      )}
    </article>
  );
}

/** What is said of several schedules with the same cause. */
const CAUSES: Readonly<Record<string, string>> = {
  failing: "reports failed",
  overdue: "reports have not started",
  "empty-delivery": "reports delivered nothing",
  "sent-to-nobody": "reports went to nobody",
  "outside-recipient": "reports went outside",
  "leaver-recipient": "reports go to somebody who left",
  missed: "reports did not run",
  "size-jump": "reports changed in size",
  slower: "reports take longer",
  "recipients-dropped": "reports lost recipients",
  "sent-twice": "reports were sent more than once",
  flaky: "reports fail now and then",
  "started-by-hand": "reports are started by hand",
  late: "reports are late",
  stuck: "reports do not end",
  unreadable: "schedules can't be read",
};

export function GroupRow({ group, now, next }: {
  readonly group: ShownGroup;
  readonly now: number;
  readonly next: string;
}) {
  const { code, severity, count, since, named } = group;
  const [sign, tone] = reasonMark({ code, severity } as Pick<Reason, "code" | "severity">);
  const href = withQuery("/incidents", new URLSearchParams({ code }));
  const title = `${formatCount(count)} ${CAUSES[code] ?? `incidents: ${code}`}`;
  return (
    <article>
      <span class={`sign ${tone}`} aria-hidden="true">{sign}</span>
      <div class="name">
        <h3>
          <a href={href}>{title}</a>
        </h3>
      </div>
      <p>
        {since !== null && (
          <>
            {code === "overdue" ? "Due since" : "Since"} <When at={since} />
            {code === "overdue" ? ": the scheduler? " : ". "}
          </>
        )}
        {named.map(({ scheduleId, name }, at) => [
          at > 0 && ", ",
          <a key={scheduleId} href={scheduleHref(scheduleId)}>{name}</a>,
        ])}
        {count > named.length &&
          [" and ", <a key="more" href={href}>{formatCount(count - named.length)} more</a>]}
      </p>
      <AcknowledgeAll {...{ code, now, next }}>
        Acknowledge {formatCount(count)}
        <span class="unseen">: {title}</span>
      </AcknowledgeAll>
    </article>
  );
}

/** Acknowledges the open incidents of a cause. */
export function AcknowledgeAll({ code, now, next, children }: {
  readonly code: string;
  readonly now: number;
  readonly next: string;
  readonly children: ComponentChildren;
}) {
  return (
    <ActionForm
      action="/incidents"
      class="actions"
      // What opened later is not acknowledged unseen.
      values={{ next, code, until: now }}
    >
      <KnownPerson />
      <button type="submit" name="action" value="acknowledge">{children}</button>
    </ActionForm>
  );
}

function UnknownStatus({ run }: Pick<ShownIncident, "run">) {
  return (
    <>
      {" "}
      <a href={SERVICE_PATH}>Say what it means</a>
      {run &&
        [", or ", <a key="run" href={runHref(run.scheduleId, run.runId)}>look at the run</a>]}.
    </>
  );
}

function Notified({ sent, unsent }: Pick<ShownIncident, "sent" | "unsent">) {
  const now = useContext(Now);
  if (sent.length + unsent.length === 0) return null;
  return (
    <p class="help">
      {sent.length > 0 && "Notified: "}
      {sent.map(({ outlet, at }, place) => (
        <span key={outlet}>
          {place > 0 && ", "}
          {outlet} <When at={at} />
        </span>
      ))}
      {sent.length > 0 && ". "}
      {unsent.length > 0 && "Not notified: "}
      {unsent.map((channel, place) => (
        <span
          key={channel.outlet}
          class={channelTone(channel, now) === "bad" ? "status bad" : undefined}
        >
          {place > 0 && ", "}
          {channel.label}, <ChannelState channel={channel} />
        </span>
      ))}
      {unsent.length > 0 && "."}
    </p>
  );
}

export function SeverityMark({ severity }: { readonly severity: string }) {
  const isCritical = severity === "critical";
  return (
    <span class={`status ${isCritical ? "bad" : "drift"}`}>
      {isCritical ? "⚠" : "◆"} {capitalized(severity)}
    </span>
  );
}

/** The state of an incident in words, such as `not acknowledged`. */
export function stateWords(
  { code, resolved, acknowledgedBy }: Pick<ShownIncident, "code" | "resolved" | "acknowledgedBy">,
): string {
  if (resolved) return "resolved";
  if (acknowledgedBy) return `acknowledged by ${acknowledgedBy}`;
  return code === "missed" ? "over, not acknowledged" : "not acknowledged";
}
