import { formatCount, formatCountOf } from "../../../lib/format.ts";
import {
  type DaySummary,
  FLAWS,
  isChosen,
  laterToday,
  type Trouble,
} from "../../../lib/judgement/day_summary.ts";
import { scheduleHref } from "../run_links.tsx";
import { overviewHref } from "./overview_filter.tsx";

/** What is said of one schedule and of several, the worst first. */
const TROUBLES = {
  failing: ["failed", "failed"],
  overdue: ["is overdue", "are overdue"],
  empty: [FLAWS.empty, FLAWS.empty],
  outside: [FLAWS.outside, FLAWS.outside],
  left: [FLAWS.left, FLAWS.left],
  unknown: ["has an unknown state", "have an unknown state"],
} as const satisfies Record<Trouble["headline"], readonly [one: string, many: string]>;

/** How the day goes, such as `7 of 9 reports due by now have gone out, to 44 people.` */
export function DaySentence({ summary, clock }: {
  readonly summary: DaySummary;
  readonly clock: (at: number) => string;
}) {
  const { marks, now, people, isExact, isComplete, isKnown } = summary;
  const count = (choice: Parameters<typeof isChosen>[1]) =>
    marks.filter((one) => isChosen(one, choice, now)).length;
  const [planned, sent] = [count("planned"), count("sent")];
  if (planned === 0) {
    const [first] = laterToday(summary);
    return first
      ? <>No report has been due yet today. The first is {first.name}, at {clock(first.at)}.</>
      : <>No report is planned for today{!isComplete && ", of what was read so far"}.</>;
  }
  const [not, has, have] = isKnown
    ? ["has not", "has", "have"]
    : ["is not known to have", "is known to have", "are known to have"];
  if (sent === 0) {
    return planned === 1 ? <>The report due by now {not} gone out.</> : (
      <>
        None of the <b>{formatCount(planned)}</b> reports due by now {has} gone out.
      </>
    );
  }
  const reached = formatCountOf(people, "person", "people");
  const of = sent === planned ? planned === 1 ? "The" : "All" : `${formatCount(sent)} of`;
  return (
    <>
      <b>{of} {formatCount(planned)}</b> {planned === 1 ? "report" : "reports"} due by now{" "}
      {planned === 1 ? has : have} gone out
      {people > 0 && [isExact ? ", to " : ", to about ", <b key="people">{reached}</b>]}.
    </>
  );
}

/** At most this many schedules are named in the headline; others are counted. */
const MOST_NAMED = 3;

/** What is wrong now, the worst first; nothing if nothing is. */
export function troubleParts({ troubles, marks, now }: DaySummary) {
  // Of a schedule that also fails, its own trouble is said, and lists have it there.
  const said = new Set(troubles.map(({ scheduleId }) => scheduleId));
  const missed = marks.filter((mark) =>
    isChosen(mark, "missed", now) && !said.has(mark.scheduleId)
  );
  const groups = [
    ...[...Map.groupBy(troubles, ({ headline }) => headline)].map(([headline, found]) => ({
      found,
      words: TROUBLES[headline],
      href: overviewHref({ headline: headline === "left" ? "outside" : headline }),
    })),
    {
      found: missed,
      words: ["did not run", "did not run"],
      href: overviewHref({ headline: "missed" }),
    },
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
