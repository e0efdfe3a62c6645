import { DAY, HOUR } from "../time_units.ts";
import { formatBytes, formatCount, formatCountOf, formatDuration } from "../format.ts";
import { maskAddresses } from "../runs/recipients.ts";
import { shortStatus } from "../runs/status.ts";
import type { Reason } from "./reason.ts";

const DAY_AND_MONTH = { day: "numeric", month: "short" } as const;

/** A time in a zone, such as `18 Nov, 06:00`. The zone is named only if it is UTC. */
export function momentIn(zone: string, at: number, locale = "en-GB"): string {
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone } as const;
  const text = new Date(at).toLocaleString(locale, { ...DAY_AND_MONTH, ...clock });
  return zone === "UTC" ? `${text} UTC` : text;
}

interface ReadReason {
  readonly evidence: Reason["evidence"];
  number(name: string): number;
  runs(name?: string): string;
  /** A time such as `18 Nov`. */
  day(at: number): string;
  /** A time such as `18 Nov, 06:00`. */
  moment(at: number): string;
}

/**
 * A reason in a few words, such as `failing for 7 runs` or `attachments almost empty (700 bytes,
 * usually 514 KB)`. It never contains an email address.
 *
 * @param reason A reason of a verdict or of an incident.
 * @param options `zone`: the IANA name of the zone of times (default: UTC, which the text then
 * names). `locale`: the BCP 47 name of the locale of dates (default: `en-GB`).
 * @returns The text, without a capital letter and a full stop.
 *
 * @example
 * ```ts
 * import { reasonText } from "@docket/docket";
 * import { assertEquals } from "@std/assert";
 *
 * const at = Date.UTC(2026, 10, 18, 5);
 * assertEquals(
 *   reasonText(
 *     { code: "overdue", since: at, evidence: { count: 1, latest: at } },
 *     { zone: "Europe/Berlin" },
 *   ),
 *   "overdue, was due on 18 Nov, 06:00",
 * );
 * ```
 */
export function reasonText(
  { code, since, evidence }: Pick<Reason, "since" | "evidence"> & { readonly code: string },
  { zone = "UTC", locale = "en-GB" }: { readonly zone?: string; readonly locale?: string } = {},
): string {
  const number = (name: string) => Number(evidence[name] ?? 0);
  const days = { ...DAY_AND_MONTH, timeZone: zone };
  const reason: ReadReason = {
    evidence,
    number,
    runs: (name = "count") => formatCountOf(number(name), "run", "runs"),
    day: (at) => new Date(at).toLocaleDateString(locale, days),
    moment: (at) => momentIn(zone, at, locale),
  };
  switch (code) {
    case "failing":
      return `failing for ${evidence.reachesBack ? "at least " : ""}${reason.runs()}`;
    case "overdue":
      return overdueText(reason, since);
    case "missed":
      return missedText(reason);
    case "late":
      return lateText(reason);
    case "stuck":
      return `a run has been open for ${formatDuration(number("openMs"))}; ` +
        `runs usually take ${formatDuration(number("usualMs"))}`;
    case "started-by-hand":
      return `${number("count")} of the last ${reason.runs("of")} had to be started by hand`;
    case "unknown-status":
      return unknownStatusText(reason);
    case "outside-recipient":
      return outsideText(reason);
    case "leaver-recipient":
      return `sent to ${formatCountOf(number("count"), "person", "people")} who left`;
    case "recipients-dropped":
      return `sent to ${formatCount(Math.round(number("after")))} instead of ` +
        formatCountOf(Math.round(number("before")), "person", "people");
    case "sent-twice":
      return sentTwiceText(reason);
    case "sent-to-nobody":
      return `sent to nobody${repeatedText(reason)}`;
    case "empty-delivery":
      return emptyText(reason);
    case "size-jump":
      return `${sizeName(reason.evidence.field)} ${changeText(reason)} (${
        sizesText(reason, since)
      })`;
    case "slower":
      return slowerText(reason, since);
    case "flaky":
      return `${number("failed")} of the last ${reason.runs("of")} failed`;
    case "clock":
      return clockText(reason);
    case "inconsistent":
      return `${formatCountOf(number("count"), "inconsistency", "inconsistencies")} in recent runs`;
    case "unread":
      return "newer runs could not be loaded";
    case "never-ran":
      return "has never run";
    case "behind":
      return `checks schedules ${formatDuration(number("lateMs"))} late: the service answers too ` +
        "slowly for this many";
    case "channel-failing":
      return `can't send by ${evidence.names}`;
    case "stale":
      // Only what is wrong with the last answer, without the words before it.
      return "gives stale answers" + `${evidence.failure ?? ""}`.replace(/^.*?: (.*)/, " ($1)");
    case "unreadable":
      return "can't be read" +
        `${evidence.failure ?? ""}`.replace(/^./, (first) => `: ${first.toLowerCase()}`);
    default:
      // The code is from another version of Docket.
      return code.replaceAll("-", " ");
  }
}

function overdueText({ number, runs, moment, evidence }: ReadReason, since: number | null): string {
  const source = evidence.confirmed === false ? " (inferred plan)" : "";
  const first = since === null ? "" : ` on ${moment(since)}`;
  return number("count") > 1
    ? `${runs()} overdue${first && `, the first was due${first}`}${source}`
    : `overdue${first && `, was due${first}`}${source}`;
}

function missedText({ number, runs, day, moment, evidence }: ReadReason): string {
  const { latest } = evidence;
  if (typeof latest !== "number") return `${runs()} missed`;
  const [count, planned, spanMs] = [number("count"), number("planned"), number("spanMs")];
  // With several runs a day, the day alone would not say which.
  const isFrequent = planned * DAY > 1.5 * spanMs && planned > 1;
  const on = `missed on ${isFrequent ? moment(latest) : day(latest)}`;
  if (count < 2) return on;
  return `${on}; ${formatCount(count)} times${spanMs > 0 ? ` in ${spanText(spanMs)}` : ""}`;
}

function lateText({ number, runs, moment, evidence }: ReadReason): string {
  const late = formatDuration(number("lateMs"));
  if (typeof evidence.due === "number") {
    return `due on ${moment(evidence.due)}, ${late} late so far`;
  }
  return number("count") > 1
    ? `${runs()} started late, the last one by ${late}`
    : `1 run started ${late} late`;
}

function unknownStatusText({ number, runs, evidence }: ReadReason): string {
  const status = shortStatus(String(evidence.status));
  if (typeof evidence.name === "string") {
    const others = number("schedules") - 1;
    const more = others > 0
      ? ` and ${formatCountOf(others, "more schedule", "more schedules")}`
      : "";
    const also = `${evidence.also ?? ""}`.split("\n").filter(Boolean).map(shortStatus);
    const all = [status, ...also.slice(0, 4), ...also.length > 4 ? ["others"] : []].join(" or ");
    return `${
      maskAddresses(evidence.name)
    }${more} finished with ${all}, which Docket does not know`;
  }
  return number("statuses") > 1
    ? `${runs()} ended with ${
      number("statuses")
    } statuses that Docket does not know, the last one ${status}`
    : `${runs()} ended with ${status}, which Docket does not know`;
}

function outsideText({ number, evidence }: ReadReason): string {
  const { domains, lookAlike, resembles } = evidence;
  const count = number("count");
  const addresses = count > 1 ? `${formatCount(count)} outside addresses` : "an outside address";
  const where = domains ? ` at ${domains}` : "";
  if (!resembles) return `sent to ${addresses}${where}`;
  return lookAlike === domains
    ? `sent to ${addresses}${where}, which looks like ${resembles}`
    : `sent to ${addresses}${where}; ${lookAlike} looks like ${resembles}`;
}

function sentTwiceText({ number, moment, evidence }: ReadReason): string {
  const times = number("times") === 2 ? "twice" : `${formatCount(number("times"))} times`;
  const people = evidence.people
    ? ` to ${formatCountOf(number("people"), "person", "people")}`
    : "";
  const newest = `${times} for ${moment(number("latest"))}${people}`;
  return number("count") > 1
    ? `${number("count")} planned runs in a row sent more than once, the last one ${newest}`
    : `sent ${newest}`;
}

function emptyText(reason: ReadReason): string {
  const { evidence: { field, gone } } = reason;
  if (field) return `${sizeName(field)} almost empty (${sizesText(reason)})${repeatedText(reason)}`;
  const fields = String(gone ?? "").split(", ");
  const missing = [
    fields.includes("cardCount") && "cards",
    fields.some((each) => each.startsWith("attachment")) && "attachments",
  ].filter((each) => each !== false);
  const without = missing.length > 0
    ? `sent without ${missing.join(" or ")}`
    : "sent without content";
  return (fields.includes("emailSize") ? "sent an empty email" : without) + repeatedText(reason);
}

function slowerText(reason: ReadReason, since: number | null): string {
  const { number, runs, evidence } = reason;
  if (evidence.outliers) {
    return `${number("outliers")} of ${runs("of")} took unusually long, up to ` +
      `${formatDuration(number("longestMs"))} (usually ${formatDuration(number("usualMs"))})`;
  }
  const how = evidence.slowly ? "gradually slower" : "slower";
  return `${how} (${levelsText(reason, formatDuration, since)})`;
}

function clockText({ number }: ReadReason): string {
  const seconds = number("serviceIsAheadBySeconds");
  if (seconds !== 0) {
    return `its clock is ${formatDuration(Math.abs(seconds) * 1000)} ${
      seconds > 0 ? "ahead of" : "behind"
    } Docket's`;
  }
  const [starts, ends] = [number("impossibleStarts"), number("endsBeforeStart")];
  const texts = [
    number("aheadMs") > 0 && `runs start ${formatDuration(number("aheadMs"))} in the future`,
    starts > 0 && formatCountOf(starts, "run has", "runs have") + " an impossible start",
    ends > 0 && formatCountOf(ends, "run ends before it starts", "runs end before they start"),
  ].filter((each) => each !== false);
  return texts.join(", ");
}

/** How a size changed, such as `10 times larger` or `smaller`; the sizes are shown beside it. */
function changeText({ number }: ReadReason): string {
  const factor = number("after") / number("before");
  if (!(factor >= 2)) return factor > 1 ? "larger" : factor <= 0.5 ? "much smaller" : "smaller";
  const rounded = factor < 10 ? Math.round(factor * 10) / 10 : Math.round(factor);
  return `${formatCount(rounded)} times larger`;
}

function sizesText(reason: ReadReason, since: number | null = null): string {
  return levelsText(reason, formatBytes, since);
}

/** Both levels of a change; a level that has become usual is compared with the one before it. */
function levelsText(
  { number, day, evidence }: ReadReason,
  format: (value: number) => string,
  since: number | null,
): string {
  const [before, after] = [format(number("before")), format(number("after"))];
  if (!evidence.usual) return `${after}, usually ${before}`;
  return `${after}, ${before} before${since === null ? "" : ` ${day(since)}`}`;
}

function repeatedText({ number, runs }: ReadReason): string {
  return number("count") > 1 ? `, ${runs()}` : "";
}

function sizeName(field: Reason["evidence"][string]): string {
  return field === "emailSize" ? "email" : "attachments";
}

/** The units of time, each with the number from which the next unit is used. */
const UNITS = [
  ["hours", HOUR, 48],
  ["days", DAY, 28],
  ["weeks", 7 * DAY, 13],
  ["months", 30.44 * DAY, 24],
  ["years", 365.25 * DAY, Infinity],
] as const;

function spanText(ms: number): string {
  const [name, unitMs] = UNITS.find(([, unitMs, most]) => Math.round(ms / unitMs) < most)!;
  const count = Math.max(1, Math.round(ms / unitMs));
  return formatCountOf(count, name.slice(0, -1), name);
}
