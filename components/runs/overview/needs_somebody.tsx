import { formatCount } from "../../../lib/format.ts";
import { Ago, Day } from "../../ui/ago.tsx";
import { Moment } from "../../ui/moment.tsx";
import { PersonField } from "../../ui/reader.tsx";
import { incidentHref } from "../incidents/incident_table.tsx";
import type { Tone } from "../verdict/state_badge.tsx";

/** An open incident, and who was sent it; times are milliseconds since 1970. */
export interface AttentionRow {
  readonly id: string;
  readonly scheduleId: number | null;
  /** The name and the owner of its schedule. */
  readonly name: string;
  readonly owner: string;
  readonly summary: string;
  readonly mark: readonly [sign: string, tone: Tone];
  readonly since: number | null;
  readonly opened: number;
  readonly acknowledgedBy: string | null;
  readonly acknowledged: number | null;
  readonly sent: readonly { readonly outlet: string; readonly at: number }[];
  readonly waiting: readonly { readonly outlet: string; readonly since: number | null }[];
}

/** What is muted or paused, until when, and who wanted that. */
export interface SilencedRow {
  readonly kind: "muted" | "paused";
  readonly name: string;
  readonly href: string;
  /** Null for no end. */
  readonly until: number | null;
  /** Who did it and why; empty where that is not known. */
  readonly person: string;
  readonly note: string;
  /** What ends it: an incident and an action on its page. */
  readonly end: { readonly incidentId: string; readonly action: string } | null;
}

export interface AttentionList<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/** Id of the form that the fields of all rows belong to. */
const FORM = "take-care";

/** The open incidents that nobody takes care of, then a line for each other kind. */
export function NeedsSomebody({ needed, acknowledged, silenced, person, now, next }: {
  readonly needed: AttentionList<AttentionRow>;
  readonly acknowledged: AttentionList<AttentionRow>;
  readonly silenced: AttentionList<SilencedRow>;
  /** The name that somebody gave last in this browser. */
  readonly person: string;
  readonly now: number;
  readonly next: string;
}) {
  const hasActions = needed.total > 0 || silenced.items.some(({ end }) => end !== null);
  return (
    <section class="needs" aria-labelledby="needs">
      <h2 id="needs">Needs somebody{needed.total > 0 && ` (${formatCount(needed.total)})`}</h2>
      <div class="group">
        {needed.total === 0 && <p class="help">Nothing needs somebody now.</p>}
        {needed.items.map((row) => <Incident key={row.id} row={row} now={now} />)}
        {needed.total > needed.items.length && (
          <p>
            <a href="/incidents?state=open">
              All {formatCount(needed.total + acknowledged.total)} open incidents
            </a>
          </p>
        )}
        {acknowledged.total > 0 && (
          <p class="fold">
            {formatCount(acknowledged.total)} acknowledged:{" "}
            {acknowledged.items.map(({ id, name, summary, acknowledgedBy, acknowledged }, at) => (
              <span key={id}>
                {at > 0 && " · "}
                <a href={incidentHref(id)}>{name}</a>, {summary} ({acknowledgedBy}
                {acknowledged !== null && (
                  <>
                    , <Day at={acknowledged} now={now} />
                  </>
                )})
              </span>
            ))}
          </p>
        )}
        {silenced.total > 0 && (
          <p class="fold">
            {formatCount(silenced.total)} muted or paused:{" "}
            {silenced.items.map((row, at) => (
              <span key={row.href}>
                {at > 0 && " · "}
                <Silenced row={row} />
              </span>
            ))}
          </p>
        )}
        {hasActions && (
          <form id={FORM} method="post" action="/incidents">
            <input type="hidden" name="next" value={next} />
            <input type="hidden" name="span" value="1d" />
            {/* Keeps Enter from acknowledging the first incident. */}
            <button type="submit" disabled hidden />
            <PersonField value={person} recorded="with each action" />
          </form>
        )}
      </div>
    </section>
  );
}

function Incident({ row, now }: { readonly row: AttentionRow; readonly now: number }) {
  const { id, scheduleId, name, owner, summary, mark: [sign, tone], since, opened } = row;
  const action = { id, of: `${name}: ${summary}` };
  return (
    <article>
      <span class={`status ${tone}`} aria-hidden="true">{sign}</span>
      <h3>
        <a href={incidentHref(id)}>{name}</a>{" "}
        <small class="help">{[scheduleId, owner].filter(Boolean).join(" · ")}</small>
      </h3>
      <p>
        {summary}
        {since !== null && (
          <small class="help">
            , since <Day at={since} now={now} />
          </small>
        )}
        <small class="help">
          , noticed <Ago at={opened} now={now} />
        </small>
      </p>
      <Deliveries row={row} />
      <span class="row">
        <Action {...action} action="acknowledge" words="Acknowledge" />
        <Action {...action} action="mute" words="Mute for a day" />
      </span>
    </article>
  );
}

function Deliveries({ row: { sent, waiting } }: { readonly row: AttentionRow }) {
  if (sent.length + waiting.length === 0) return null;
  return (
    <p class="help">
      {sent.length > 0 && "Sent: "}
      {sent.map(({ outlet, at }, place) => (
        <span key={outlet}>
          {place > 0 && ", "}
          {outlet} <Moment at={at} />
        </span>
      ))}
      {sent.length > 0 && ". "}
      {waiting.length > 0 && (
        <span class="status bad">
          Not sent: {waiting.map(({ outlet, since }, place) => (
            <span key={outlet}>
              {place > 0 && ", "}
              {outlet}
              {since !== null && (
                <>
                  , failing since <Moment at={since} />
                </>
              )}
            </span>
          ))}.
        </span>
      )}
    </p>
  );
}

function Silenced({ row }: { readonly row: SilencedRow }) {
  const { kind, name, href, until, person, note, end } = row;
  const why = [person, note && `“${note}”`].filter(Boolean).join(": ");
  return (
    <>
      <a href={href}>{name}</a>, {kind}
      {until === null ? " until further notice" : (
        <>
          {" until "}
          <Moment at={until} />
        </>
      )}
      {why && ` (${why})`} {end && (
        <Action
          id={end.incidentId}
          of={name}
          action={end.action}
          words={kind === "muted" ? "Unmute" : "Resume"}
        />
      )}
    </>
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
      form={FORM}
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
