import {
  type ClientOptions,
  createClient,
  type Recipient,
  type RecipientSpan,
  recipientSpans,
  type ReportRun,
} from "../lib/mod.ts";
import { formatCountOf, wholeNumber } from "../lib/format.ts";
import { comparedAddress, listsLess, peopleAmong } from "../lib/runs/recipients.ts";
import { SPAN_COLUMNS } from "../lib/runs/recipient_spans.ts";
import { meaningOf, unknownStatuses } from "../lib/runs/status.ts";
import { timeOf, withZone } from "../lib/runs/times.ts";
import { command, ExitCode, type Invocation, needed, text, UsageError } from "./command.ts";
import { isErrorOfOneSchedule, printError } from "./error_message.ts";
import type { Io } from "./io.ts";
import { printDrift } from "./list.ts";
import { interruptible } from "./progress.ts";
import { loadMeanings, printUnknown, STATUSES } from "./statuses.ts";
import { readIds } from "./values.ts";
import { chosenFormat, FORMAT, writeRows } from "./writer.ts";

const OPTIONS = { statuses: STATUSES, format: FORMAT };

/** The columns of a table; the last ones are the first to be cut. */
const TABLE = ["scheduleId", "receiving", "runs", "first", "last", "displayName", "emailAddress"];

export const recipients = command({
  arguments: "IDS…",
  use: "list who received which schedules, and since when",
  options: OPTIONS,
  notes: `
Reads each history whole. Lists every person: the starts of the first and the
last successful run that listed them, the number of such runs, and whether the
latest one does. A person is a user id, or else an address. Exits with 3 if a
schedule can't be read, runs with an unknown status were left out, or successful
ones have no start or do not list all their recipients.
`,
  run: (call) => printSpans(call, readIds(call.words)),
});

export const who = command({
  arguments: "PERSON",
  use: "list what an address or a user id received",
  options: {
    schedules: needed(text("IDS", "the schedules to read, such as 101-112,120")),
    ...OPTIONS,
  },
  notes: `
Example:
  docket who rowan.pike@partner.example.net --schedules 101,105,110-112
`,
  run(call) {
    const [person] = call.words;
    if (!person.includes("@") && wholeNumber(person) === null) {
      throw new UsageError("who needs an address or a user id");
    }
    return printSpans(call, readIds([call.values.schedules]), person);
  },
});

async function printSpans(
  { values, io, connect }: Invocation<typeof OPTIONS>,
  scheduleIds: readonly number[],
  person?: string,
): Promise<number> {
  const format = chosenFormat(values);
  const connection = connect();
  const { statuses, serviceZone } = await loadMeanings(values.statuses, connection, io);
  const { histories, isWhole } = await readHistories(connection, scheduleIds, io, serviceZone);
  const spans = recipientSpans(histories, statuses);
  const unknown = [...histories.values()].flatMap((runs) => unknownStatuses(runs, statuses));
  const found = person === undefined ? spans : findSpans(person, spans, histories);
  const isTable = format === "table";
  const columns = isTable ? TABLE : SPAN_COLUMNS;
  const inDays = found.map((span) => (
    { ...span, first: span.first.slice(0, 10), last: span.last.slice(0, 10) }
  ));
  await writeRows(isTable ? inDays : found, { format, columns }, io);
  const isLess = await printUnknown(unknown, io);
  const short = [...histories.values()].flat()
    .filter((run) => meaningOf(run.status, statuses) === "good")
    .filter((run) => listsLess(run) || timeOf(run.startTime) === undefined).length;
  if (short > 0) {
    const runs = formatCountOf(short, "successful run has", "successful runs have");
    await io.err.write(`${runs} no start or not all recipients\n`);
  }
  const whom = person === undefined ? "anybody" : "that address or user id";
  if (found.length === 0) await io.err.write(`No run known to be successful lists ${whom}\n`);
  return isLess || !isWhole || short > 0 ? ExitCode.incomplete : ExitCode.done;
}

/** Reads the runs of each schedule; not whole if rows changed, or a schedule is missing. */
async function readHistories(
  connection: ClientOptions,
  scheduleIds: readonly number[],
  io: Io,
  zone = "UTC",
) {
  const client = createClient(connection);
  const histories = new Map<number, readonly ReportRun[]>();
  let isWhole = true;
  await interruptible(io, async (signal) => {
    for (const scheduleId of scheduleIds) {
      const walk = client.reportSchedules.history(scheduleId).walk({ signal });
      try {
        const runs: ReportRun[] = [];
        for await (const run of walk) runs.push(withZone(run, zone));
        histories.set(scheduleId, runs);
        if (await printDrift(walk.report, io) !== ExitCode.done) isWhole = false;
      } catch (error) {
        if (!isErrorOfOneSchedule(error)) throw error;
        await io.err.write(`Schedule ${scheduleId} was left out. `);
        await printError(error, io, { connection });
        isWhole = false;
      }
    }
  });
  return { histories, isWhole };
}

/** The spans of those whom runs list with this user id or address. */
function findSpans(
  person: string,
  spans: readonly RecipientSpan[],
  histories: ReadonlyMap<number, readonly ReportRun[]>,
): readonly RecipientSpan[] {
  const lists = [...histories.values()].flat().map(({ recipients }) => recipients ?? []);
  const identify = peopleAmong(lists);
  const isListed = (recipient: Recipient) =>
    person.includes("@")
      ? comparedAddress(recipient.emailAddress) === comparedAddress(person)
      : recipient.userId === Number(person);
  const keys = new Set(lists.flat().filter(isListed).map((recipient) => identify(recipient).key));
  return spans.filter((span) => keys.has(identify(span).key));
}
