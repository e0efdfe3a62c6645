import { formatCount, formatCountOf } from "../../../lib/format.ts";
import type { Headline } from "../../../lib/judgement/headline.ts";
import type { PlannedRun } from "../../../lib/judgement/judge_schedule.ts";
import { SERVICE_PATH } from "../run_links.tsx";
import { overviewHref, type TodayChoice } from "./overview_filter.tsx";

export interface ScheduleOfDay {
  readonly scheduleId: number;
  readonly name: string;
  readonly headline: Headline;
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
}

export function summarizeDay(
  schedules: readonly ScheduleOfDay[],
  { from, to, now }: Pick<DaySummary, "from" | "to" | "now">,
): DaySummary {
  const marks: MarkOfDay[] = [];
  const digests = new Set<string>();
  let unnamed = 0;
  for (const { scheduleId, name, headline, planned, people, reached } of schedules) {
    const flaw = Object.hasOwn(FLAWS, headline) ? headline as Flaw : undefined;
    const today = planned.filter(({ at }) => at >= from && at < to);
    const lastSent = today.findLast(isSent);
    for (const run of today) {
      const { at, outcome } = run;
      marks.push({ at, outcome, scheduleId, name, ...(run === lastSent && flaw && { flaw }) });
    }
    if (lastSent === undefined) continue;
    const known = reached ? reached.split(" ") : [];
    for (const digest of known) digests.add(digest);
    unnamed += Math.max(0, (people ?? 0) - known.length);
  }
  marks.sort((a, b) => a.at - b.at);
  return { from, to, now, people: digests.size + unnamed, isExact: unnamed === 0, marks };
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

export function problemParts({ marks, now }: DaySummary): readonly SentencePart[] {
  const part = (found: readonly MarkOfDay[], href: string, one: string, many = one) => {
    if (found.length === 0) return [];
    const [{ name }] = found;
    const isOne = new Set(found.map(({ scheduleId }) => scheduleId)).size === 1;
    const times = found.length > 1 ? ` ${formatCount(found.length)} times` : "";
    const text = isOne ? `${name} ${one}${times}` : `${formatCount(found.length)} ${many}`;
    return [{ text, href, isBad: true }];
  };
  const ofDay = (choice: TodayChoice) =>
    [marks.filter((mark) => isChosen(mark, choice, now)), chosen(choice)] as const;
  return [
    ...part(...ofDay("failed"), "failed"),
    ...part(...ofDay("overdue"), "is overdue", "are overdue"),
    ...part(...ofDay("missed"), "did not run"),
    ...part(
      marks.filter(isUnknown),
      SERVICE_PATH,
      "ended with a status that Docket does not know",
    ),
    ...(Object.entries(FLAWS) as [Flaw, string][]).flatMap(([flaw, words]) => {
      const href = `${overviewHref({ headline: flaw })}#schedules`;
      return part(marks.filter((mark) => mark.flaw === flaw), href, words);
    }),
    ...part(...ofDay("waiting"), "may still start on time")
      .map((each) => ({ ...each, isBad: false })),
  ];
}
