/** The judgement that the observer goes by. */
import { judge as judgeRuns } from "../../../lib/runs/judgement.ts";
import { timeOf } from "../../../lib/runs/times.ts";
import type { KeptReason } from "../../store/observer/types.ts";
import type { Judge, PlanSlots } from "./judge.ts";

/** Judges a schedule by its runs. */
export const judge: Judge = ({ runs, olderUnread = false }, { now, statuses }) => {
  const loaded = {
    runs,
    repeated: [],
    stopped: olderUnread ? "enough" as const : "end" as const,
    older: olderUnread,
    newer: false,
  };
  const { health, cadence } = judgeRuns(loaded, { dictionary: statuses, now });
  const reasons: KeptReason[] = [];
  const { streak } = health;
  if (streak?.meaning === "bad") {
    reasons.push({
      code: "failing",
      severity: "critical",
      since: timeOf(streak.first.startTime) ?? null,
      runs: [streak.first.id],
      evidence: { runs: streak.count },
    });
  }
  const overdue = cadence?.overdue ?? [];
  if (overdue.length > 0) {
    reasons.push({
      code: "overdue",
      severity: "critical",
      since: cadence!.next,
      runs: [],
      evidence: { slots: overdue.length },
    });
  }
  const state = reasons.length > 0 ? "down" : runs.length === 0 ? "new" : "up";
  return { state, reasons, schedule: null, health };
};

/** The moments of a plan within a span. */
export const planSlots: PlanSlots = () => [];
