/**
 * Runs one command.
 *
 * @module
 */

import {
  type AnyDocketError,
  type Checkpoint,
  type Client,
  type ClientOptions,
  createClient,
  isDocketError,
  maskAddresses,
  recipientRows,
  type Walk,
  type WalkReport,
} from "../lib/mod.ts";
import { type Command, readArguments, UsageError } from "./arguments.ts";
import { check } from "./check.ts";
import { help } from "./help.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { createProgress } from "./progress.ts";
import { VERSION } from "./version.ts";
import { createWriter } from "./writer.ts";

/**
 * Runs the command line.
 *
 * @param words The words behind the program's name.
 * @param io What it touches of the world.
 * @returns The exit code, one of {@linkcode ExitCode}.
 */
export async function run(words: readonly string[], io: Io): Promise<number> {
  try {
    const command = readArguments(words);
    if (command.name === "help") {
      await io.out.write(help(command.topic));
      return ExitCode.done;
    }
    if (command.name === "version") {
      await io.out.write(`${VERSION}\n`);
      return ExitCode.done;
    }
    const options = readConnection(io);
    if (command.name === "check") return await check(command.scheduleId, options, io);
    const client = createClient(options);
    return command.all ? await runAll(command, client, io) : await runPage(command, client, io);
  } catch (error) {
    return await tell(error, io);
  }
}

type ListCommand = Exclude<Command, { name: "help" | "version" | "check" }>;

function readConnection(io: Io): ClientOptions {
  const baseUrl = io.env("DOCKET_URL");
  const token = io.env("DOCKET_TOKEN");
  if (!baseUrl) throw new UsageError("DOCKET_URL is not set: it says where the service is");
  if (!token) throw new UsageError("DOCKET_TOKEN is not set: it is the developer token");
  const tokenHeader = io.env("SERVICE_TOKEN_HEADER");
  return {
    baseUrl,
    token,
    ...(tokenHeader ? { tokenHeader } : {}),
    ...(io.fetch ? { fetch: io.fetch } : {}),
  };
}

/** What the command asks for, as one result whose rows are plain objects. */
function resultOf(command: ListCommand, client: Client) {
  const { limit, skipped } = command;
  const page = limit === undefined ? {} : { limit };
  return command.name === "filesets"
    ? client.fileSets.search(command.body, { ...page, offset: skipped ?? 0 })
    : client.reportSchedules.history(command.scheduleId, { ...page, skip: skipped ?? 0 });
}

async function runPage(command: ListCommand, client: Client, io: Io): Promise<number> {
  const page = await resultOf(command, client);
  const rows = "fileSets" in page ? page.fileSets : page;
  const writer = createWriter(command, io.out, false);
  for await (const row of shaped(command, rows)) writer.row(row);
  await writer.end();
  if ("fileSets" in page && io.err.isTerminal) {
    const { total } = page.pageContext;
    const more = typeof total === "number" ? ` of ${total}` : "";
    await io.err.write(`${rows.length}${more} file sets; --all writes every one\n`);
  }
  return ExitCode.done;
}

async function runAll(command: ListCommand, client: Client, io: Io): Promise<number> {
  const { prefetch, verify, resume } = command;
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  const stored = resume === undefined ? undefined : await readCheckpoint(resume, io);
  const walk: Walk<unknown, object> = resultOf(command, client).walk({
    prefetch,
    verify,
    signal: interrupt.signal,
    ...(stored ? { resume: stored } : {}),
  });
  const writer = createWriter(command, io.out, stored !== undefined);
  const progress = createProgress(io.err);
  try {
    for await (const row of walk) {
      for await (const shape of shaped(command, [row])) writer.row(shape);
      if (!writer.isDue) continue;
      await flush();
      await progress.show(walk.report);
    }
    await flush();
    await writer.end();
  } catch (error) {
    // What was handed over is written, so that the checkpoint tells the truth.
    await flush();
    throw error;
  } finally {
    release();
    await progress.clear();
  }
  if (resume !== undefined) await io.removeFile(resume);
  return await tellChanges(walk.report, io);

  async function flush(): Promise<void> {
    const checkpoint = walk.checkpoint();
    await writer.flush();
    if (resume !== undefined) await io.writeFile(resume, JSON.stringify(checkpoint) + "\n");
  }
}

/** Runs become rows of recipients when that was asked for, and say which schedule they are of. */
function shaped(
  command: ListCommand,
  rows: Iterable<object>,
): AsyncIterable<object> | Iterable<object> {
  if (command.name !== "history") return rows;
  if (command.recipients) return recipientRows(rows as Iterable<{ id: number }>);
  // The interface's own entries don't say it, and an import has to know.
  const { scheduleId } = command;
  return Array.from(rows, (run) => ({ scheduleId, ...run }));
}

async function readCheckpoint(path: string, io: Io): Promise<Checkpoint | undefined> {
  const text = await io.readFile(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not a checkpoint: remove it to begin anew`);
  }
}

async function tellChanges({ drift, driftCount }: WalkReport, io: Io): Promise<number> {
  if (driftCount === 0) return ExitCode.done;
  const kinds = [...new Set(drift.map(({ kind }) => kind))].join(", ");
  await io.err.write(
    `Rows changed while they were read (${kinds}): the list may lack some or have some too many\n`,
  );
  return ExitCode.changed;
}

async function tell(error: unknown, io: Io): Promise<number> {
  if ((error as { code?: unknown } | null)?.code === "EPIPE") return ExitCode.brokenPipe;
  if (error instanceof UsageError) {
    await io.err.write(`${error.message}\nSee docket --help\n`);
    return ExitCode.usage;
  }
  if (!isDocketError(error)) throw error;
  if (error.kind === "abort") return ExitCode.interrupted;
  await io.err.write(describe(error));
  if (error.kind === "configuration") return ExitCode.usage;
  const isRefused = error.kind === "http" && (error.status === 401 || error.status === 403);
  return isRefused ? ExitCode.refused : ExitCode.failed;
}

function describe(error: AnyDocketError): string {
  const lines = [error.message];
  if (error.kind === "http") {
    for (const { parameter, pointer, detail } of error.problem?.errors ?? []) {
      lines.push(`  ${parameter ?? pointer ?? ""}: ${detail}`);
    }
    if (!error.problem && error.excerpt) lines.push(`  ${error.excerpt}`);
  }
  if (error.cause instanceof Error) lines.push(`  ${error.cause.message}`);
  if (error.requestId !== undefined) lines.push(`  request id ${error.requestId}`);
  // deno-lint-ignore no-control-regex
  return maskAddresses(lines.join("\n")).replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, "\ufffd") + "\n";
}
