import { formatCount } from "../../../lib/format.ts";
import { Day, When } from "../../ui/moment.tsx";
import { PersonField, useMayAct } from "../../ui/reader.tsx";
import { incidentHref, type IncidentRow } from "../incidents/incident_table.tsx";
import { type ChannelRow, ChannelState, channelTone } from "../owners/channel_list.tsx";
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
      <h2 id="needs">Needs somebody{needed.total > 0 && ` (${formatCount(needed.total)})`}</h2>
      <div class="group">
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
  const when = (at: number) => <When at={at} now={now} />;
  return (
    <article>
      <span class={`status ${tone}`} aria-hidden="true">{sign}</span>
      <h3>
        <a href={incidentHref(id)}>{name}</a>{" "}
        <small class="help">{[scheduleId, owner].filter(Boolean).join(" · ")}</small>
      </h3>
      <p>
        {summary}
        {row.code === "unknown-status" && (
          <>
            . <a href={SERVICE_PATH}>Say what it means</a>
            {row.runHref && (
              <>
                , or <a href={row.runHref}>look at the run</a>
              </>
            )}
          </>
        )}
        {since !== null && <small class="help">, began {when(since)}</small>}
        <small class="help">, noticed {when(opened)}</small>
      </p>
      <Deliveries row={row} now={now} />
      <span class="row">
        <Action {...action} action="acknowledge" words="Acknowledge" />
        <Action {...action} action="mute" words="Mute for a day" />
      </span>
    </article>
  );
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
  if (!useMayAct()) return null;
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
