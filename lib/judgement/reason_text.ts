import {
  formatBytes,
  formatChange,
  formatCount,
  formatCountOf,
  formatDuration,
  uncapitalized,
} from "../format.ts";
import { momentsIn } from "../moments.ts";
import { maskAddresses } from "../runs/recipients.ts";
import { listStatuses } from "../runs/status.ts";
import type { Ending } from "./planned_runs.ts";
import type { Reason, ReasonCode, ReasonOf } from "./reason.ts";

/** How a text names a time, such as `Wed 18 Nov 06:00`, `yesterday 06:00`, or `06:00` of today. */
type Moment = (at: number) => string;

/** Codes of reasons whose text has a time. */
export const DATED: readonly string[] = ["overdue", "missed", "late", "stuck", "sent-twice"];

const runsText = (count: number) => formatCountOf(count, "run", "runs");
const peopleText = (count: number) => formatCountOf(count, "person", "people");

/**
 * A reason in a few words, such as `failing for 7 runs` or `attachments almost empty (700 bytes,
 * usually 514 KB)`. It never contains an email address.
 *
 * @param reason A reason of a verdict or of an incident.
 * @param options `zone`: the IANA name of the zone of times (default: UTC, which is named
 * where `now` is missing). `locale`: the BCP 47 name of the locale of days (default: as in
 * `Wed 18 Nov`). `now`: the present, in milliseconds since 1970, so that times of today and yesterday
 * are without a date, and those of other years have one with the year (default: all have the day).
 * `written`: when a text without the present is written, so that times of other years have the year.
 * @returns The text, without a capital letter and a full stop.
 *
 * @example
 * ```ts
 * import { reasonText } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const due = Date.UTC(2026, 10, 18, 5);
 * assertEquals(
 *   reasonText({
 *     code: "overdue",
 *     severity: "critical",
 *     subject: "2026-11-18T05:00Z",
 *     since: due,
 *     runs: [],
 *     due,
 *     latest: due,
 *     count: 1,
 *   }, { zone: "Europe/Berlin" }),
 *   "due Wed 18 Nov 06:00, not started",
 * );
 * ```
 */
export function reasonText(
  reason: Reason,
  { zone = "UTC", locale, now, written }: {
    readonly zone?: string;
    readonly locale?: string;
    readonly now?: number;
    readonly written?: number;
  } = {},
): string {
  const words = momentsIn(zone, now, locale, written);
  const moment: Moment = (at) => words(at).replace(/^today /, "");
  switch (reason.code) {
    case "failing":
      return `failing for ${reason.lastGood === null ? "at least " : ""}${runsText(reason.count)}`;
    case "overdue":
      return reason.count > 1
        ? `${runsText(reason.count)} due since ${moment(reason.due)} have not started`
        : `due ${moment(reason.due)}, not started`;
    case "missed":
      return reason.count > 1
        ? `${runsText(reason.count)} missed, from ${moment(reason.due)} to ${moment(reason.latest)}`
        : `missed the run of ${moment(reason.due)}`;
    case "late":
      return lateText(reason, moment);
    case "stuck":
      return `a run open since ${moment(reason.since!)} ` +
        `(runs usually take ${formatDuration(reason.usualMs)})`;
    case "started-by-hand":
      return `${reason.count} of the last ${runsText(reason.of)} had to be started by hand`;
    case "unknown-status":
      return unknownResultText(reason);
    case "outside-recipient":
      return outsideText(reason);
    case "leaver-recipient":
      return `sent to ${peopleText(reason.count)} who left`;
    case "recipients-dropped":
      return `sent to ${formatCount(Math.round(reason.after))} instead of ` +
        peopleText(Math.round(reason.before));
    case "sent-twice":
      return sentTwiceText(reason, moment);
    case "sent-to-nobody":
      return `sent to nobody${repeatedText(reason)}`;
    case "empty-delivery":
      return emptyText(reason) + repeatedText(reason);
    case "size-jump":
      return `${sizeName(reason.field)} ${formatChange(reason.before, reason.after)} ` +
        `(${usually(reason, formatBytes)})`;
    case "slower":
      return `${reason.slowly ? "gradually " : ""}slower (${usually(reason, formatDuration)})`;
    case "flaky":
      return `${reason.failed} of the last ${runsText(reason.of)} failed${rerunText(reason)}`;
    case "clock":
      return clockText(reason);
    case "never-ran":
      return "has never run";
    case "behind":
      return `checks schedules ${formatDuration(reason.lateMs)} late`;
    case "channel-failing":
      return `can't send by ${reason.names.join(", ")}`;
    case "stale":
      // Only what is wrong with the last answer, without the words before it.
      return "gives stale answers" + reason.failure.replace(/^.*?: (.*)/, " ($1)");
    case "unreadable":
      return unreadableText(reason.failure);
    default:
      // The code is from another version of Docket.
      return (reason satisfies never as { readonly code: string }).code.replaceAll("-", " ");
  }
}

/** Why a schedule with known runs and no reason is unknown. */
export const NO_PLAN_TEXT = "its runs show no plan: too few, irregular, or many at once";

/** Why a history can't be read; for null, just its newer runs. */
export function unreadableText(failure: string | null): string {
  if (failure === null) return "newer runs could not be loaded";
  return `can't be read: ${uncapitalized(failure)}`;
}

function lateText({ due, lateMs, count }: ReasonOf<"late">, moment: Moment): string {
  if (due !== null) return `due ${moment(due)}, not started yet`;
  const late = formatDuration(lateMs);
  return count > 1
    ? `${runsText(count)} started late, the last one by ${late}`
    : `1 run started ${late} late`;
}

function unknownResultText({ statuses, count, of }: ReasonOf<"unknown-status">): string {
  const others = (of?.schedules ?? 1) - 1;
  const more = others > 0 ? ` and ${formatCountOf(others, "more schedule", "more schedules")}` : "";
  const subject = of ? `${maskAddresses(of.name)}${more} finished` : `${runsText(count)} ended`;
  return `${subject} with ${listStatuses(statuses)}, so the result is unknown`;
}

function outsideText({ count, domain, resembles }: ReasonOf<"outside-recipient">): string {
  const addresses = count > 1 ? `${formatCount(count)} outside addresses` : "an outside address";
  return `sent to ${addresses} at ${domain}` + (resembles ? `, which looks like ${resembles}` : "");
}

function sentTwiceText(
  { count, latest, times, people }: ReasonOf<"sent-twice">,
  moment: Moment,
): string {
  const often = times === 2 ? "twice" : `${formatCount(times)} times`;
  const newest = `${often} for ${moment(latest)}${people ? ` to ${peopleText(people)}` : ""}`;
  return count > 1
    ? `${count} planned runs in a row sent more than once, the last one ${newest}`
    : `sent ${newest}`;
}

function emptyText({ gone, almost }: ReasonOf<"empty-delivery">): string {
  if (almost) return `${sizeName(almost.field)} almost empty (${usually(almost, formatBytes)})`;
  const missing = [
    gone.includes("cardCount") && "cards",
    gone.some((each) => each.startsWith("attachment")) && "attachments",
  ].filter((each) => each !== false);
  if (gone.includes("emailSize")) return "sent an empty email";
  return `sent without ${missing.join(" or ") || "content"}`;
}

function clockText(
  { offsetMs, impossibleStarts: starts, endsBeforeStart: ends }: ReasonOf<"clock">,
): string {
  if (offsetMs !== 0) {
    const side = offsetMs > 0 ? "ahead of" : "behind";
    return `its clock is ${formatDuration(Math.abs(offsetMs))} ${side} Docket's`;
  }
  const texts = [
    starts > 0 && formatCountOf(starts, "run has", "runs have") + " no possible start",
    ends > 0 && formatCountOf(ends, "run ends before it starts", "runs end before they start"),
  ].filter((each) => each !== false);
  return texts.join(", ");
}

function usually(
  { before, after }: { readonly before: number; readonly after: number },
  format: (value: number) => string,
): string {
  return `${format(after)}, usually ${format(before)}`;
}

function repeatedText({ count }: { readonly count: number }): string {
  return count > 1 ? `, ${runsText(count)}` : "";
}

function rerunText({ failed, rerun }: ReasonOf<"flaky">): string {
  if (rerun === 0) return "";
  return `${
    rerun === failed ? " and" : `; ${formatCount(rerun)} of them`
  } went out after a rerun by hand`;
}

function sizeName(field: ReasonOf<"size-jump">["field"]): string {
  return field === "emailSize" ? "email" : "attachments";
}

const ENDINGS = {
  unplanned: "no run is planned for then any more",
  past: "it is over, or usual by now",
  unwatched: "it is no longer watched",
} as const;

/**
 * How an incident ended, such as `it went out Wed 18 Nov 08:58, 1 h 58 min late`. Of a gap of several
 * runs, how its first did.
 */
export function endingText(
  ending: Ending,
  resolved: number,
  reason: Reason,
  { zone = "UTC", now, written }: Parameters<typeof reasonText>[1] = {},
): string {
  if (ending.how !== "started" && ending.how !== "listed") return ENDINGS[ending.how];
  const { due, at, how, isGood } = ending;
  const moment = momentsIn(zone, now, undefined, written);
  const isGap = reason.code === "overdue" || reason.code === "missed";
  const it = isGap && reason.count > 1 ? "the first" : "it";
  const came = `${it} ${isGood ? "went out" : "started"} ${moment(at)}`;
  return how === "listed"
    ? `${came}, and was listed ${moment(resolved)}`
    : `${came}, ${formatDuration(at - due)} late`;
}

/** On a page, what is in brackets links to what is in parentheses, or otherwise to a run. */
const ADVICE: Readonly<Record<ReasonCode, string>> = {
  failing: "Find out why [the latest run] failed, and run the report again.",
  overdue: "Check that the scheduler runs this report, and that [its plan](plan) is still right.",
  missed: "Find out why it did not run then. If no run was expected, [change its plan](plan).",
  late: "It may still start. Nothing to do yet.",
  stuck: "Check whether [the open run] is still working.",
  "started-by-hand": "Find out what [the failed runs] have in common.",
  flaky: "Find out what [the failed runs] have in common.",
  "unknown-status": "Say [what each status means](service) on the page Service.",
  "outside-recipient": "Check whether [these recipients](recipients) should get this report.",
  "leaver-recipient": "Check whether [these recipients](recipients) should get this report.",
  "recipients-dropped": "Check who left the list of [recipients](recipients).",
  "sent-to-nobody":
    "Check who left the list of [recipients](recipients), and send the report again.",
  "sent-twice": "Find out why [the run] started more than once.",
  "empty-delivery": "Find out why content is missing from [the run], and send the report again.",
  "size-jump": "Check the content of [the run where it changed].",
  slower: "Compare [a slow run] with one before the change.",
  clock: "Check the clocks of the service and of Docket, and the times of [its runs].",
  "never-ran": "Check the id, and when the first run is due.",
  unreadable: "Check that the service answers, and lets OBSERVER_TOKEN read it.",
  stale: "Find out why the service's answers are out of date.",
  behind: "Find out if the service answers slowly or asks for pauses, or watch fewer schedules.",
  "channel-failing": "Check the channel's settings, and send a test.",
};

/** What is before the link, its words, its page, and what is after it, as far as there is any. */
export function adviceParts(code: string): readonly (string | undefined)[] {
  // The code may be from another version of Docket.
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code as ReasonCode] : "";
  return advice.split(/\[(.*?)\](?:\((plan|recipients|service)\))?/);
}
