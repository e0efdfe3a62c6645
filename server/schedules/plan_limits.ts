/** Limits of plans, so that each can be judged and shown. */
import { DAY, MINUTE } from "../../lib/time_units.ts";
import { formatCount } from "../../lib/format.ts";
import { type Plan, readPlan, slotsPerDay } from "../../lib/judgement/plans/plan.ts";
import { firstSlot } from "../../lib/judgement/plans/slot_times.ts";
import { readCron } from "../../lib/judgement/plans/cron.ts";

const MAX_LINES = 20;
const MAX_CHARACTERS = 200;
const MAX_PER_DAY = 24 * 60;
export const MAX_GRACE_MINUTES = 31 * 24 * 60;
const MAX_SLOTS = 1_000_000;
/** The next 29 February may be eight years away. */
const MAX_AHEAD = 9 * 366 * DAY;

export function cronLinesIssue(lines: readonly string[]): string | null {
  if (lines.length === 0) return "must have at least one line, such as 0 6 * * 1-5";
  if (lines.length > MAX_LINES) return `must have at most ${MAX_LINES} lines`;
  const issues = lines.flatMap((line) => {
    const issue = cronIssue(line);
    return issue ? [`"${line.slice(0, 100)}": ${issue}`] : [];
  });
  return issues.join("; ") || null;
}

function cronIssue(line: string): string | null {
  if (line.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  try {
    readCron(line);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The field of a valid plan that exceeds a limit, and what is wrong with it. */
export function planExcess(
  plan: Plan,
  now: number,
): { readonly field: "cron" | "grace" | "from"; readonly issue: string } | null {
  const read = readPlan(plan);
  const perDay = slotsPerDay(read);
  if (perDay > MAX_PER_DAY) {
    const issue = `must not be due more than ${formatCount(MAX_PER_DAY)} times a day, ` +
      `not ${formatCount(perDay)}: remove lines, or minutes from them`;
    return { field: "cron", issue };
  }
  if (plan.graceMs > MAX_GRACE_MINUTES * MINUTE) {
    return { field: "grace", issue: "must be at most 31 days" };
  }
  if ((now - plan.since) / DAY * perDay > MAX_SLOTS) {
    const issue = "is too long ago for a plan with so many runs: enter a later day";
    return { field: "from", issue };
  }
  return firstSlot(read, now, now + MAX_AHEAD) === null
    ? { field: "cron", issue: "is never due: there is no such day" }
    : null;
}
