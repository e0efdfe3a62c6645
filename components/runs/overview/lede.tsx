import { useContext } from "preact/hooks";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { DaySummary } from "../../../lib/judgement/day_summary.ts";
import { ActionForm } from "../../ui/action_form.tsx";
import { Ago, When, ZoneName } from "../../ui/moment.tsx";
import { formatMoment, useMoment, Zone } from "../../ui/zone.ts";
import { daySentence, outlook, type SentencePart, troubleParts } from "./day_words.ts";

/** The day, and when the schedules were checked. */
export function TodayDate({ polled, next }: {
  readonly polled: number | null;
  readonly next: string;
}) {
  const { now, zone } = useMoment();
  return (
    <div class="eyebrow">
      <p>
        {dateWords(now, zone)} <ZoneName />
      </p>
      {polled !== null && (
        <p>
          checked <Ago at={polled} />
        </p>
      )}
      <ActionForm action="/schedules/check-all" values={{ next }}>
        <button type="submit" class="quiet">Check now</button>
      </ActionForm>
    </div>
  );
}

function dateWords(now: number, zone: string): string {
  const options = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  const day = new Date(now).toLocaleDateString("en-GB", { ...options, timeZone: zone });
  return `${day}, ${formatMoment(now, zone).slice(11)}`;
}

/** How far a press of **Check now** has come; `at` is in milliseconds since 1970. */
export function CheckProgress(
  { at, all, waiting, failing }: Readonly<Record<"at" | "all" | "waiting" | "failing", number>>,
) {
  if (waiting > 0) {
    return (
      <p class="notice" role="status" data-busy>
        Checking: {formatCount(all - waiting)} of {formatCount(all)} schedules done.
      </p>
    );
  }
  return (
    <p class="notice done" role="status">
      Checked {formatCountOf(all, "schedule", "schedules")} <When at={at} />
      {failing > 0 && `: ${formatCount(failing)} can't be read`}.
    </p>
  );
}

/** The headline says what is wrong now; the line below it, how the day goes. */
export function Lede({ summary, unread, unreadable, count, needed }: {
  readonly summary: DaySummary;
  /** How many of the watched schedules were not read yet. */
  readonly unread: number;
  /** How many can't be read, and never were. */
  readonly unreadable: number;
  readonly count: number;
  /** How many open incidents need somebody. */
  readonly needed: number;
}) {
  const zone = useContext(Zone);
  const schedules = formatCountOf(count, "schedule", "schedules");
  if (unreadable === count) return <h1 data-announced>Docket can't read {schedules}.</h1>;
  if (unread + unreadable === count) {
    return <h1 data-announced>Docket is reading {schedules} for the first time.</h1>;
  }
  const clock = (at: number) => formatMoment(at, zone).slice(11);
  const troubles = troubleParts(summary);
  const sentence = daySentence(summary, clock).map(partOf);
  const open = `${formatCountOf(needed, "incident needs", "incidents need")} attention.`;
  // Without trouble the day is the headline, unless something is open or was not read yet.
  const isCalm = troubles.length === 0 && needed === 0 && unread + unreadable === 0;
  return (
    <div data-announced>
      <h1>
        {isCalm
          ? sentence
          : troubles.length > 0
          ? listOf(troubles)
          : needed > 0
          ? open
          : <>Nothing that was read so far is wrong.</>}
      </h1>
      <p class="day-words">
        {!isCalm && <>{sentence}{" "}</>}
        {outlook(summary, clock)}
        {unread > 0 &&
          ` ${formatCountOf(unread, "schedule was", "schedules were")} not read yet.`}
        {unreadable > 0 && ` ${formatCountOf(unreadable, "schedule", "schedules")} can't be read.`}
      </p>
    </div>
  );
}

/** Parts as one sentence, such as `A failed, B is overdue, and 2 reports went outside.` */
function listOf(parts: readonly SentencePart[]) {
  return parts.map((part, at) => [
    at === 0 ? "" : at < parts.length - 1 ? ", " : parts.length > 2 ? ", and " : " and ",
    partOf(part, at),
    at === parts.length - 1 && ".",
  ]);
}

function partOf({ text, href, isBad }: SentencePart, at: number) {
  return href === undefined
    ? text
    : <a key={at} href={href} class={isBad ? "bad" : undefined}>{text}</a>;
}
