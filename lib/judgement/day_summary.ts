/** What became of the planned runs of a day, over all schedules. */
import type { Headline } from "./headline.ts";
import type { PlannedRun } from "./judge_schedule.ts";

export interface ScheduleOfDay {
  readonly scheduleId: number;
  readonly name: string;
  /** Null before its first verdict. */
  readonly headline: Headline | null;
  /** Whether it is `outside` only because somebody of the house who left receives it. */
  readonly isOfLeaver?: boolean;
  /** Whether it is `unknown` only because its runs show no plan, which is nothing wrong. */
  readonly isWithoutPlan?: boolean;
  readonly planned: readonly PlannedRun[];
  /** When it was last read; null if never. */
  readonly polled?: number | null;
  /** How many people received its last good run; null if unknown. */
  readonly people: number | null;
  /** Digests of these people, if known, separated by spaces. */
  readonly reached: string | null;
}

export interface MarkOfDay extends Pick<PlannedRun, "at" | "outcome"> {
  readonly scheduleId: number;
  readonly name: string;
  /** Whether a good run went out, also one after it failed, before the next planned run. */
  readonly isSent: boolean;
  readonly flaw?: Flaw;
}

/** What is wrong with a run that went out, by the headline of its schedule. */
export const FLAWS = {
  empty: "lacked content or recipients",
  outside: "went outside",
  left: "went to somebody who left",
} as const satisfies Partial<Record<Headline | "left", string>>;
type Flaw = keyof typeof FLAWS;

export interface DaySummary {
  /** The day's first moment, and the next day's, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** How many people got a report; each is counted once if `isExact`. */
  readonly people: number;
  readonly isExact: boolean;
  /** Whether every schedule has a verdict. */
  readonly isComplete: boolean;
  /** Whether it is known of each run that was due by now whether it went out. */
  readonly isKnown: boolean;
  readonly marks: readonly MarkOfDay[];
  /** The schedules with which something is wrong now, the worst first. */
  readonly troubles: readonly Trouble[];
  /** How many people wait for a report; each is counted once if they are known. */
  readonly waiting: number;
}

export interface Trouble extends Pick<ScheduleOfDay, "scheduleId" | "name"> {
  readonly headline: typeof TROUBLES[number];
}

/** What is wrong now, the worst first. */
const TROUBLES = ["failing", "overdue", "empty", "outside", "left", "unknown"] as const;

/** Nobody has got what these should have sent; an empty report was received. */
const UNSENT: ReadonlySet<Headline | "left" | null> = new Set(["failing", "overdue"]);

export function summarizeDay(
  schedules: readonly ScheduleOfDay[],
  { from, to, now }: Pick<DaySummary, "from" | "to" | "now">,
): DaySummary {
  const marks: MarkOfDay[] = [];
  const got = new PeopleCount();
  const waiting = new PeopleCount();
  let isKnown = true;
  for (const schedule of schedules) {
    const { scheduleId, name, planned, polled, people, reached } = schedule;
    const headline = findTrouble(schedule);
    if (UNSENT.has(headline)) waiting.add(people, reached);
    const flaw = Object.hasOwn(FLAWS, headline ?? "") ? headline as Flaw : undefined;
    const sent = sentRuns(planned);
    const today = planned.filter(({ at }) => at >= from && at < to);
    const lastSent = today.findLast((run) => sent.has(run));
    for (const run of today) {
      const { at, outcome } = run;
      // What nobody received has not gone out.
      const isSent = sent.has(run) && (run !== lastSent || people !== 0);
      const mark = { at, outcome, scheduleId, name, isSent };
      const isUnread = outcome === "due" && at <= now && at > (polled ?? now);
      if (isUnread || outcome === "other" && !isSent) isKnown = false;
      marks.push({ ...mark, ...(run === lastSent && flaw && { flaw }) });
    }
    if (lastSent !== undefined) got.add(people, reached);
  }
  marks.sort((a, b) => a.at - b.at);
  const troubles = TROUBLES.flatMap((headline) =>
    schedules.filter((schedule) => findTrouble(schedule) === headline)
      .map(({ scheduleId, name }) => ({ scheduleId, name, headline }))
  );
  const { count: people, isExact } = got;
  const isComplete = schedules.every(({ headline }) => headline !== null);
  const counted = { people, isExact, isComplete, isKnown, waiting: waiting.count };
  return { from, to, now, marks, troubles, ...counted };
}

function findTrouble(
  { headline, isOfLeaver, isWithoutPlan }: ScheduleOfDay,
): Headline | "left" | null {
  if (headline === "unknown" && isWithoutPlan) return null;
  return headline === "outside" && isOfLeaver ? "left" : headline;
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

/** The planned runs that went out. */
function sentRuns(planned: readonly PlannedRun[]): ReadonlySet<PlannedRun> {
  const sent = new Set<PlannedRun>();
  let failed: PlannedRun | null = null;
  for (const run of planned) {
    // 05:30 failed, 05:50 by hand, extra: the report of 05:30 went out.
    if (run.outcome === "extra" && failed) sent.add(failed);
    if (run.outcome.startsWith("extra")) continue;
    if (["met", "late", "by-hand"].includes(run.outcome)) sent.add(run);
    failed = run.outcome === "failed" || run.outcome === "other" ? run : null;
  }
  return sent;
}

export function isChosen(
  { at, outcome, isSent }: MarkOfDay,
  choice: "planned" | "sent" | "missed",
  now: number,
): boolean {
  if (at > now || outcome.startsWith("extra") || outcome === "excused") return false;
  if (choice === "planned") return true;
  return choice === "sent" ? isSent : outcome === choice;
}

export function laterToday(
  { marks, now }: Pick<DaySummary, "marks" | "now">,
): readonly MarkOfDay[] {
  return marks.filter(({ at, outcome }) => at > now && outcome === "due");
}
