/** What to do about the reason for a verdict or an incident. */
import type { ReasonCode } from "./reason.ts";

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
