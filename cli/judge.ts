import { readCalendar, skippedWords } from "../lib/calendars/read_calendar.ts";
import { parsePlan } from "../lib/judgement/plans/parse.ts";
import { createClient, describePlan, headline, judge, reasonText } from "../lib/mod.ts";
import type { UnknownStatus } from "../lib/runs/status.ts";
import { command, ExitCode, text, UsageError } from "./command.ts";
import { NO_PLAN_TEXT } from "../lib/judgement/reason_text.ts";
import { isErrorOfOneSchedule, isMissingSchedule, printError } from "./error_message.ts";
import { readNamedFile } from "./files.ts";
import type { Io } from "./io.ts";
import { loadMeanings, printUnknown, STATUSES } from "./statuses.ts";
import { PLAN, readColumns, readIds, readPlanOptions, zone } from "./values.ts";
import { writeRows } from "./writer.ts";

const TABLE = ["scheduleId", "headline", "since", "count", "reason"];
const COLUMNS = [...TABLE, "state", "plan", "next", "runs"];

/** Writes verdicts; exits with `failed` if a schedule is down or has a critical reason. */
export const judgeSchedules = command({
  arguments: "IDS…",
  use: "judge schedules; exit with 1 if one is down or has a critical reason",
  options: {
    statuses: STATUSES,
    ...PLAN,
    calendar: text("FILE", "days without runs: an iCalendar file (.ics) of all-day events"),
    "service-zone": zone(
      "the zone of times that the service sends without one (default: as Docket says, or UTC)",
    ),
    columns: text("A,B", `the table's columns, of ${COLUMNS.join(", ")}`),
  },
  notes: `
Infers from at most 1,000 runs when each schedule is due, or takes the plan of
--cron. Shows the worst of these headlines that applies: failing, overdue,
empty, outside, unknown, missed, changed, flaky, late, healthy or new; and a
line for each reason, with its start and how many runs or people it is about.
Exits with 3 if the service lacks a schedule, or nobody knows what the status of
a newest run means, and nothing else is wrong. What people decided in a Docket
isn't known here: a recipient whom they expect counts as outside.

Examples:
  docket judge 101-112 120 --statuses archived=good,in_doubt=bad
  docket judge 101 --cron '0 6 * * *' --zone UTC --grace 20m
`,
  async run({ values, words, io, connect }) {
    const scheduleIds = readIds(words);
    const columns = readColumns(values.columns, COLUMNS) ?? TABLE;
    const plan = readPlanOptions(values);
    const calendar = await readSkipDays(values.calendar, io);
    const connection = connect();
    const client = createClient(connection);
    const asked = await loadMeanings(values.statuses, connection, io);
    const options = {
      serviceZone: values["service-zone"] ?? asked.serviceZone,
      // The plan applies to the whole history.
      ...(plan && { plans: [parsePlan(plan, 0)] }),
      ...{ now: io.now(), calendar, statuses: asked.statuses },
    };
    const unknown: UnknownStatus[] = [];
    const rows: VerdictRow[] = [];
    let code: number = ExitCode.done;
    for (const scheduleId of scheduleIds) {
      try {
        const verdict = await judge(client, scheduleId, options);
        rows.push(toRow(scheduleId, verdict, io.now()));
        unknown.push(...verdict.unknownStatuses);
      } catch (error) {
        if (!isErrorOfOneSchedule(error)) throw error;
        await io.err.write(`Schedule ${scheduleId} could not be judged. `);
        const failure = await printError(error, io, { connection });
        code = isMissingSchedule(error) ? code || ExitCode.incomplete : failure;
      }
    }
    const format = values.json ? "json" : "table";
    await writeRows(
      values.json ? rows : rows.flatMap(toLines),
      { format, columns },
      io,
    );
    await printUnknown(unknown, io);
    // A schedule that is up may have a critical reason, such as a recipient outside.
    const isWrong = rows.some(({ reasons }) =>
      reasons.some(({ severity }) => severity === "critical")
    );
    if (isWrong) return ExitCode.failed;
    const isUnknown = rows.some(({ reasons }) =>
      reasons.some(({ code }) => code === "unknown-status")
    );
    return code || (isUnknown ? ExitCode.incomplete : ExitCode.done);
  },
});

async function readSkipDays(path: string | undefined, io: Io): Promise<readonly string[]> {
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

function toRow(scheduleId: number, verdict: Awaited<ReturnType<typeof judge>>, now: number) {
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
      // How many runs, planned runs or people it is about.
      count: { count: null, ...reason }.count,
      text: reasonText(reason, { written: now }),
    })),
  };
}

/** The lines of a schedule in the table: one for each reason, or else a single one. */
function toLines({ reasons, planSource, plan, ...row }: VerdictRow): object[] {
  const line = { ...row, plan: planSource === "inferred" ? `${plan} (inferred)` : plan };
  if (reasons.length === 0) {
    const isPlanless = plan === null && row.headline === "unknown";
    return [{ ...line, ...isPlanless && { reason: NO_PLAN_TEXT } }];
  }
  return reasons.map(({ since, count, text }) => ({ ...line, since, count, reason: text }));
}
