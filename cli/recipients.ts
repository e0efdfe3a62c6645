import {
  type Client,
  createClient,
  type Recipient,
  type RecipientSpan,
  recipientSpans,
  type ReportRun,
} from "../lib/mod.ts";
import { wholeNumber } from "../lib/format.ts";
import { comparedAddress, peopleAmong } from "../lib/runs/recipients.ts";
import { SPAN_COLUMNS } from "../lib/runs/recipient_spans.ts";
import { unknownStatuses } from "../lib/runs/status.ts";
import { type CommandLine, ExitCode, interruptible, UsageError } from "./command.ts";
import { isMissingSchedule, printError } from "./error_message.ts";
import type { Io } from "./io.ts";
import { printDrift } from "./list.ts";
import type { Values } from "./options.ts";
import { loadStatuses, printUnknown, readStatusOption } from "./statuses.ts";
import { SPAN_TABLE } from "./table_rows.ts";
import { readFormat, readIds } from "./values.ts";
import { createWriter } from "./writer.ts";

export function readRecipients(values: Values, positionals: readonly string[]): CommandLine {
  const scheduleIds = readIds(positionals.join(","));
  if (scheduleIds.length === 0) {
    throw new UsageError("recipients needs the ids of schedules, such as 101-112");
  }
  return spansCommand(values, scheduleIds);
}

export function readWho(values: Values, positionals: readonly string[]): CommandLine {
  const [person] = positionals;
  if (positionals.length !== 1 || !person.includes("@") && wholeNumber(person) === null) {
    throw new UsageError("who needs an address or a user id");
  }
  if (values.schedules === undefined) {
    throw new UsageError("who needs --schedules, such as --schedules 101-112");
  }
  return spansCommand(values, readIds(values.schedules), person);
}

/** Lists recipients; exits with `missing` if a schedule is unknown, or no run lists the person. */
function spansCommand(
  values: Values,
  scheduleIds: readonly number[],
  person?: string,
): CommandLine {
  const format = readFormat(values);
  const own = readStatusOption(values);
  return {
    async run(io, connect) {
      const connection = await connect();
      const client = createClient(connection);
      const statuses = await loadStatuses(own, connection, io);
      const { histories, code } = await readHistories(client, scheduleIds, io);
      const spans = recipientSpans(histories, statuses);
      const unknown = [...histories.values()].flatMap((runs) => unknownStatuses(runs, statuses));
      const { found, note } = person === undefined
        ? { found: spans, note: "" }
        : readSpans(person, spans, histories);
      const columns = format === "table" ? SPAN_TABLE : SPAN_COLUMNS;
      const table = { format, columns, isChosen: false };
      const writer = createWriter(table, io, { remedy: "--format csv writes everything" });
      if (found.length > 0 || format !== "table") {
        for (const span of found) writer.row(format === "table" ? inDays(span) : span);
        await writer.end();
      }
      await io.err.write(note);
      const isLess = await printUnknown(unknown, io);
      if (found.length > 0) return code || (isLess ? ExitCode.changed : ExitCode.done);
      const who = person === undefined ? "Nobody" : "Nobody with that address or user id";
      const received = isLess ? "is known to have received" : "received";
      await io.err.write(`${who} ${received} a successful run of these schedules\n`);
      if (isLess) return code || ExitCode.changed;
      return person === undefined ? code : code || ExitCode.missing;
    },
  };
}

/** Reads the runs of each schedule. The code says if rows changed, or a schedule is missing. */
async function readHistories(client: Client, scheduleIds: readonly number[], io: Io) {
  const histories = new Map<number, readonly ReportRun[]>();
  let code: number = ExitCode.done;
  await interruptible(io, async (signal) => {
    for (const scheduleId of scheduleIds) {
      const walk = client.reportSchedules.history(scheduleId).walk({ signal });
      try {
        histories.set(scheduleId, await Array.fromAsync(walk));
        if (await printDrift(walk.report, io) === ExitCode.changed) code = ExitCode.changed;
      } catch (error) {
        if (!isMissingSchedule(error)) throw error;
        await io.err.write(`Schedule ${scheduleId} was left out. `);
        await printError(error, io);
        code ||= ExitCode.missing;
      }
    }
  });
  return { histories, code };
}

/** The spans of those whom runs list with this user id or address, and what is unusual about them. */
function readSpans(
  person: string,
  spans: readonly RecipientSpan[],
  histories: ReadonlyMap<number, readonly ReportRun[]>,
) {
  const lists = [...histories.values()].flat().map(({ recipients }) => recipients ?? []);
  const identify = peopleAmong(lists);
  const isListed = (recipient: Recipient) =>
    person.includes("@")
      ? comparedAddress(recipient.emailAddress) === comparedAddress(person)
      : recipient.userId === Number(person);
  const people = lists.flat().filter(isListed).map(identify);
  const keys = new Set(people.map(({ key }) => key));
  const ids = new Set(people.flatMap(({ userId }) => userId ?? []));
  const note = !person.includes("@") && keys.size > 0 && !ids.has(Number(person))
    ? `User id ${person} identifies nobody: these are all who are listed with it\n`
    : person.includes("@") && keys.size > 1
    ? `Several people have this address: user ids ${[...ids].join(", ")}\n`
    : "";
  return { found: spans.filter((span) => keys.has(identify(span).key)), note };
}

function inDays(span: RecipientSpan): object {
  return { ...span, first: span.first.slice(0, 10), last: span.last.slice(0, 10) };
}
