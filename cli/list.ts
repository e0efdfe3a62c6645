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
import { type CommandLine, ExitCode, fileFailure, interruptible, UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import type { ListRequest } from "./list_request.ts";
import { createWriter } from "./writer.ts";
import { fileSetSearch } from "./file_set_search.ts";
import { createWalkingClient } from "./progress.ts";
import { walkFileSets } from "../lib/client/walks/lists.ts";
import { recipientRows } from "../lib/export.ts";
import { FILE_SET_QUERY, nothingHint } from "../lib/search/query_table.ts";
import { fileSetTableRow, runTableRow } from "./table_rows.ts";

export function listing(request: ListRequest): CommandLine {
  const { limit, skipped, resume, subject } = request;
  return {
    requested: { limit, skipped, resume, ...("body" in subject && { body: subject.body }) },
    async run(io, connect) {
      const options = await connect();
      if (request.all && !request.curl) return await listAll(request, options, io);
      const client = createClient(options);
      if (!request.curl) return await listPage(request, client, io);
      await io.out.write(toCurl(callFor(request, client).request()) + "\n");
      return ExitCode.done;
    },
  };
}

async function listPage(request: ListRequest, client: Client, io: Io): Promise<number> {
  const { backend, sayMatching } = fileSetSearch(client, io);
  const { subject, limit, skipped } = request;
  const page = "body" in subject
    ? await backend.fileSets.search(subject.body, { limit, offset: skipped })
    : await callFor(request, client);
  const rows: readonly object[] = "fileSets" in page ? page.fileSets : [...page];
  const writer = createWriter(request, io);
  for (const shape of rows.flatMap((row) => shaped(request, row))) writer.row(shape);
  await writer.end();

  await sayMatching();
  if (rows.length === 0) await printEmpty(request, io);
  const end = request.skipped + rows.length;
  const total = "fileSets" in page ? page.pageContext.total ?? undefined : undefined;
  // A total below the number of rows is wrong.
  const isKnown = total !== undefined && total >= end;
  if (isKnown ? total > end : rows.length > 0 && await mayHaveMore(request, client, end)) {
    const of = isKnown ? ` of ${total.toLocaleString("en")}` : "";
    const more = isKnown ? "" : ", and there are more";
    const plural = rowNoun(request);
    const noun = rows.length === 1 && !isKnown ? plural.slice(0, -1) : plural;
    await io.err.write(`${rows.length}${of} ${noun}${more}; --all writes every one\n`);
  }
  return ExitCode.done;
}

/** Whether there may be rows after a page, since even a short page need not be the last one. */
async function mayHaveMore(request: ListRequest, client: Client, end: number): Promise<boolean> {
  try {
    const next = await callFor({ ...request, limit: 1, skipped: end }, client);
    return [...next].length > 0;
  } catch (error) {
    if (!isDocketError(error)) throw error;
    return true;
  }
}

async function listAll(request: ListRequest, options: ClientOptions, io: Io): Promise<number> {
  const { prefetch, verify, resume: path, max, subject, limit, skipped } = request;
  const output = describeOutput(request);
  const stored = path === undefined ? undefined : await readCheckpoint(path, io);
  if (path !== undefined && !stored) {
    // Fails now, and not after reading everything, if checkpoints can't be written.
    await writeCheckpoint(path, "", io);
    await io.removeFile(path);
  }
  const { client, progress } = createWalkingClient(options, io);
  const writer = createWriter(request, io, { isContinued: stored !== undefined });

  return await interruptible(io, async (signal) => {
    const call = callFor(request, client);
    const walkOptions = { prefetch, verify, signal, resume: stored };
    const { backend, sayMatching } = fileSetSearch(client, io);
    const walk: Walk<unknown, object> = "body" in subject
      ? walkFileSets(backend, subject.body, {
        ...{ limit, offset: skipped, ...walkOptions },
        service: call.request().url.replace(/\?.*/, ""),
      })
      : call.walk(walkOptions);
    // The file that is continued must have the same format.
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
        for (const shape of shaped(request, row)) writer.row(shape);
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
    await sayMatching();
    if (rows === 0) await printEmpty(request, io);
    // Keeps the checkpoint after --max, because there are more rows.
    if (path !== undefined && walk.report.stopReason === "end") await io.removeFile(path);
    return await printDrift(walk.report, io);
  });
}

/** The options that say how rows are written: `--resume` continues a file only with the same ones. */
function describeOutput({ format, columns, isChosen, subject }: ListRequest): string {
  return [
    `--format ${format}`,
    ...(isChosen || format === "csv" ? [`--columns ${columns.join()}`] : []),
    ...("recipients" in subject && subject.recipients ? ["--recipients"] : []),
  ].join(" ");
}

/** A checkpoint, and how the rows before it were written. */
type StoredCheckpoint = Checkpoint & { readonly output?: string };

async function readCheckpoint(path: string, io: Io): Promise<StoredCheckpoint | undefined> {
  const text = await io.readFile(path).catch(fileFailure(`--resume: ${path} can't be read`));
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
  await io.writeFile(path, text).catch(fileFailure(`--resume: ${path} can't be written`));
}

/** Reports how rows changed while they were read, and returns the exit code. */
export async function printDrift({ drift, driftCount }: WalkReport, io: Io): Promise<number> {
  if (driftCount === 0) return ExitCode.done;
  for (const entry of drift) {
    if (entry.kind !== "contradiction") continue;
    const { claim, claimed, seen } = entry;
    await io.err.write(
      `The service says ${claim} ${claimed}, but its rows say ${seen}: all pages were read anyway\n`,
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

function callFor(
  { subject, limit, skipped }: ListRequest,
  client: Client,
): Result<FileSetPage, FileSet> | Result<readonly ReportRun[], ReportRun> {
  return "body" in subject
    ? client.fileSets.search(subject.body, { limit, offset: skipped })
    : client.reportSchedules.history(subject.scheduleId, { limit, skip: skipped });
}

/** The rows to write for a file set or a run; with `recipients`, one for each of the run's. */
function shaped({ format, subject }: ListRequest, row: object): object[] {
  const isTable = format === "table";
  if ("body" in subject) return [isTable ? fileSetTableRow(row as FileSet) : row];
  const { recipients, scheduleId } = subject;
  const run = row as ReportRun;
  // Imports need the schedule's id, which the interface's runs lack.
  const rows = (recipients ? recipientRows(run) : [run]).map((each) => ({ scheduleId, ...each }));
  return isTable ? rows.map(runTableRow) : rows;
}

function rowNoun({ subject }: ListRequest): string {
  return "body" in subject ? "file sets" : "runs";
}

/** Reports that nothing was found, if the output is for a person. */
async function printEmpty(request: ListRequest, io: Io): Promise<void> {
  if (request.format === "table" || io.err.isTerminal) {
    await io.err.write(`${emptyText(request)}\n`);
  }
}

function emptyText(request: ListRequest): string {
  const { subject, skipped } = request;
  if (skipped) return `No ${rowNoun(request)} after the first ${skipped}`;
  if (!("body" in subject)) return "No runs";
  const { filters = [], dateFilters = [] } = subject.body;
  if (filters.length + dateFilters.length === 0) return "There are no file sets yet";
  return `No file sets match. ${nothingHint(filters, FILE_SET_QUERY)}`.trim();
}
