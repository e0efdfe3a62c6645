import {
  createClient,
  describePlan,
  headline,
  judge,
  type Reason,
  reasonText,
} from "../lib/mod.ts";
import type { UnknownStatus } from "../lib/runs/status.ts";
import { readCalendar, skippedWords } from "../lib/calendars/read_calendar.ts";
import { checkZone, parsePlan } from "../lib/judgement/plans/parse.ts";
import { type CommandLine, ExitCode, readNamedFile, UsageError } from "./command.ts";
import { isErrorOfOneSchedule, isMissingSchedule, printError } from "./error_message.ts";
import type { Io } from "./io.ts";
import type { Values } from "./options.ts";
import { colouredHeadline, printTable, usesColour } from "./table.ts";
import { VERDICT_COLUMNS, VERDICT_TABLE } from "./table_rows.ts";
import { loadStatuses, printUnknown, readStatusOption } from "./statuses.ts";
import { readColumns, readIds } from "./values.ts";
import { jsonText } from "./writer.ts";

/** Writes verdicts; exits with `failed` if a schedule is down or has a critical reason. */
export function readJudge(values: Values, positionals: readonly string[]): CommandLine {
  const scheduleIds = readIds(positionals.join(","));
  if (scheduleIds.length === 0) {
    throw new UsageError("judge needs the ids of schedules, such as 101-112");
  }
  const own = readStatusOption(values);
  const columns = readColumns(values.columns, VERDICT_COLUMNS) ?? VERDICT_TABLE;
  const judging = readJudging(values);
  return {
    async run(io, connect) {
      const calendar = await readDays(values.calendar, io);
      const connection = await connect();
      const client = createClient(connection);
      const statuses = await loadStatuses(own, connection, io);
      const options = { ...judging, now: io.now(), calendar, statuses };
      const unknown: UnknownStatus[] = [];
      const rows: VerdictRow[] = [];
      let code: number = ExitCode.done;
      for (const scheduleId of scheduleIds) {
        try {
          const verdict = await judge(client, scheduleId, options);
          rows.push(toRow(scheduleId, verdict));
          unknown.push(...verdict.unknownStatuses);
        } catch (error) {
          if (!isErrorOfOneSchedule(error)) throw error;
          await io.err.write(`Schedule ${scheduleId} could not be judged. `);
          const failure = await printError(error, io);
          code = isMissingSchedule(error) ? code || ExitCode.missing : failure;
        }
      }
      if (values.json) {
        await io.out.write(jsonText(rows));
      } else if (rows.length > 0) {
        const remedy = "--columns chooses, and --json writes everything";
        const paint = (line: string, { headline }: Pick<VerdictRow, "headline">) =>
          usesColour(io) ? line.replace(headline, colouredHeadline(headline)) : line;
        await printTable(columns, rows.flatMap(formatLines), io, remedy, paint);
      }
      // A schedule that is up may have a critical reason, such as a recipient outside.
      const isWrong = rows.some(({ state, reasons }) =>
        state === "down" || reasons.some(({ severity }) => severity === "critical")
      );
      await printUnknown(unknown, io);
      const isUnknown = rows.some(({ reasons }) =>
        reasons.some(({ code }) => code === "unknown-status")
      );
      return isWrong ? ExitCode.failed : code || (isUnknown ? ExitCode.changed : ExitCode.done);
    },
  };
}

function readJudging({ cron, zone, grace, "service-zone": serviceZone = "UTC" }: Values) {
  if (cron === undefined && zone !== undefined) throw new UsageError("--zone needs --cron");
  if (cron === undefined && grace !== undefined) throw new UsageError("--grace needs --cron");
  try {
    return {
      serviceZone: checkZone("service-zone", serviceZone),
      // The plan applies to the whole history.
      ...(cron !== undefined && { plans: [parsePlan({ cron, zone, grace }, 0)] }),
    };
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}`);
  }
}

async function readDays(path: string | undefined, io: Io): Promise<readonly string[]> {
  if (path === undefined) return [];
  const text = await readNamedFile("--calendar", path, io);
  try {
    const { days, skipped } = readCalendar(text, io.now());
    if (skipped > 0) await io.err.write(`${path}: skipped ${skippedWords(skipped)}\n`);
    return days;
  } catch (error) {
    throw new UsageError(`--calendar ${path}: ${(error as Error).message}`);
  }
}

type VerdictRow = ReturnType<typeof toRow>;

function toRow(scheduleId: number, verdict: Awaited<ReturnType<typeof judge>>) {
  const { state, reasons, schedule, seen } = verdict;
  const at = (time: number | null | undefined) =>
    typeof time === "number" ? new Date(time).toISOString() : null;
  return {
    scheduleId,
    state,
    headline: headline(verdict),
    plan: schedule ? describePlan(schedule.plan) : null,
    // A plan from --cron counts as confirmed.
    planSource: schedule?.source ?? null,
    next: at(schedule?.next),
    runs: seen.runs,
    reasons: reasons.map((reason) => ({
      code: reason.code,
      severity: reason.severity,
      since: at(reason.since),
      count: countIn(reason),
      text: reasonText(reason, { zone: schedule?.plan.zone }),
    })),
  };
}

/** How many runs, planned runs or people a reason is about. */
function countIn(reason: Reason): number | null {
  switch (reason.code) {
    case "stuck":
    case "flaky":
    case "clock":
    case "never-ran":
    case "unreadable":
    case "stale":
    case "behind":
    case "channel-failing":
      return null;
    default:
      return reason.count;
  }
}

/** The lines of a schedule in the table: one for each reason, or else a single one. */
function formatLines({ reasons, planSource, plan, next, ...row }: VerdictRow) {
  // Leaves out seconds, because the columns beside have little room.
  const toMinute = (time: string | null) => time && `${time.slice(0, 16)}Z`;
  const line = {
    ...row,
    plan: planSource === "inferred" ? `${plan} (inferred)` : plan,
    next: toMinute(next),
  };
  if (reasons.length === 0) return [line];
  return reasons.map(({ since, count, text }) => ({
    ...line,
    since: toMinute(since),
    count,
    reason: text,
  }));
}
