import { FormKey } from "../../ui/form_key.tsx";
import { capitalized, formatCount, formatCountOf } from "../../../lib/format.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import { Day, formatSpan, When } from "../../ui/moment.tsx";
import { ForActing, PersonField, useMayAct } from "../../ui/reader.tsx";
import { incidentHref, type IncidentRow } from "../incidents/incident_table.tsx";
import { type ChannelRow, ChannelState, channelTone } from "../owners/channel_list.tsx";
import { Strip } from "../charts/strip.tsx";
import { SERVICE_PATH } from "../run_links.tsx";
import { ROW_FORM, type Silence, SilenceNote } from "../incidents/silence.tsx";
import type { Tone } from "../verdict/state_badge.tsx";

/** An open incident, and who was sent it; times are milliseconds since 1970. */
export interface AttentionRow
  extends Pick<IncidentRow, "id" | "code" | "summary" | "since" | "opened" | "acknowledgedBy"> {
  readonly scheduleId: number | null;
  /** The run that it names, for an incident of the service. */
  readonly runHref: string | null;
  readonly name: string;
  readonly owner: string;
  readonly mark: readonly [sign: string, tone: Tone];
  readonly acknowledged: number | null;
  readonly sent: readonly { readonly outlet: string; readonly at: number }[];
  /** The outlets that still have to send messages about it, or gave up. */
  readonly unsent: readonly ChannelRow[];
  /** Its schedule's latest planned runs. */
  readonly planned: readonly PlannedRun[];
  /** When its schedule was last sent, and to how many people; null if unknown. */
  readonly lastSuccess: number | null;
  readonly people: number | null;
}

export interface SilencedRow {
  readonly name: string;
  readonly href: string;
  readonly silence: Silence;
}

export interface AttentionList<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

export function NeedsSomebody(
  { needed, ownedByLeavers, acknowledged, silenced, unread, person, now, next }: {
    readonly needed: AttentionList<AttentionRow>;
    readonly ownedByLeavers: AttentionList<{ readonly name: string; readonly href: string }>;
    readonly acknowledged: AttentionList<AttentionRow>;
    readonly silenced: AttentionList<SilencedRow>;
    /** How much was not read yet, so that nobody knows whether it needs attention. */
    readonly unread: "all" | "some" | "none";
    readonly person: string;
    readonly now: number;
    readonly next: string;
  },
) {
  const hasActions = useMayAct() && (needed.total > 0 || silenced.total > 0);
  return (
    <section class="needs" aria-labelledby="needs">
      <div class="group">
        <div class="heading">
          <h2 id="needs">
            Needs attention{" "}
            {needed.total > 0 && <span class="help">{formatCount(needed.total)}</span>}
          </h2>
          <a href="/incidents?state=open">All incidents</a>
        </div>
        {needed.total + ownedByLeavers.total === 0 && <p class="help">{CALM[unread]}</p>}
        {needed.items.map((row) => <Incident key={row.id} row={row} now={now} />)}
        {needed.total > needed.items.length && (
          <p>
            <a href="/incidents?state=open">
              All {formatCount(needed.total + acknowledged.total)} open incidents
            </a>
          </p>
        )}
        {ownedByLeavers.total > 0 && (
          <p>
            Owned in the service by somebody who left:{" "}
            {ownedByLeavers.items.map(({ name, href }, at) => [
              at > 0 && " · ",
              <a key={href} href={href}>{name}</a>,
            ])}
            {ownedByLeavers.total > ownedByLeavers.items.length &&
              ` and ${formatCount(ownedByLeavers.total - ownedByLeavers.items.length)} more`}
          </p>
        )}
        {acknowledged.total > 0 && (
          <p class="fold">
            {formatCount(acknowledged.total)} acknowledged:{" "}
            {acknowledged.items.map(({ id, name, summary, acknowledgedBy, acknowledged }, at) => (
              <span key={id}>
                {at > 0 && " · "}
                <a href={incidentHref(id)}>{name}</a>, {summary} ({acknowledgedBy}
                {acknowledged !== null && [", ", <Day key="day" at={acknowledged} now={now} />]})
              </span>
            ))}
          </p>
        )}
        {silenced.total > 0 && (
          <p class="fold">
            {formatCount(silenced.total)} muted or paused:{" "}
            {silenced.items.map((row, at) => (
              <span key={`${row.silence.kind} ${row.href}`}>
                {at > 0 && " · "}
                <a href={row.href}>{row.name}</a>,{" "}
                <SilenceNote silence={row.silence} of={row.name} now={now} />
              </span>
            ))}
          </p>
        )}
        {hasActions && (
          <form id={ROW_FORM} method="post" action="/incidents">
            <FormKey />
            <input type="hidden" name="next" value={next} />
            <input type="hidden" name="span" value="1d" />
            {/* Keeps Enter from acknowledging the first incident. */}
            <button type="submit" disabled hidden />
            <PersonField value={person} />
          </form>
        )}
      </div>
    </section>
  );
}

const CALM = {
  all: "Nothing was read yet.",
  some: "Nothing that was read so far needs attention.",
  none: "Nothing needs attention now.",
} as const;

function Incident({ row, now }: { readonly row: AttentionRow; readonly now: number }) {
  const { id, scheduleId, name, owner, summary, mark: [sign, tone], since, opened } = row;
  const action = { id, of: `${name}: ${summary}` };
  const people = peopleWords(row, now);
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
        {people && (
          <>
            <b>{people}</b>
            {" "}
          </>
        )}
        {capitalized(summary)}.
        {row.code === "unknown-status" && (
          <>
            {" "}
            <a href={SERVICE_PATH}>Say what it means</a>
            {row.runHref && (
              <>
                , or <a href={row.runHref}>look at the run</a>
              </>
            )}
            .
          </>
        )}
      </p>
      <p class="help">
        {since !== null && (
          <>
            Since <When at={since} now={now} />
            {", "}
          </>
        )}
        found <When at={opened} now={now} />
        {owner && ` · ${owner}`}
      </p>
      <Deliveries row={row} now={now} />
      {row.planned.length > 0 && <Strip planned={row.planned} />}
      <ForActing>
        <span class="actions">
          <Action {...action} action="acknowledge" words="Acknowledge" />
          <details class="menu">
            <summary class="icon" aria-label={`More for ${action.of}`}>⋯</summary>
            <span class="card">
              <Action {...action} action="mute" words="Mute 24 h" />
            </span>
          </details>
        </span>
      </ForActing>
    </article>
  );
}

/** Who has no report because of it, such as `7 people have had no report for 7 days.` */
function peopleWords({ code, people, lastSuccess }: AttentionRow, now: number): string | null {
  if (!people) return null;
  if (code === "overdue") return `${formatCountOf(people, "person is", "people are")} waiting.`;
  if (code !== "failing" || lastSuccess === null) return null;
  const have = formatCountOf(people, "person has", "people have");
  return `${have} had no report for ${formatSpan(now - lastSuccess)}.`;
}

function Deliveries(
  { row: { sent, unsent }, now }: { readonly row: AttentionRow; readonly now: number },
) {
  if (sent.length + unsent.length === 0) return null;
  const when = (at: number) => <When at={at} now={now} />;
  return (
    <p class="help">
      {sent.length > 0 && "Sent: "}
      {sent.map(({ outlet, at }, place) => (
        <span key={outlet}>
          {place > 0 && ", "}
          {outlet} {when(at)}
        </span>
      ))}
      {sent.length > 0 && ". "}
      {unsent.length > 0 && "Not sent: "}
      {unsent.map((channel, place) => (
        <span
          key={channel.outlet}
          class={channelTone(channel, now) === "bad" ? "status bad" : undefined}
        >
          {place > 0 && ", "}
          {channel.label}, <ChannelState channel={channel} now={now} />
        </span>
      ))}
      {unsent.length > 0 && "."}
    </p>
  );
}

function Action({ id, of, action, words }: {
  readonly id: string;
  readonly of: string;
  readonly action: string;
  readonly words: string;
}) {
  return (
    <button
      type="submit"
      form={ROW_FORM}
      formaction={incidentHref(id)}
      name="action"
      value={action}
      class={action === "acknowledge" ? undefined : "quiet"}
    >
      {words}
      <span class="unseen">: {of}</span>
    </button>
  );
}
