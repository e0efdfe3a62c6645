import { formatCount, formatCountOf } from "../../../lib/format.ts";
import {
  type DaySummary,
  FLAWS,
  isChosen,
  laterToday,
  type MarkOfDay,
  type TodayChoice,
  type Trouble,
} from "../../../lib/judgement/day_summary.ts";
import { scheduleHref } from "../run_links.tsx";
import { listHref } from "./overview_filter.tsx";

/** What is said of one schedule and of several, the worst first. */
const TROUBLES = {
  failing: ["failed", "failed"],
  overdue: ["is overdue", "are overdue"],
  empty: [FLAWS.empty, FLAWS.empty],
  outside: [FLAWS.outside, FLAWS.outside],
  left: [FLAWS.left, FLAWS.left],
  unknown: ["has an unknown state", "have an unknown state"],
} as const satisfies Record<Trouble["headline"], readonly [one: string, many: string]>;

function isUnknown({ outcome }: Pick<MarkOfDay, "outcome">): boolean {
  return outcome === "other";
}

/** A part of a sentence. Its link leads to what it counts; `wrong` is said of that, in red. */
export interface SentencePart {
  readonly text: string;
  readonly href?: string;
  readonly wrong?: string;
}

const chosen = (day: TodayChoice) => listHref({ day });

export function daySentence(
  summary: DaySummary,
  clock: (at: number) => string,
): readonly SentencePart[] {
  const { marks, now, people, isExact, isComplete } = summary;
  const count = (choice: TodayChoice) => marks.filter((one) => isChosen(one, choice, now)).length;
  const [planned, sent] = [count("planned"), count("sent")];
  if (planned === 0) {
    const [first] = laterToday(summary);
    const text = first
      ? `No report has been due yet today. The first is ${first.name}, at ${clock(first.at)}.`
      : `No report is planned for today${isComplete ? "" : ", of what was read so far"}.`;
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
      href: listHref({ headline: headline === "left" ? "outside" : headline }),
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
      return [{ text: reports, wrong: ids.size === 1 ? one : many, href }];
    }
    return [{ text: name, wrong: one, href: scheduleHref(scheduleId) }];
  });
}

/** Who is waiting, and what comes later today. */
export function outlook(summary: DaySummary, clock: (at: number) => string): string {
  const { waiting, marks, now } = summary;
  const later = laterToday(summary);
  // Before the first, the sentence on the day has its time.
  const isFirst = !marks.some((mark) => isChosen(mark, "planned", now));
  const people = waiting > 0 &&
    `${formatCountOf(waiting, "person is", "people are")} still waiting.`;
  const more = isFirst ? "" : "more ";
  const runs = later.length > 0 &&
    `${formatCountOf(later.length, `${more}run is`, `${more}runs are`)} due today` +
      `${isFirst ? "" : `, the next at ${clock(later[0].at)}`}.`;
  return [people, runs].filter((each) => each !== false).join(" ");
}
