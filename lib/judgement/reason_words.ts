/** Reasons why a schedule needs attention, in words. */
import {
  formatBytes,
  formatChange,
  formatCount,
  formatCountOf,
  formatDuration,
} from "../format.ts";
import type { Reason } from "./reason.ts";

/** A reason in a few words, such as `failing for 7 runs`. */
export function reasonWords({ code, evidence }: Pick<Reason, "code" | "evidence">): string {
  const number = (name: string) => Number(evidence[name] ?? 0);
  const runs = (name = "count") => formatCountOf(number(name), "run", "runs");
  const source = evidence.confirmed ? "" : " (inferred)";
  switch (code) {
    case "failing":
      return `failing for ${evidence.reachesBack ? "at least " : ""}${runs()}`;
    case "overdue":
      return `${runs()} overdue${source}`;
    case "missed":
      if (evidence.recent === undefined) return `${runs()} missed${source}`;
      if (evidence.recent === 0) {
        const none = number("count") === 1 ? "but not" : "none of them";
        return `${runs()} missed, ${none} recently${source}`;
      }
      return number("count") > number("recent")
        ? `${runs()} missed, ${formatCount(number("recent"))} of them recently${source}`
        : `${runs("recent")} missed recently${source}`;
    case "late":
      return evidence.due
        ? `due, ${formatDuration(number("lateMs"))} late so far`
        : `${runs()} late, ${number("count") > 1 ? "the last one " : ""}by ` +
          formatDuration(number("lateMs"));
    case "stuck":
      return `a run has been open for ${formatDuration(number("openMs"))}; ` +
        `runs usually take ${formatDuration(number("usualMs"))}`;
    case "started-by-hand":
      return `${number("count")} of the last ${formatCountOf(number("of"), "run", "runs")} ` +
        "had to be repaired by hand";
    case "unknown-status":
      return number("statuses") > 1
        ? `${runs()} with ${number("statuses")} unknown statuses, the last one ${evidence.status}`
        : `${runs()} with the unknown status ${evidence.status}`;
    case "outside-recipient":
      return number("count") === 1
        ? `a new external recipient at ${evidence.domains}`
        : `${number("count")} new external recipients at ${evidence.domains}`;
    case "recipients-dropped":
      return `sent to ${number("after")} instead of ${number("before")} recipients`;
    case "sent-to-nobody":
      return "sent to nobody";
    case "empty-delivery":
      return `${runs()} successful, but without content`;
    case "size-jump":
      return `${evidence.field === "emailSize" ? "email" : "attachments"} ` +
        `${formatChange(number("before"), number("after"))}: ` +
        `${formatBytes(number("before"))} → ${formatBytes(number("after"))}`;
    case "slower":
      return evidence.outliers
        ? `${number("outliers")} of ${runs("of")} took much longer than usual`
        : `${evidence.slowly ? "gradually " : ""}slower: ` +
          `${formatDuration(number("before"))} → ${formatDuration(number("after"))}`;
    case "flaky":
      return `${number("failed")} of the last ${formatCount(number("of"))} runs failed`;
    case "clock":
      return `${runs()} with impossible times`;
    case "inconsistent":
      return formatCountOf(number("count"), "recent inconsistency", "recent inconsistencies");
    case "unread":
      return "newer runs could not be loaded";
    case "never-ran":
      return "has never run";
  }
}
