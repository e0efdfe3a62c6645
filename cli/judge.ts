/** Says how report schedules are doing. */
import {
  type ClientOptions,
  createClient,
  describePlan,
  headline,
  isDocketError,
  judge as judgeClient,
  reasonText,
} from "../lib/mod.ts";
import { readCalendar } from "../lib/judgement/plans/calendar.ts";
import { type JudgeCommand, UsageError } from "./command.ts";
import { printError } from "./error_message.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { colouredHeadline, usesColour } from "./colour.ts";
import { layOut } from "./table.ts";

/**
 * Judges schedules and writes their verdicts. The exit code is `failed` when one of them is down or
 * has a critical reason, or else `missing` when the service does not have one of them.
 */
export async function judge(
  { scheduleIds, plan, calendar, serviceZone, json, columns }: JudgeCommand,
  options: ClientOptions,
  io: Io,
): Promise<number> {
  const days = calendar === undefined ? [] : await readDays(calendar, io);
  const client = createClient(options);
  const rows = [];
  for (const scheduleId of scheduleIds) {
    const judging = judgeClient(client, scheduleId, {
      now: io.now(),
      calendar: days,
      serviceZone,
      ...(plan && { plan }),
    });
    const verdict = await judging.catch(async (error) => {
      // A 404 without a problem document comes from a wrong address.
      const isMissing = isDocketError(error) && error.kind === "http" && error.status === 404 &&
        error.problem;
      if (!isMissing) throw error;
      await io.err.write(`Schedule ${scheduleId} could not be judged. `);
      await printError(error, io);
    });
    if (verdict) rows.push(rowOf(scheduleId, verdict));
  }
  if (json) {
    await io.out.write(JSON.stringify(rows, null, 2) + "\n");
  } else if (rows.length > 0) {
    const lines = rows.flatMap(linesOf);
    const table = layOut(columns, lines, io);
    const text = lines.map((line) => {
      const words = table.line(line);
      return usesColour(io) ? words.replace(line.headline, colouredHeadline(line.headline)) : words;
    });
    await io.out.write(table.head() + text.join(""));
    await table.printCut("--columns chooses, and --json writes everything");
  }
  // A report that goes to people outside may be on time, and is still critical.
  const isWrong = rows.some(({ state, reasons }) =>
    state === "down" || reasons.some(({ severity }) => severity === "critical")
  );
  if (isWrong) return ExitCode.failed;
  return rows.length < scheduleIds.length ? ExitCode.missing : ExitCode.done;
}

/** The days without runs in a file. */
async function readDays(path: string, io: Io): Promise<readonly string[]> {
  const text = await io.readFile(path);
  if (text === undefined) throw new UsageError(`--calendar: there is no file ${path}`);
  try {
    return readCalendar(text);
  } catch (error) {
    throw new UsageError(`--calendar ${path}: ${(error as Error).message}`);
  }
}

function rowOf(scheduleId: number, verdict: Awaited<ReturnType<typeof judgeClient>>) {
  const { state, reasons, schedule, seen } = verdict;
  const at = (time: number | null | undefined) =>
    typeof time === "number" ? new Date(time).toISOString() : null;
  return {
    scheduleId,
    state,
    headline: headline(verdict),
    plan: schedule ? describePlan(schedule.plan) : null,
    // Whoever gives a plan confirms it.
    planSource: schedule?.source ?? null,
    next: at(schedule?.next),
    runs: seen.runs,
    reasons: reasons.map((reason) => ({
      code: reason.code,
      severity: reason.severity,
      since: at(reason.since),
      count: typeof reason.evidence.count === "number" ? reason.evidence.count : null,
      text: reasonText(reason, { zone: schedule?.plan.zone }),
    })),
  };
}

/** The lines of a schedule in the table: one for each reason, or else one without. */
function linesOf({ reasons, planSource, plan, next, ...row }: ReturnType<typeof rowOf>) {
  const line = {
    ...row,
    plan: planSource === "inferred" ? `${plan} (inferred)` : plan,
    next: next && toMinute(next),
  };
  if (reasons.length === 0) return [line];
  return reasons.map(({ since, count, text }) => ({
    ...line,
    since: since && toMinute(since),
    count,
    reason: text,
  }));
}

/** A time without seconds: they would cut the words beside it. */
function toMinute(time: string): string {
  return `${time.slice(0, 16)}Z`;
}
