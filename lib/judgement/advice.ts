/** What to do about the reason for a verdict or an incident. */
import type { ReasonCode } from "./reason.ts";

/** The words in brackets are a link on a page. */
const ADVICE: Readonly<Record<ReasonCode, string>> = {
  failing: "Find out why [the latest run] failed, and run the report again.",
  overdue: "Check that the scheduler runs this report, and that [its plan] is still right.",
  missed: "Find out why it did not run then. If no run was expected, [change its plan].",
  late: "It may still start. Nothing to do yet.",
  stuck: "Check whether [the open run] is still working.",
  "started-by-hand": "Find out what [the failed runs] have in common.",
  flaky: "Find out what [the failed runs] have in common.",
  "unknown-status": "Say [what each status means] on the page Service.",
  "outside-recipient": "Check whether [these recipients] should get this report.",
  "leaver-recipient": "Check whether [these recipients] should get this report.",
  "recipients-dropped": "Check who left the list of [recipients].",
  "sent-to-nobody": "Check who left the list of [recipients], and send the report again.",
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

/** The advice before, in and after its link, if it has one; none for a code of another version. */
export function adviceParts(code: string): readonly string[] {
  return Object.hasOwn(ADVICE, code) ? ADVICE[code as ReasonCode].split(/[[\]]/) : [];
}
