/** Says who received which schedules. */
import {
  type ClientOptions,
  createClient,
  isDocketError,
  type RecipientSpan,
  recipientSpans,
  type ReportRun,
} from "../lib/mod.ts";
import { SPAN_FIELDS } from "../lib/runs/recipient_spans.ts";
import type { RecipientsCommand } from "./command.ts";
import { SPAN_TABLE } from "./table_rows.ts";
import { printError } from "./error_message.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { printDrift } from "./list.ts";
import { createWriter } from "./writer.ts";

/**
 * Reads whole histories, and writes who received them: everybody, or one person. The exit code is
 * `missing` if the service lacks one of the schedules, or nobody is that person.
 */
export async function recipients(
  { scheduleIds, person, format }: RecipientsCommand,
  options: ClientOptions,
  io: Io,
): Promise<number> {
  const client = createClient(options);
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  const histories = new Map<number, readonly ReportRun[]>();
  let code: number = ExitCode.done;
  try {
    for (const scheduleId of scheduleIds) {
      const walk = client.reportSchedules.history(scheduleId).walk({ signal: interrupt.signal });
      try {
        histories.set(scheduleId, await Array.fromAsync(walk));
        if (await printDrift(walk.report, io) === ExitCode.changed) code = ExitCode.changed;
      } catch (error) {
        const isMissing = isDocketError(error) && error.kind === "http" && error.status === 404 &&
          error.problem;
        if (!isMissing) throw error;
        await io.err.write(`Schedule ${scheduleId} was left out. `);
        await printError(error, io);
        code ||= ExitCode.missing;
      }
    }
  } finally {
    release();
  }
  const spans = recipientSpans(histories);
  const found = person === undefined ? spans : spansOf(person, spans, histories);
  const columns = format === "table" ? SPAN_TABLE : Object.keys(SPAN_FIELDS);
  const writer = createWriter(
    { format, columns, isChosen: false },
    io,
    false,
    "--format csv writes everything",
  );
  if (found.length > 0 || format !== "table") {
    for (const span of found) writer.row(format === "table" ? inDays(span) : span);
    await writer.end();
  }
  if (found.length > 0) return code;
  const who = person === undefined ? "Nobody" : "Nobody with that address or user id";
  await io.err.write(`${who} received a successful run of these schedules\n`);
  return person === undefined ? code : code || ExitCode.missing;
}

/** The spans of a person, given a user id or any address that the person had. */
function spansOf(
  person: string,
  spans: readonly RecipientSpan[],
  histories: ReadonlyMap<number, readonly ReportRun[]>,
): readonly RecipientSpan[] {
  if (!person.includes("@")) return spans.filter(({ userId }) => userId === Number(person));
  const isTheirs = ({ emailAddress }: { readonly emailAddress?: string | null }) =>
    emailAddress?.toLowerCase() === person.toLowerCase();
  const listed = [...histories.values()].flat().flatMap(({ recipients }) => recipients ?? []);
  const users = new Set(listed.filter(isTheirs).flatMap(({ userId }) => userId ?? []));
  return spans.filter((span) => span.userId === null ? isTheirs(span) : users.has(span.userId));
}

function inDays(span: RecipientSpan): object {
  return { ...span, first: span.first.slice(0, 10), last: span.last.slice(0, 10) };
}
