/** What is wrong, since when and what to do; what happened, and who was notified. */
import { ChannelList, Notifications } from "../../../components/runs/owners/channel_list.tsx";
import {
  ownerHref,
  recipientsHref,
  runHref,
  SERVICE_PATH,
} from "../../../components/runs/run_links.tsx";
import { Marked } from "../../../components/ui/notices.tsx";
import { nextRunWords, NoteWords, useMoment, When } from "../../../components/ui/moment.tsx";
import { type loadIncident, MAX_LISTED } from "../../../server/pages/incident.ts";
import { ExpectedForm } from "../people/_parts.tsx";
import { recipientName } from "../../../lib/runs/recipients.ts";
import type { ComponentChildren } from "preact";
import { Strip } from "../../../components/runs/charts/strip.tsx";
import { peopleWords, SilenceNote } from "../../../components/runs/incidents/incident_words.tsx";
import { StateBadge, toneOf, VerdictPart } from "../../../components/runs/verdict/state_badge.tsx";
import { Happened, separated } from "../../../components/ui/section.tsx";
import { capitalized } from "../../../lib/format.ts";
import { headlineOfCode } from "../../../lib/judgement/headline.ts";

type Loaded = Awaited<ReturnType<typeof loadIncident>>;
type Delivery = NonNullable<Loaded["outlets"][number]["delivery"]>;

const BAD = ["⚠", "bad"] as const;

export function DeliveryState({ sent, next, isInTurn, givenUp, error }: Delivery) {
  const isSent = sent && !next && !givenUp;
  return (
    <>
      <Marked
        mark={givenUp ? BAD : error ? ["⚠", "drift"] : isSent ? ["✓", "good"] : ["○", "neutral"]}
      >
        {givenUp ? "Failed" : !sent ? "Waiting" : next ? "Being sent again" : "Sent"}
      </Marked>
      {isSent && [" ", <When key="sent" at={sent} />]}
      {error && `: ${error}`}
      {isSent || givenUp
        ? null
        : !next
        ? ", as part of another message"
        : !isInTurn
        ? ", for the message before it"
        : [", next attempt ", <When key="next" at={next} />]}
    </>
  );
}

/** Who was notified of an incident, and how the channels are. */
export function IncidentNotified({ outlets, isMuted }: Pick<
  Awaited<ReturnType<typeof loadIncident>>,
  "outlets" | "isMuted"
>) {
  return (
    <Notifications isNobody={outlets.length === 0}>
      <ChannelList
        channels={outlets}
        about={({ delivery }) => (
          <p>
            {delivery
              ? <DeliveryState {...delivery} />
              : `Nothing sent of this${isMuted ? ": muted" : ""}`}
          </p>
        )}
      />
    </Notifications>
  );
}

const BLINDING: ReadonlySet<string> = new Set(["unreadable", "stale", "behind"]);

export function IncidentVerdict({ data, evidence, children }: {
  readonly data: Loaded;
  /** What stands beside the sentence, instead of the latest planned runs. */
  readonly evidence: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { row, planned, nextStep, lastSuccess, nextDue } = data;
  const { code, severity, since, opened, resolved, acknowledgedBy, owner, name, silences } = row;
  const { now } = useMoment();
  const headline = headlineOfCode(code);
  const meaning = resolved === null && peopleWords(row, now);
  const when = (at: number) => <When at={at} />;
  return (
    <VerdictPart
      tone={resolved !== null ? "neutral" : headline ? toneOf(headline) : "bad"}
      label="What is wrong"
      sentence={meaning || `${capitalized(row.summary)}.`}
      evidence={evidence || planned.length > 0 && (
            <figure class="small">
              <figcaption>Last planned runs</figcaption>
              <Strip planned={planned} />
            </figure>
          )}
    >
      <p class="row">
        {headline && <StateBadge headline={headline} />}{" "}
        <span>
          <Marked mark={severity === "critical" ? BAD : ["◆", "drift"]}>
            {capitalized(severity)}
          </Marked>, {resolved !== null
            ? <>resolved {when(resolved)}</>
            : acknowledgedBy
            ? `acknowledged by ${acknowledgedBy}`
            : code === "missed"
            ? "over, not acknowledged"
            : "not acknowledged"}
        </span>
      </p>
      {resolved === null && BLINDING.has(code) && (
        <p>Until this ends, Docket can't say whether reports go out.</p>
      )}
      {nextStep && (
        <p>{code === "unknown-status" ? <a href={SERVICE_PATH}>{nextStep}</a> : nextStep}</p>
      )}
      <p class="help">
        {since === null ? "Found" : <>Since {when(since)}, found</>} {when(opened)}.{" "}
        {lastSuccess !== null && <>Last sent {when(lastSuccess)}.{" "}</>}
        {nextDue !== null && <>{nextRunWords(nextDue, now)} {when(nextDue)}.{" "}</>}
        {owner && ["Owned by ", <a key="owner" href={ownerHref(owner)}>{owner}</a>, "."]}
      </p>
      {silences.map((silence) => (
        <p key={`${silence.incidentId} ${silence.kind}`} class="capital">
          <SilenceNote silence={silence} of={name} />
        </p>
      ))}
      {children}
    </VerdictPart>
  );
}

/** What happened, the latest first. */
export function Timeline({ timeline, isCut }: Pick<Loaded, "timeline" | "isCut">) {
  const points = timeline.map(({ run, person, note, deliveries = [], ...point }) => ({
    ...point,
    href: run && runHref(run.scheduleId, run.runId),
    words: (
      <>
        {point.words}
        {person && ` by ${person}`}
        {note && [": ", <NoteWords key="note" note={note} />]}
        {deliveries.length > 0 && ": "}
        {separated(
          deliveries.map((delivery) => (
            <>
              {delivery.outlet} <DeliveryState {...delivery} />
            </>
          )),
        )}
      </>
    ),
  }));
  return (
    <>
      <Happened label="Timeline" points={points} />
      {isCut && <p class="help">Of its runs, at most the newest {MAX_LISTED} are listed.</p>}
    </>
  );
}

/** The people that an incident is about, each with the decision whether they should get it. */
export function Outsiders({ outsiders, hasMore, scheduleId }: {
  readonly outsiders: Loaded["outsiders"];
  /** Whether there are others. */
  readonly hasMore: boolean;
  readonly scheduleId: number;
}) {
  return (
    <ul class="plain outsiders" aria-label="Who it is about">
      {outsiders.map(({ id, recipient, first, isDecided }) => {
        const name = recipientName(recipient, false);
        return (
          <li key={id} class="line apart">
            <div>
              <a href={`/people/${id}`}>{name}</a>
              <small>
                since <When at={first} />
                {isDecided && ", decided"}
              </small>
            </div>
            <ExpectedForm personId={id} {...{ scheduleId, name }} />
          </li>
        );
      })}
      {hasMore && (
        <li>
          and others, see <a href={recipientsHref(scheduleId)}>all recipients</a>
        </li>
      )}
    </ul>
  );
}
