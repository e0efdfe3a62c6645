/** Lists file sets and runs: one page, or every row of every page. */
import {
  type Checkpoint,
  type Client,
  type ClientOptions,
  createClient,
  createLimiter,
  type FileSet,
  isDocketError,
  type ReportRun,
  toCurl,
  type Walk,
  type WalkReport,
} from "../lib/mod.ts";
import { recipientRows } from "../lib/export.ts";
import { nothingHint } from "../lib/search/nothing_hint.ts";
import { FILE_SET_QUERY } from "../lib/search/query_table.ts";
import { type ListCommand, UsageError } from "./command.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { fileSetTableRow, runTableRow } from "./table_rows.ts";
import { createWriter } from "./writer.ts";

export async function list(command: ListCommand, options: ClientOptions, io: Io): Promise<number> {
  if (command.curl) {
    await io.out.write(toCurl(resultOf(command, createClient(options)).request()) + "\n");
    return ExitCode.done;
  }
  return command.all ? await listAll(command, options, io) : await listPage(command, options, io);
}

/** The result that the command asks for, of either operation. */
function resultOf(command: ListCommand, client: Client) {
  const { limit, skipped = 0 } = command;
  const page = limit === undefined ? {} : { limit };
  return command.name === "filesets"
    ? client.fileSets.search(command.body, { ...page, offset: skipped })
    : client.reportSchedules.history(command.scheduleId, { ...page, skip: skipped });
}

async function listPage(command: ListCommand, options: ClientOptions, io: Io): Promise<number> {
  const client = createClient(options);
  const page = await resultOf(command, client);
  const rows = "fileSets" in page ? page.fileSets : page;
  const writer = createWriter(command, io, false);
  for await (const row of shaped(command, rows)) writer.row(row);
  await writer.end();

  const what = whatOf(command);
  if (rows.length === 0) await printEmpty(command, io);
  const end = (command.skipped ?? 0) + rows.length;
  const total = "fileSets" in page ? page.pageContext.total ?? undefined : undefined;
  // A total below the number of rows is wrong.
  const isKnown = total !== undefined && total >= end;
  if (isKnown ? total > end : rows.length > 0 && await mayHaveMore(command, client, end)) {
    const of = isKnown ? ` of ${total.toLocaleString("en")}` : "";
    const more = isKnown ? "" : ", and there are more";
    const counted = rows.length === 1 && !isKnown ? what.slice(0, -1) : what;
    await io.err.write(`${rows.length}${of} ${counted}${more}; --all writes every one\n`);
  }
  return ExitCode.done;
}

function whatOf({ name }: ListCommand): string {
  return name === "filesets" ? "file sets" : "runs";
}

/** Says that nothing was found, if a person may read it; programs see it by themselves. */
async function printEmpty(command: ListCommand, io: Io): Promise<void> {
  if (command.format !== "table" && !io.err.isTerminal) return;
  await io.err.write(`${emptyWords(command)}\n`);
}

function emptyWords(command: ListCommand): string {
  if (command.skipped) return `No ${whatOf(command)} after the first ${command.skipped}`;
  if (command.name !== "filesets") return "No runs";
  const { filters = [], dateFilters = [] } = command.body;
  if (filters.length + dateFilters.length === 0) return "There are no file sets yet";
  return `No file sets match. ${nothingHint(filters, FILE_SET_QUERY)}`.trim();
}

/** Whether a page is followed by another row. A short page doesn't prove that it is not. */
async function mayHaveMore(command: ListCommand, client: Client, end: number): Promise<boolean> {
  try {
    const next = await resultOf({ ...command, limit: 1, skipped: end }, client);
    return ("fileSets" in next ? next.fileSets : next).length > 0;
  } catch (error) {
    if (!isDocketError(error)) throw error;
    return true;
  }
}

async function listAll(command: ListCommand, options: ClientOptions, io: Io): Promise<number> {
  const { prefetch, verify, resume, max = Infinity } = command;
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  const stored = resume === undefined ? undefined : await readCheckpoint(resume, io);
  if (resume !== undefined && !stored) {
    // If the place can't be saved, fail now and not after everything was read.
    await writeCheckpoint(resume, "", io);
    await io.removeFile(resume);
  }
  const progress = createProgress(io);
  const client = createClient({
    ...options,
    limiter: createLimiter({ mostInFlight: prefetch }),
    onRetry: (retry) => {
      options.onRetry?.(retry);
      progress.onRetry(retry);
    },
  });
  const output = outputOf(command);
  const walk: Walk<unknown, object> = resultOf(command, client).walk({
    prefetch,
    verify,
    signal: interrupt.signal,
    ...(stored ? { resume: stored } : {}),
  });
  // The rows before the checkpoint are in a file of that format.
  if (stored && stored.output !== output) {
    throw new UsageError(
      `--resume: ${resume} belongs to ${stored.output ?? "another format"}, not ${output}: ` +
        "delete it to start over, or name another file",
    );
  }
  const writer = createWriter(command, io, stored !== undefined);
  let isEmpty = false;
  progress.start(() => walk.report);
  try {
    let rows = 0;
    for await (const row of walk) {
      for await (const shape of shaped(command, [row])) writer.row(shape);
      if (++rows >= max) break;
      if (writer.isDue) await flush();
    }
    await flush();
    await writer.end();
    isEmpty = rows === 0;
  } catch (error) {
    // The checkpoint counts these rows, so they must be written.
    await flush();
    throw error;
  } finally {
    release();
    await progress.stop();
  }
  if (isEmpty) await printEmpty(command, io);
  const { stopReason } = walk.report;
  // After --max, the file stays: rows are left.
  if (resume !== undefined && stopReason === "end") await io.removeFile(resume);
  return await printDrift(walk.report, io);

  async function flush(): Promise<void> {
    const checkpoint = walk.checkpoint();
    await writer.flush();
    if (resume !== undefined) {
      await writeCheckpoint(resume, JSON.stringify({ ...checkpoint, output }) + "\n", io);
    }
  }
}

/** The rows to write: runs with the id of their schedule, or one for each recipient. */
async function* shaped(command: ListCommand, rows: Iterable<object>): AsyncIterable<object> {
  const isTable = command.format === "table";
  if (command.name === "filesets") {
    for (const row of rows) yield isTable ? fileSetTableRow(row as FileSet) : row;
    return;
  }
  const runs = rows as Iterable<ReportRun>;
  // The interface's own entries lack it, and imports need it.
  const { scheduleId } = command;
  for await (const run of command.recipients ? recipientRows(runs) : runs) {
    const row = command.recipients ? run : { scheduleId, ...run };
    yield isTable ? runTableRow(row) : row;
  }
}

/** The options that say how rows are written: files with others can't be continued. */
function outputOf({ format, columns, isChosen, ...subject }: ListCommand): string {
  return [
    `--format ${format}`,
    ...(isChosen || format === "csv" ? [`--columns ${columns.join()}`] : []),
    ...(subject.name === "history" && subject.recipients ? ["--recipients"] : []),
  ].join(" ");
}

/** A checkpoint, and how the rows before it were written. */
type StoredCheckpoint = Checkpoint & { readonly output?: string };

async function readCheckpoint(path: string, io: Io): Promise<StoredCheckpoint | undefined> {
  const text = await io.readFile(path).catch((error) => {
    throw new UsageError(`--resume: ${path} can't be read${reasonOf(error)}`);
  });
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
  try {
    await io.writeFile(path, text);
  } catch (error) {
    throw new UsageError(`--resume: ${path} can't be written${reasonOf(error)}`);
  }
}

/** The system's code for a file error, such as EACCES. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: string };
  return code === undefined ? "" : ` (${code})`;
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
