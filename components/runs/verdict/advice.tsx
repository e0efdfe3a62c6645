import type { ReasonCode } from "../../../lib/judgement/reason.ts";
import type { Verdict } from "../../../lib/judgement/judge_schedule.ts";
import type { ComponentChildren } from "preact";
import { compareHref, recipientsHref, runHref, scheduleHref, statusesHref } from "../run_links.ts";

export function Advice({ code, verdict: { health, reasons }, scheduleId }: {
  readonly code: ReasonCode;
  readonly verdict: Verdict;
  readonly scheduleId: number;
}): ComponentChildren {
  const { latest, lastGood, streak } = health;
  const reason = reasons.find((reason) => reason.code === code);
  const shown = reason?.runs[0];
  const run = (text: string) =>
    shown === undefined ? text : <a href={runHref(scheduleId, shown)}>{text}</a>;
  const plan = (text: string) => <a href={`${scheduleHref(scheduleId)}/plan`}>{text}</a>;
  const recipients = <a href={recipientsHref(scheduleId)}>recipients</a>;
  switch (code) {
    case "failing":
      return (
        <>
          Open the {streak && <a href={runHref(scheduleId, streak.last.id)}>latest failed run</a>}
          {lastGood && streak && (
            <>
              , or{" "}
              <a href={compareHref(scheduleId, lastGood.id, streak.last.id)}>
                compare it with the last success
              </a>
            </>
          )}.
        </>
      );
    case "missed":
      return (
        <>Find out why it did not run then. If no run was expected, {plan("change the plan")}.</>
      );
    case "overdue":
      return (
        <>Check that the scheduler runs this report, and that {plan("the plan")} is still right.</>
      );
    case "late":
      if (reason && !("due" in reason.evidence)) return <>Look at {run("the late run")}.</>;
      return "It may still start. Nothing to do yet.";
    case "stuck":
      return <>Check whether {run("the open run")} is still working.</>;
    case "started-by-hand":
    case "flaky":
      return <>Find out what {run("the failed runs")} have in common.</>;
    case "unknown-status":
      return (
        <>
          Say{" "}
          <a href={statusesHref(scheduleId, [String(reason?.evidence.status ?? "")])}>
            what the status means
          </a>.
        </>
      );
    case "outside-recipient":
    case "leaver-recipient":
      return (
        <>
          Check that they should get this report:{" "}
          <a href={recipientsHref(scheduleId)}>recipients</a>.
        </>
      );
    case "recipients-dropped":
    case "sent-to-nobody":
      return <>Check who left the list of {recipients}.</>;
    case "empty-delivery":
    case "size-jump":
      return <>Check the content of {run("the run where it changed")}.</>;
    case "slower":
      return <>Look at {run("a slow run")} and at the chart of durations.</>;
    case "clock":
    case "inconsistent":
      return (
        <>
          Look at the <a href={`${scheduleHref(scheduleId)}/check`}>inconsistencies</a>.
        </>
      );
    case "unread":
      return "Load the page again, or load more runs below.";
    case "never-ran":
      return latest ? null : "Check the id, and when the first run is due.";
  }
}
