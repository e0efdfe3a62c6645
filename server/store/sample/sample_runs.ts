/** Sample runs with each schedule's story. The n-th newest run does not depend on the count. */
import { DAY, MINUTE } from "../../../lib/time_units.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { dayOf, type Random, randomFrom } from "./file_sets.ts";
import {
  COLLEAGUES,
  LEAVER,
  LOOK_ALIKE,
  MUCH_INFORMED,
  OUTSIDER,
  PARTNER,
  type Person,
  SUBSIDIARY,
} from "./people.ts";

type Story = typeof STORIES[number];

/** A schedule's kind and texts, the minute of the day in UTC at which it runs, and who else receives it. */
function story<Kind extends string>(
  kind: Kind,
  title: string,
  subject: string,
  { minute = 6 * 60, also = [] as readonly Person[] } = {},
) {
  return { kind, title, subject, minute, also };
}

const FIRST_ID = 101;

/** What happened to each schedule, so that each kind of reason occurs; higher ids repeat the stories. */
export const STORIES = [
  story("healthy", "Daily revenue", "Revenue of yesterday", { also: [LEAVER] }),
  story("failing", "Open claims", "Open claims by team", { minute: 5 * 60 + 30 }),
  story("missed", "Warehouse stock", "Stock below minimum", { minute: 4 * 60 + 15 }),
  story("recipients", "Sales pipeline", "Pipeline and forecast", { minute: 7 * 60 }),
  story("size", "Product catalogue", "Catalogue with photos", { minute: 3 * 60, also: [LEAVER] }),
  story("slow", "Support load", "Tickets and waiting times", { minute: 8 * 60, also: [LEAVER] }),
  story("never", "Board summary", "Summary for the board"),
  story("weekly", "Weekly safety report", "Incidents of the week", {
    minute: 9 * 60,
    also: [PARTNER],
  }),
  story("hourly", "Website orders", "Orders of the last hour"),
  story("by-hand", "Cash position", "Cash position, all banks", { minute: 6 * 60 + 30 }),
  story("flaky", "Partner feed", "Partner feed, differences", { minute: 2 * 60 }),
  story("outsider", "Margin by customer", "Margins, confidential", { minute: 5 * 60 }),
].map((each, index) => ({ scheduleId: FIRST_ID + index, ...each }));

/** The days without a run in the story "missed", counted back from the newest. */
const MISSED_DAYS: readonly number[] = [4, 19, 20, 21, 47, 88, 130, 201, 305];

/** The runs of a schedule that started before `now`, newest first. */
export function sampleRuns(scheduleId: number, count: number, now: Date): ReportRun[] {
  const story = STORIES[(scheduleId - FIRST_ID) % STORIES.length];
  if (story.kind === "never") return [];
  const random = randomFrom(scheduleId * 7919);
  const starts = chooseStarts(story, random, chooseNewestDay(story, scheduleId, now));
  const runs: ReportRun[] = [];
  for (let age = 0; runs.length < count; age++) {
    const start = starts.next().value;
    const run = sampleRun(story, scheduleId, age, start, random);
    if (start.time <= now.getTime()) runs.push(run);
  }
  return runs;
}

/** When the day of the newest runs begins: today if today's first run is due, otherwise yesterday. */
function chooseNewestDay(story: Story, scheduleId: number, now: Date): number {
  const today = dayOf(now);
  let first = Infinity;
  for (const { time, daysAgo } of chooseStarts(story, randomFrom(scheduleId * 7919), today)) {
    if (daysAgo > 0) break;
    first = Math.min(first, time);
  }
  // Runs start within the first minute.
  const isDue = Math.floor(first / MINUTE) * MINUTE + MINUTE <= now.getTime();
  return isDue || first === Infinity ? today : today - DAY;
}

interface Start {
  readonly time: number;
  readonly daysAgo: number;
  readonly automated: boolean;
  /** Whether it fails, in the story "flaky". */
  readonly failed?: boolean;
}

function sampleRun(
  story: Story,
  scheduleId: number,
  age: number,
  start: Start,
  random: Random,
): ReportRun {
  const { kind, title, subject } = story;
  const failed = kind === "failing" ? start.daysAgo < 7 : start.failed ?? false;
  const recipients = chooseRecipients(story, start.daysAgo, scheduleId);
  const cardCount = 4 + scheduleId % 7;
  const attachmentCount = failed ? 0 : 1 + scheduleId % 3;
  const larger = kind === "size" && start.daysAgo < 40 ? 10 : 1;
  const attachmentSize = attachmentCount * larger * (180_000 + random.between(0, 30_000));
  const emailSize = failed ? 0 : 24_000 + cardCount * 1_800 + random.between(0, 900);
  const seconds = chooseSeconds(kind, age, random);
  // A failing run may have no end.
  const isOpen = failed && random.chance(0.3);
  return {
    // Older runs have smaller ids; none is shared between schedules.
    id: scheduleId * 1_000_000 + 900_000 - age,
    reportId: 5_000 + scheduleId,
    reportTitle: title,
    reportSubject: subject,
    startTime: new Date(start.time).toISOString(),
    ...(isOpen ? {} : { endTime: new Date(start.time + seconds * 1000).toISOString() }),
    automated: start.automated,
    cardCount,
    attachmentCount,
    attachmentSize: failed ? 0 : attachmentSize,
    emailSize,
    status: failed ? "failure" : "success",
    ownerId: COLLEAGUES[scheduleId % COLLEAGUES.length].userId,
    recipientCount: recipients.length,
    resourceType: scheduleId % 4 === 0 ? "CARD" : "PAGE",
    resourceId: 70_000 + scheduleId,
    resourceName: title,
    recipients,
  };
}

function* chooseStarts(
  { kind, minute }: Story,
  random: Random,
  newestDay: number,
): Generator<Start, never> {
  for (let daysAgo = 0;; daysAgo++) {
    const day = newestDay - daysAgo * DAY;
    const weekday = new Date(day).getUTCDay();
    const at = (minutes: number, automated = true): Start => ({
      // Schedulers start a little late, never early.
      time: day + minutes * MINUTE + random.between(0, 20) * 1000,
      daysAgo,
      automated,
    });
    switch (kind) {
      case "missed":
        if (!MISSED_DAYS.includes(daysAgo)) yield at(minute);
        break;
      case "weekly":
        if (weekday === 1) yield at(minute);
        break;
      case "hourly":
        if (weekday === 0 || weekday === 6) break;
        for (let hour = 18; hour >= 7; hour--) yield at(hour * 60);
        break;
      case "by-hand":
        if (random.chance(0.7)) yield at(random.between(13 * 60, 17 * 60), false);
        if (random.chance(0.3)) yield at(random.between(9 * 60, 12 * 60), false);
        yield at(minute);
        break;
      case "flaky": {
        const failed = random.chance(1 / 7);
        if (failed) yield at(7 * 60 + random.between(0, 90), false);
        yield { ...at(minute), failed };
        break;
      }
      default:
        yield at(minute);
    }
  }
}

function chooseRecipients({ kind, also }: Story, daysAgo: number, scheduleId: number): Person[] {
  const few = COLLEAGUES.slice(scheduleId % 20, scheduleId % 20 + 6);
  switch (kind) {
    case "recipients":
      // One more every eight days, from 6 to 40; the subsidiary comes last.
      return [...COLLEAGUES.slice(0, 28), ...SUBSIDIARY]
        .slice(0, Math.max(6, 40 - Math.floor(daysAgo / 8)));
    case "outsider":
      return daysAgo < 5 ? [...few, OUTSIDER] : few;
    case "by-hand":
      return [...few, MUCH_INFORMED, ...(daysAgo >= 180 && daysAgo < 185 ? [LOOK_ALIKE] : [])];
    default:
      return [...few, MUCH_INFORMED, ...also];
  }
}

function chooseSeconds(kind: Story["kind"], age: number, random: Random): number {
  const usual = random.between(25, 50);
  // The newest slow run is on the first page of a hundred, and 400 runs have about ten.
  return kind === "slow" && age % 37 === 12 ? random.between(16 * 60, 31 * 60) : usual;
}
