import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import { scheduleHref } from "../run_links.tsx";
import { overviewHref, type TodayChoice } from "./overview_filter.tsx";

export interface ScheduleOfDay {
  readonly scheduleId: number;
  readonly name: string;
  /** Null before its first verdict. */
  readonly headline: Headline | null;
  readonly planned: readonly PlannedRun[];
  /** How many people received its last good run; null if unknown. */
  readonly people: number | null;
  /** Digests of these people, if known, separated by spaces. */
  readonly reached: string | null;
}

export interface MarkOfDay extends Pick<PlannedRun, "at" | "outcome"> {
  readonly scheduleId: number;
  readonly name: string;
  readonly flaw?: Flaw;
}

/** What is wrong with a run that went out, by the headline of its schedule. */
export const FLAWS = {
  empty: "delivered nothing",
  outside: "went outside",
} as const satisfies Partial<Record<Headline, string>>;
type Flaw = keyof typeof FLAWS;

export interface DaySummary {
  /** The day's first moment, and the next day's, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** How many people got a report; each is counted once if `isExact`. */
  readonly people: number;
  readonly isExact: boolean;
  readonly marks: readonly MarkOfDay[];
  /** The schedules with which something is wrong now, the worst first. */
  readonly troubles: readonly Trouble[];
  /** How many people wait for a report; each is counted once if they are known. */
  readonly waiting: number;
}

/** What is wrong now with a schedule. */
interface Trouble extends Pick<ScheduleOfDay, "scheduleId" | "name"> {
  readonly headline: keyof typeof TROUBLES;
}

/** What is said of one schedule and of several, the worst first. */
const TROUBLES = {
  failing: ["failed", "failed"],
  overdue: ["is overdue", "are overdue"],
  empty: [FLAWS.empty, FLAWS.empty],
  outside: [FLAWS.outside, FLAWS.outside],
  unknown: ["has an unknown result", "have an unknown result"],
} as const satisfies Partial<Record<Headline, readonly [one: string, many: string]>>;

/** Nobody has got what these should have sent. */
const UNSENT: ReadonlySet<Headline> = new Set(["failing", "overdue", "empty"]);

export function summarizeDay(
  schedules: readonly ScheduleOfDay[],
  { from, to, now }: Pick<DaySummary, "from" | "to" | "now">,
): DaySummary {
  const marks: MarkOfDay[] = [];
  const got = new PeopleCount();
  const waiting = new PeopleCount();
  for (const { scheduleId, name, headline, planned, people, reached } of schedules) {
    if (headline && UNSENT.has(headline)) waiting.add(people, reached);
    const flaw = Object.hasOwn(FLAWS, headline ?? "") ? headline as Flaw : undefined;
    const today = planned.filter(({ at }) => at >= from && at < to);
    const lastSent = today.findLast(isSent);
    for (const run of today) {
      const { at, outcome } = run;
      marks.push({ at, outcome, scheduleId, name, ...(run === lastSent && flaw && { flaw }) });
    }
    if (lastSent !== undefined) got.add(people, reached);
  }
  marks.sort((a, b) => a.at - b.at);
  const troubles = (Object.keys(TROUBLES) as Trouble["headline"][]).flatMap((headline) =>
    schedules.filter((schedule) => schedule.headline === headline)
      .map(({ scheduleId, name }) => ({ scheduleId, name, headline }))
  );
  const { count: people, isExact } = got;
  return { from, to, now, people, isExact, marks, troubles, waiting: waiting.count };
}

/** Counts people once each, as far as their digests are known. */
class PeopleCount {
  readonly #digests = new Set<string>();
  #unnamed = 0;

  add(people: number | null, reached: string | null): void {
    const known = reached ? reached.split(" ") : [];
    for (const digest of known) this.#digests.add(digest);
    this.#unnamed += Math.max(0, (people ?? 0) - known.length);
  }

  get count(): number {
    return this.#digests.size + this.#unnamed;
  }

  get isExact(): boolean {
    return this.#unnamed === 0;
  }
}

function isSent({ outcome }: Pick<PlannedRun, "outcome">): boolean {
  return outcome === "met" || outcome === "late" || outcome === "by-hand";
}

function isUnknown({ outcome }: Pick<PlannedRun, "outcome">): boolean {
  return outcome === "other";
}

export function isChosen({ at, outcome }: MarkOfDay, choice: TodayChoice, now: number): boolean {
  if (at > now || outcome.startsWith("extra") || outcome === "excused") return false;
  if (choice === "planned") return true;
  if (choice === "sent") return isSent({ outcome });
  return outcome === (choice === "waiting" ? "due" : choice);
}

export function laterToday({ marks, now }: DaySummary): readonly MarkOfDay[] {
  return marks.filter(({ at, outcome }) => at > now && outcome === "due");
}

/** A part of a sentence. Its link leads to what it counts. */
export interface SentencePart {
  readonly text: string;
  readonly href?: string;
  readonly isBad?: boolean;
}

const chosen = (day: TodayChoice) => `${overviewHref({ day })}#schedules`;

export function daySentence(
  summary: DaySummary,
  clock: (at: number) => string,
): readonly SentencePart[] {
  const { marks, now, people, isExact } = summary;
  const count = (choice: TodayChoice) => marks.filter((one) => isChosen(one, choice, now)).length;
  const [planned, sent] = [count("planned"), count("sent")];
  if (planned === 0) {
    const [first] = laterToday(summary);
    const text = first
      ? `No report has been due yet today. The first is ${first.name}, at ${clock(first.at)}.`
      : "No report is planned for today.";
    return [{ text }];
  }
  const reports = planned === 1 ? "report due by now has" : "reports due by now have";
  if (sent === 0) {
    const isKnown = !marks.some(isUnknown);
    const [is, has] = isKnown ? ["has not", "has"] : ["is not known to have", "is known to have"];
    return planned === 1 ? [{ text: `The report due by now ${is} gone out.` }] : [
      { text: "None of the " },
      { text: formatCount(planned), href: chosen("planned") },
      { text: ` reports due by now ${has} gone out.` },
    ];
  }
  const counted = sent === planned
    ? [
      { text: planned === 1 ? "The " : "All " },
      { text: formatCount(planned), href: chosen("planned") },
    ]
    : [
      { text: formatCount(sent), href: chosen("sent") },
      { text: " of " },
      { text: formatCount(planned), href: chosen("planned") },
    ];
  const to = `${isExact ? "" : "about "}${formatCountOf(people, "person", "people")}`;
  return [
    ...counted,
    { text: ` ${reports} gone out` },
    ...(people > 0 ? [{ text: ", to " }, { text: to, href: chosen("sent") }] : []),
    { text: "." },
  ];
}

/** At most this many schedules are named in the headline; others are counted. */
const MOST_NAMED = 3;

/** What is wrong now, the worst first; nothing if nothing is. */
export function troubleParts({ troubles, marks, now }: DaySummary): readonly SentencePart[] {
  const missed = marks.filter((mark) => isChosen(mark, "missed", now));
  const groups = [
    ...[...Map.groupBy(troubles, ({ headline }) => headline)].map(([headline, found]) => ({
      found,
      words: TROUBLES[headline],
      href: `${overviewHref({ headline })}#schedules`,
    })),
    { found: missed, words: ["did not run", "did not run"], href: chosen("missed") },
  ];
  let named = 0;
  return groups.flatMap(({ found, words: [one, many], href }) => {
    const ids = new Set(found.map(({ scheduleId }) => scheduleId));
    if (ids.size === 0) return [];
    const [{ scheduleId, name }] = found;
    if (ids.size > 1 || named++ >= MOST_NAMED) {
      const reports = formatCountOf(ids.size, "report", "reports");
      return [{ text: `${reports} ${ids.size === 1 ? one : many}`, href, isBad: true }];
    }
    return [{ text: `${name} ${one}`, href: scheduleHref(scheduleId), isBad: true }];
  });
}

/** Who is waiting, and what comes later today. */
export function outlook(summary: DaySummary, clock: (at: number) => string): string {
  const { waiting } = summary;
  const later = laterToday(summary);
  const people = waiting > 0 &&
    `${formatCountOf(waiting, "person is", "people are")} still waiting.`;
  const runs = later.length > 0 &&
    `${formatCountOf(later.length, "more run is", "more runs are")} due today, ` +
      `the next at ${clock(later[0].at)}.`;
  return [people, runs].filter((each) => each !== false).join(" ");
}
