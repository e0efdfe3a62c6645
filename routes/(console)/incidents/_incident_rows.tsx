/** Open incidents as rows with their actions, as on Today. */
import type { ComponentChildren } from "preact";
import { capitalized, formatCount } from "../../../lib/format.ts";
import { ActionForm, PersonField } from "../../../components/ui/form.tsx";
import { useMoment, When } from "../../../components/ui/moment.tsx";
import { Menu, separated } from "../../../components/ui/section.tsx";
import { Strip } from "../../../components/runs/charts/strip.tsx";
import { ChannelState, channelTone } from "../../../components/runs/owners/channel_list.tsx";
import {
  incidentHref,
  runHref,
  scheduleHref,
  SERVICE_PATH,
} from "../../../components/runs/run_links.tsx";
import { reasonMark } from "../../../components/runs/verdict/state_badge.tsx";
import type { loadIncidentRows, loadNeeded } from "../../../server/pages/incidents.ts";
import { peopleWords, SilenceNote } from "../../../components/runs/incidents/incident_words.tsx";

type Row = Awaited<ReturnType<typeof loadIncidentRows>>[number];
/** Open incidents of one cause. */
type Group = NonNullable<Awaited<ReturnType<typeof loadNeeded>>["items"][number]["group"]>;

/** What one click does with an open incident; of one about people, its page asks of each. */
export function RowActions({ id, code, about, isMain = false }: {
  readonly id: string;
  readonly code: string;
  /** What it is about, for screen readers. */
  readonly about: string;
  readonly isMain?: boolean;
}) {
  const isAboutPeople = code === "outside-recipient" || code === "leaver-recipient";
  const button = (action: string, words: string, look?: string) => (
    <button type="submit" class={look} name="action" value={action}>
      {words} <span class="unseen">{about}</span>
    </button>
  );
  return (
    <ActionForm action={incidentHref(id)} class="line actions">
      {isAboutPeople
        ? <a class={isMain ? "button main" : "button"} href={incidentHref(id)}>Expected?</a>
        : button("acknowledge", "Acknowledge", isMain ? "main" : undefined)}
      <Menu label={`More for ${about}`}>
        {isAboutPeople && button("acknowledge", "Acknowledge", "quiet")}
        {button("mute", "Mute 24 h", "quiet")}
      </Menu>
    </ActionForm>
  );
}

export function IncidentRow({ row }: { readonly row: Row }) {
  const { id, scheduleId, name, owner, summary, since, opened, resolved, acknowledgedBy, run } =
    row;
  const [sign, tone] = resolved === null ? reasonMark(row.reason) : ["✓", "neutral"];
  const about = `${name}: ${summary}`;
  const people = resolved === null && peopleWords(row, useMoment().now);
  return (
    <article>
      <span class={`sign ${tone}`} aria-hidden="true">{sign}</span>
      <div class="line name">
        <h3>
          <a href={incidentHref(id)}>
            {name} <span class="unseen">{summary}</span>
          </a>
        </h3>
        <small>{scheduleId}</small>
      </div>
      <p>
        {people && [<b key="people">{people}</b>, " "]}
        {capitalized(summary)}.
        {row.code === "unknown-status" && resolved === null && (
          <>
            {" "}
            <a href={SERVICE_PATH}>Say what it means</a>
            {run &&
              [
                ", or ",
                <a key="run" href={runHref(run.scheduleId, run.runId)}>look at the run</a>,
              ]}.
          </>
        )}
      </p>
      <p class="help">
        {since !== null && ["Since ", <When key="since" at={since} />, ", "]}
        found <When at={opened} />
        {resolved !== null && [", over ", <When key="over" at={resolved} />]}
        {resolved === null && acknowledgedBy && ` · acknowledged by ${acknowledgedBy}`}
        {owner && ` · ${owner}`}
        {row.silences.map((silence) => [
          " · ",
          <SilenceNote
            key={`${silence.incidentId} ${silence.kind}`}
            silence={silence}
            of={silence.incidentId === null ? name : about}
          />,
        ])}
        {resolved === null && <Notified {...row} />}
      </p>
      {row.planned.length > 0 && <Strip planned={row.planned} />}
      {resolved === null && !acknowledgedBy && <RowActions {...{ id, about }} code={row.code} />}
    </article>
  );
}

/** What is said of several schedules with the same cause. */
const CAUSES: Readonly<Partial<Record<Group["code"], string>>> = {
  failing: "reports failed",
  overdue: "reports have not started",
  "empty-delivery": "reports lacked content",
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
  stuck: "reports do not end",
  unreadable: "schedules can't be read",
};

export function GroupRow({ group, now }: { readonly group: Group; readonly now: number }) {
  const { code, count, schedules, since, named } = group;
  const [sign, tone] = reasonMark(group);
  const href = `/incidents?${new URLSearchParams({ code })}`;
  const title = `${formatCount(schedules)} ${CAUSES[code] ?? `incidents: ${code}`}`;
  return (
    <article>
      <span class={`sign ${tone}`} aria-hidden="true">{sign}</span>
      <div class="line name">
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
        {separated(
          named.map(({ scheduleId, name }) => (
            <a key={scheduleId} href={scheduleHref(scheduleId)}>{name}</a>
          )),
        )}
        {schedules > named.length &&
          [" and ", <a key="more" href={href}>{formatCount(schedules - named.length)} more</a>]}
      </p>
      <AcknowledgeAll {...{ code, now }} of="schedules">
        Acknowledge {formatCount(count)} <span class="unseen">incidents, {title}</span>
      </AcknowledgeAll>
    </article>
  );
}

/** Acknowledges the open incidents of a cause, all or those of schedules. */
export function AcknowledgeAll({ code, of, now, children }: {
  readonly code: string;
  readonly of?: "schedules";
  readonly now: number;
  readonly children: ComponentChildren;
}) {
  return (
    <ActionForm
      action="/incidents"
      class="line actions"
      // What opened later is not acknowledged unseen.
      values={{ code, of, until: now }}
    >
      {!of && <PersonField />}
      <button type="submit" name="action" value="acknowledge">{children}</button>
    </ActionForm>
  );
}

function Notified({ sent, unsent }: Pick<Row, "sent" | "unsent">) {
  const { now } = useMoment();
  return (
    <>
      {sent.length > 0 && [
        " · notified: ",
        ...separated(sent.map(({ outlet, at }) => (
          <>
            {outlet} <When at={at} />
          </>
        ))),
      ]}
      {unsent.length > 0 && [
        // Such as that somebody acknowledged it.
        unsent.some((channel) => channel.sent === null)
          ? " · not notified: "
          : " · last message not sent: ",
        ...separated(
          unsent.map((channel) => (
            <span class={channelTone(channel, now) === "bad" ? "status bad" : undefined}>
              {channel.label}, <ChannelState {...channel} />
            </span>
          )),
        ),
      ]}
    </>
  );
}
