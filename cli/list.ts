/** The commands that list file sets and runs: one page, or every row of every page. */
import {
  type Checkpoint,
  type Client,
  type ClientOptions,
  createClient,
  type FileSet,
  type FileSetPage,
  isDocketError,
  type ReportRun,
  type Result,
  toCurl,
  type Walk,
  type WalkReport,
} from "../lib/mod.ts";
import { type CommandLine, ExitCode, interruptible, refused, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import { type ListRequest, readFileSetRequest, readHistoryRequest } from "./list_request.ts";
import type { Values } from "./options.ts";
import { createWriter } from "./writer.ts";
import { createWalkingClient } from "./progress.ts";
import { recipientRows } from "../lib/export.ts";
import { FILE_SET_QUERY, nothingHint } from "../lib/search/query_table.ts";
import { fileSetTableRow, runTableRow } from "./table_rows.ts";

export function readFileSets(values: Values, positionals: readonly string[]): CommandLine {
  return listing(readFileSetRequest(values, positionals));
}

export function readHistory(values: Values, positionals: readonly string[]): CommandLine {
  return listing(readHistoryRequest(values, positionals));
}

function listing(request: ListRequest): CommandLine {
  const { limit, skipped, resume, subject } = request;
  return {
    asked: { limit, skipped, resume, ...("body" in subject && { body: subject.body }) },
    async run(io, connect) {
      const options = await connect();
      if (request.all && !request.curl) return await listAll(request, options, io);
      const client = createClient(options);
      if (!request.curl) return await listPage(request, client, io);
      await io.out.write(toCurl(resultOf(request, client).request()) + "\n");
      return ExitCode.done;
    },
  };
}

async function listPage(request: ListRequest, client: Client, io: Io): Promise<number> {
  const page = await resultOf(request, client);
  const rows = "fileSets" in page ? page.fileSets : page;
  const writer = createWriter(request, io, false);
  for await (const row of shaped(request, rows)) writer.row(row);
  await writer.end();

  if (rows.length === 0) await printEmpty(request, io);
  const end = request.skipped + rows.length;
  const total = "fileSets" in page ? page.pageContext.total ?? undefined : undefined;
  // A total below the number of rows is wrong.
  const isKnown = total !== undefined && total >= end;
  if (isKnown ? total > end : rows.length > 0 && await mayHaveMore(request, client, end)) {
    const of = isKnown ? ` of ${total.toLocaleString("en")}` : "";
    const more = isKnown ? "" : ", and there are more";
    const what = whatOf(request);
    const counted = rows.length === 1 && !isKnown ? what.slice(0, -1) : what;
    await io.err.write(`${rows.length}${of} ${counted}${more}; --all writes every one\n`);
  }
  return ExitCode.done;
}

/** Whether a page is followed by another row. A short page doesn't prove that it is not. */
async function mayHaveMore(request: ListRequest, client: Client, end: number): Promise<boolean> {
  try {
    const next = await resultOf({ ...request, limit: 1, skipped: end }, client);
    return ("fileSets" in next ? next.fileSets : next).length > 0;
  } catch (error) {
    if (!isDocketError(error)) throw error;
    return true;
  }
}

async function listAll(request: ListRequest, options: ClientOptions, io: Io): Promise<number> {
  const { prefetch, verify, resume: path, max } = request;
  const output = outputOf(request);
  const stored = path === undefined ? undefined : await readCheckpoint(path, io);
  if (path !== undefined && !stored) {
    // If the place can't be saved, fail now and not after everything was read.
    await writeCheckpoint(path, "", io);
    await io.removeFile(path);
  }
  const { client, progress } = createWalkingClient(options, io);
  const writer = createWriter(request, io, stored !== undefined);

  return await interruptible(io, async (signal) => {
    const result = resultOf(request, client);
    const walk: Walk<unknown, object> = result.walk({ prefetch, verify, signal, resume: stored });
    // The rows before the checkpoint are in a file of that format.
    if (stored && stored.output !== output) {
      throw new UsageError(
        `--resume: ${path} belongs to ${stored.output ?? "another format"}, not ${output}: ` +
          "delete it to start over, or name another file",
      );
    }
    const flush = async () => {
      const checkpoint = { ...walk.checkpoint(), output };
      await writer.flush();
      if (path !== undefined) await writeCheckpoint(path, JSON.stringify(checkpoint) + "\n", io);
    };
    let rows = 0;
    progress.start(() => walk.report);
    try {
      for await (const row of walk) {
        for await (const shape of shaped(request, [row])) writer.row(shape);
        if (++rows >= max) break;
        if (writer.isDue) await flush();
      }
      await flush();
      await writer.end();
    } catch (error) {
      // The checkpoint counts these rows, so they must be written.
      await flush();
      throw error;
    } finally {
      await progress.stop();
    }
    if (rows === 0) await printEmpty(request, io);
    // After --max, the file stays: rows are left.
    if (path !== undefined && walk.report.stopReason === "end") await io.removeFile(path);
    return await printDrift(walk.report, io);
  });
}

/** The options that say how rows are written: files with others can't be continued. */
function outputOf({ format, columns, isChosen, subject }: ListRequest): string {
  return [
    `--format ${format}`,
    ...(isChosen || format === "csv" ? [`--columns ${columns.join()}`] : []),
    ...("recipients" in subject && subject.recipients ? ["--recipients"] : []),
  ].join(" ");
}

/** A checkpoint, and how the rows before it were written. */
type StoredCheckpoint = Checkpoint & { readonly output?: string };

async function readCheckpoint(path: string, io: Io): Promise<StoredCheckpoint | undefined> {
  const text = await io.readFile(path).catch(refused(`--resume: ${path} can't be read`));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `--resume: ${path} is not a checkpoint: delete it to start over, or name another file`,
    );
  }
}

async function writeCheckpoint(path: string, text: string, io: Io): Promise<void> {
  await io.writeFile(path, text).catch(refused(`--resume: ${path} can't be written`));
}

/** Says how rows changed while they were read; gives the exit code. */
export async function printDrift({ drift, driftCount }: WalkReport, io: Io): Promise<number> {
  if (driftCount === 0) return ExitCode.done;
  for (const sign of drift) {
    if (sign.kind !== "contradiction") continue;
    const { claim, claimed, seen } = sign;
    await io.err.write(
      `The service says ${claim} ${claimed}, but its rows say ${seen}: read on until a page was empty\n`,
    );
  }
  const changes = drift.filter(({ kind }) => kind !== "contradiction");
  if (changes.length > 0) {
    const kinds = [...new Set(changes.map(({ kind }) => kind))].join(", ");
    await io.err.write(
      `Rows changed while they were read (${kinds}): some may be missing or listed twice\n`,
    );
  }
  return ExitCode.changed;
}

export function resultOf(
  { subject, limit, skipped }: ListRequest,
  client: Client,
): Result<FileSetPage, FileSet> | Result<readonly ReportRun[], ReportRun> {
  return "body" in subject
    ? client.fileSets.search(subject.body, { limit, offset: skipped })
    : client.reportSchedules.history(subject.scheduleId, { limit, skip: skipped });
}

/** The rows to write: runs with the id of their schedule, or one for each recipient. */
async function* shaped(
  { format, subject }: ListRequest,
  rows: Iterable<object>,
): AsyncIterable<object> {
  const isTable = format === "table";
  if ("body" in subject) {
    for (const row of rows) yield isTable ? fileSetTableRow(row as FileSet) : row;
    return;
  }
  const runs = rows as Iterable<ReportRun>;
  // The interface's own entries lack it, and imports need it.
  const { recipients, scheduleId } = subject;
  for await (const run of recipients ? recipientRows(runs) : runs) {
    const row = { scheduleId, ...run };
    yield isTable ? runTableRow(row) : row;
  }
}

function whatOf({ subject }: ListRequest): string {
  return "body" in subject ? "file sets" : "runs";
}

/** Says that nothing was found, if the output is for a person. */
async function printEmpty(request: ListRequest, io: Io): Promise<void> {
  if (request.format === "table" || io.err.isTerminal) {
    await io.err.write(`${emptyText(request)}\n`);
  }
}

function emptyText({ subject, skipped, ...request }: ListRequest): string {
  if (skipped) return `No ${whatOf({ subject, skipped, ...request })} after the first ${skipped}`;
  if (!("body" in subject)) return "No runs";
  const { filters = [], dateFilters = [] } = subject.body;
  if (filters.length + dateFilters.length === 0) return "There are no file sets yet";
  return `No file sets match. ${nothingHint(filters, FILE_SET_QUERY)}`.trim();
}
