/** Says whether report schedules are up. */
import {
  type Client,
  type ClientOptions,
  createClient,
  defaultStatusDictionary,
  describePlan,
  isDocketError,
  judgeSchedule,
  type ReportRun,
  type RunHistory,
  timeOf,
  type Verdict,
  withZone,
} from "../lib/mod.ts";
import type { JudgeCommand } from "./command.ts";
import { printError } from "./error_message.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { colouredState, usesColour } from "./colour.ts";
import { layOut } from "./table.ts";

/** A schedule is judged by no more runs than this. */
const MOST_RUNS = 1000;

/**
 * Judges schedules and writes their verdicts. The exit code is `failed` when one of them is down or
 * has a critical reason, or else `missing` when the service does not have one of them.
 */
export async function judge(
  { scheduleIds, plan, serviceZone, json }: JudgeCommand,
  options: ClientOptions,
  io: Io,
): Promise<number> {
  const client = createClient(options);
  const rows = [];
  for (const scheduleId of scheduleIds) {
    const history = await readHistory(client, scheduleId, serviceZone).catch(async (error) => {
      // A 404 without a problem document comes from a wrong address.
      const isMissing = isDocketError(error) && error.kind === "http" && error.status === 404 &&
        error.problem;
      if (!isMissing) throw error;
      await io.err.write(`Schedule ${scheduleId} could not be judged. `);
      await printError(error, io);
    });
    if (!history) continue;
    const verdict = judgeSchedule(history, {
      now: io.now(),
      statuses: defaultStatusDictionary(),
      ...(plan && { plan }),
    });
    rows.push(rowOf(scheduleId, history, verdict));
  }
  if (json) {
    await io.out.write(JSON.stringify(rows, null, 2) + "\n");
  } else if (rows.length > 0) {
    const isColoured = usesColour(io);
    const lines = rows.map(({ reasons, ...row }) => ({
      ...row,
      reasons: reasons.map(({ code, severity }) =>
        severity === "critical" ? `${code} (critical)` : code
      ).join(", "),
    }));
    const table = layOut(["scheduleId", "state", "plan", "next", "runs", "reasons"], lines, {
      isColoured,
    });
    const text = lines.map((line) => {
      const words = table.line(line);
      return isColoured ? words.replace(line.state, colouredState(line.state)) : words;
    });
    await io.out.write(table.head() + text.join(""));
  }
  // A report that goes to people outside is up, and critical all the same.
  const isWrong = rows.some(({ state, reasons }) =>
    state === "down" || reasons.some(({ severity }) => severity === "critical")
  );
  if (isWrong) return ExitCode.failed;
  return rows.length < scheduleIds.length ? ExitCode.missing : ExitCode.done;
}

/** Up to a thousand runs; which end of the history is missing is seen by their order. */
async function readHistory(
  client: Client,
  scheduleId: number,
  serviceZone: string,
): Promise<RunHistory> {
  const runs: ReportRun[] = [];
  const walk = client.reportSchedules.history(scheduleId, { limit: 250 }).walk();
  let isCut = false;
  for await (const run of walk) {
    isCut = runs.length === MOST_RUNS;
    if (isCut) break;
    runs.push(withZone(run, serviceZone));
  }
  const times = runs.map(({ startTime }) => timeOf(startTime)).filter((time) => time !== undefined);
  const isOldestFirst = times.length > 1 && times[0] < times[times.length - 1];
  return { runs, olderUnread: isCut && !isOldestFirst, newerUnread: isCut && isOldestFirst };
}

function rowOf(scheduleId: number, { runs }: RunHistory, verdict: Verdict) {
  const { state, reasons, schedule } = verdict;
  const at = (time: number | null | undefined) =>
    typeof time === "number" ? new Date(time).toISOString() : null;
  return {
    scheduleId,
    state,
    plan: schedule ? describePlan(schedule.plan) : null,
    next: at(schedule?.next),
    runs: runs.length,
    reasons: reasons.map(({ code, severity, since }) => ({ code, severity, since: at(since) })),
  };
}
