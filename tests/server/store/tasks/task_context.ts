/** A task's surroundings for tests: a data folder of its own, and what the task said. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../../../server/store/open.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { storeOn } from "../../../../server/store/store.ts";
import { runTask, type Task } from "../../../../server/store/tasks/task.ts";
import { withFolder } from "../../../with_folder.ts";

const NOW = Date.parse("2026-03-10T15:00:00Z");

export interface TaskResult {
  readonly code: number;
  readonly printed: string;
  readonly reported: string;
}

/** Runs tasks in a temporary data folder. */
export interface TaskRunner {
  readonly dataDir: string;
  /** Runs a task with these arguments. */
  run(task: Task, ...args: string[]): Promise<TaskResult>;
  /** Does work with the database in the folder, which no task has open meanwhile. */
  open<Result>(work: DatabaseWork<Result>): Promise<Result>;
}

/** Gives the work a runner, with further environment variables if any. */
export async function withTasks(
  work: (runner: TaskRunner) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  await withFolder((dataDir) =>
    work({
      dataDir,
      open: (work) => inDatabase({ dataDir }, work),
      async run(task, ...args) {
        const printed: string[] = [];
        const reported: string[] = [];
        const code = await runTask(task, args, {
          env: { DATA_DIR: dataDir, ...env },
          print: (line) => printed.push(line),
          report: (line) => reported.push(line),
          now: () => new Date(NOW),
          inThreads: false,
        });
        return { code, printed: printed.join("\n"), reported: reported.join("\n") };
      },
    })
  );
}

/** That each task ends with a message if it gets these arguments. */
export async function assertRefuses(
  { run }: TaskRunner,
  cases: readonly (readonly [task: Task, args: readonly string[], message: string])[],
): Promise<void> {
  for (const [task, args, message] of cases) {
    const { code, printed, reported } = await run(task, ...args);
    assertEquals([code, printed], [2, ""], reported);
    assertStringIncludes(reported, message);
  }
}

const partsOf = (database: Awaited<ReturnType<typeof openDatabase>>) => ({
  database,
  store: storeOn(database),
  records: observerRecordsOn(database),
});

type DatabaseWork<Result> = (parts: ReturnType<typeof partsOf>) => PromiseLike<Result>;

/** Does work with the database of a data folder, by the key that its tasks made. */
export async function inDatabase<Result>(
  { dataDir, ...options }: { readonly dataDir: string } & Parameters<typeof openDatabase>[1],
  work: DatabaseWork<Result>,
): Promise<Result> {
  const place = { dataDir, databaseUrl: null, inThreads: false };
  const recordsKeys = () => [Deno.readTextFileSync(`${dataDir}/records-key`)];
  const parts = partsOf(await openDatabase(place, { recordsKeys, ...options }));
  await using _closedAtTheEnd = parts.store;
  return await work(parts);
}
