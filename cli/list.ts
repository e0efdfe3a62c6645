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
import { type ListWords, readFileSetWords, readHistoryWords } from "./list_words.ts";
import type { Values } from "./options.ts";
import { createWriter } from "./writer.ts";
import { createWalkingClient } from "./progress.ts";
import { recipientRows } from "../lib/export.ts";
import { FILE_SET_QUERY, nothingHint } from "../lib/search/query_table.ts";
import { fileSetTableRow, runTableRow } from "./table_rows.ts";

export function readFileSets(values: Values, words: readonly string[]): CommandLine {
  return listing(readFileSetWords(values, words));
}

export function readHistory(values: Values, words: readonly string[]): CommandLine {
  return listing(readHistoryWords(values, words));
}

function listing(words: ListWords): CommandLine {
  const { limit, skipped, resume, subject } = words;
  return {
    asked: { limit, skipped, resume, ...("body" in subject && { body: subject.body }) },
    async run(io, connect) {
      const options = await connect();
      if (words.all && !words.curl) return await listAll(words, options, io);
      const client = createClient(options);
      if (!words.curl) return await listPage(words, client, io);
      await io.out.write(toCurl(resultOf(words, client).request()) + "\n");
      return ExitCode.done;
    },
  };
}

async function listPage(words: ListWords, client: Client, io: Io): Promise<number> {
  const page = await resultOf(words, client);
  const rows = "fileSets" in page ? page.fileSets : page;
  const writer = createWriter(words, io, false);
  for await (const row of shaped(words, rows)) writer.row(row);
  await writer.end();

  if (rows.length === 0) await printEmpty(words, io);
  const end = words.skipped + rows.length;
  const total = "fileSets" in page ? page.pageContext.total ?? undefined : undefined;
  // A total below the number of rows is wrong.
  const isKnown = total !== undefined && total >= end;
  if (isKnown ? total > end : rows.length > 0 && await mayHaveMore(words, client, end)) {
    const of = isKnown ? ` of ${total.toLocaleString("en")}` : "";
    const more = isKnown ? "" : ", and there are more";
    const what = whatOf(words);
    const counted = rows.length === 1 && !isKnown ? what.slice(0, -1) : what;
    await io.err.write(`${rows.length}${of} ${counted}${more}; --all writes every one\n`);
  }
  return ExitCode.done;
}

/** Whether a page is followed by another row. A short page doesn't prove that it is not. */
async function mayHaveMore(words: ListWords, client: Client, end: number): Promise<boolean> {
  try {
    const next = await resultOf({ ...words, limit: 1, skipped: end }, client);
    return ("fileSets" in next ? next.fileSets : next).length > 0;
  } catch (error) {
    if (!isDocketError(error)) throw error;
    return true;
  }
}

async function listAll(words: ListWords, options: ClientOptions, io: Io): Promise<number> {
  const { prefetch, verify, resume: path, max } = words;
  const output = outputOf(words);
  const stored = path === undefined ? undefined : await readCheckpoint(path, io);
  if (path !== undefined && !stored) {
    // If the place can't be saved, fail now and not after everything was read.
    await writeCheckpoint(path, "", io);
    await io.removeFile(path);
  }
  const { client, progress } = createWalkingClient(options, io);
  const writer = createWriter(words, io, stored !== undefined);

  return await interruptible(io, async (signal) => {
    const result = resultOf(words, client);
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
        for await (const shape of shaped(words, [row])) writer.row(shape);
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
    if (rows === 0) await printEmpty(words, io);
    // After --max, the file stays: rows are left.
    if (path !== undefined && walk.report.stopReason === "end") await io.removeFile(path);
    return await printDrift(walk.report, io);
  });
}

/** The options that say how rows are written: files with others can't be continued. */
function outputOf({ format, columns, isChosen, subject }: ListWords): string {
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
  { subject, limit, skipped }: ListWords,
  client: Client,
): Result<FileSetPage, FileSet> | Result<readonly ReportRun[], ReportRun> {
  return "body" in subject
    ? client.fileSets.search(subject.body, { limit, offset: skipped })
    : client.reportSchedules.history(subject.scheduleId, { limit, skip: skipped });
}

/** The rows to write: runs with the id of their schedule, or one for each recipient. */
async function* shaped(
  { format, subject }: ListWords,
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
    const row = recipients ? run : { scheduleId, ...run };
    yield isTable ? runTableRow(row) : row;
  }
}

function whatOf({ subject }: ListWords): string {
  return "body" in subject ? "file sets" : "runs";
}

/** Says that nothing was found, if the output is for a person. */
async function printEmpty(words: ListWords, io: Io): Promise<void> {
  if (words.format === "table" || io.err.isTerminal) await io.err.write(`${emptyText(words)}\n`);
}

function emptyText({ subject, skipped, ...words }: ListWords): string {
  if (skipped) return `No ${whatOf({ subject, skipped, ...words })} after the first ${skipped}`;
  if (!("body" in subject)) return "No runs";
  const { filters = [], dateFilters = [] } = subject.body;
  if (filters.length + dateFilters.length === 0) return "There are no file sets yet";
  return `No file sets match. ${nothingHint(filters, FILE_SET_QUERY)}`.trim();
}
