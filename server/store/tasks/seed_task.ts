/** `deno task seed`: replaces all data in the database with sample rows. */
import { sampleBatches } from "../sample/fill.ts";
import {
  type Arguments,
  embeddedServiceSettings,
  openStoreForTask,
  readCount,
  type Task,
  type TaskContext,
} from "./task.ts";

const HELP = `Replaces all file sets and runs of the embedded service with sample rows.

deno task seed [--file-sets N] [--schedules N] [--runs N]

  --file-sets N   file sets, 0 to 10000000 (default 5000)
  --schedules N   report schedules, 0 to 10000, with ids from 101 (default 12)
  --runs N        runs of each schedule that ever ran, 0 to 100000 (default 400)

Tokens and watched schedules are not changed. With --file-sets 0 --schedules 0, all data is
removed, and the watches and incidents of its schedules too.`;

export const seed: Task = { help: HELP, options: ["file-sets", "schedules", "runs"], run };

async function run({ options }: Arguments, context: TaskContext): Promise<number> {
  const count = (name: string, max: number, fallback: number) =>
    readCount(name, options[name] ?? String(fallback), max);
  const counts = {
    fileSets: count("file-sets", 10_000_000, 5_000),
    schedules: count("schedules", 10_000, 12),
    runs: count("runs", 100_000, 400),
  };
  await using store = await openStoreForTask(embeddedServiceSettings(context), context);
  const isEmpty = counts.fileSets + counts.schedules === 0;
  await (isEmpty ? store.clearWithRecords() : store.clear());
  await store.put({ contents: "incomplete" });
  let done = 0;
  await store.load(sampleBatches({ now: context.now(), ...counts }), ({ added }) => {
    done += added;
    if (done < counts.fileSets) context.report(`${done} of ${counts.fileSets} file sets`);
  });
  await store.put({ contents: isEmpty ? "own" : "sample" });
  context.print(
    isEmpty
      ? "Deleted all file sets and runs, and the watches and incidents of their schedules"
      : `${counts.fileSets} file sets, and ${counts.schedules} schedules with up to ${counts.runs} runs each`,
  );
  return 0;
}
