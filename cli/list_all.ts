/** Lists every row of every page, and goes on where an earlier run stopped. */
import type { Checkpoint, ClientOptions, Walk, WalkReport } from "../lib/mod.ts";
import { interruptible, refused, UsageError } from "./command.ts";
import { ExitCode } from "./exit_code.ts";
import type { Io } from "./io.ts";
import { printEmpty, resultOf, shaped } from "./list_rows.ts";
import type { ListWords } from "./list_words.ts";
import { createWalkingClient } from "./progress.ts";
import { createWriter } from "./writer.ts";

export async function listAll(words: ListWords, options: ClientOptions, io: Io): Promise<number> {
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
