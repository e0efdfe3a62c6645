/** A task's surroundings for tests: a data folder of its own, and what the task said. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { openDatabase } from "../../../../server/store/open.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import { type Store, storeOn } from "../../../../server/store/store.ts";
import { exitCodeOf, type Task } from "../../../../server/store/tasks/task.ts";
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
}

/** Gives the work a runner, with further environment variables if any. */
export async function withTasks(
  work: (runner: TaskRunner) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  await withFolder((dataDir) =>
    work({
      dataDir,
      async run(task, ...args) {
        const printed: string[] = [];
        const reported: string[] = [];
        const code = await exitCodeOf(task, args, {
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

/** That a task ends with a message if it gets these arguments. */
export async function assertRefuses(
  run: TaskRunner["run"],
  task: Task,
  cases: readonly (readonly [args: readonly string[], message: string])[],
): Promise<void> {
  for (const [args, message] of cases) {
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

/** Does work with the database of a data folder, which no task has open meanwhile. */
export async function inDatabase<Result>(
  { dataDir, ...options }: { readonly dataDir: string } & Parameters<typeof openDatabase>[1],
  work: (parts: ReturnType<typeof partsOf>) => PromiseLike<Result>,
): Promise<Result> {
  const place = { dataDir, databaseUrl: null, inThreads: false };
  const parts = partsOf(await openDatabase(place, options));
  await using _closedAtTheEnd = parts.store;
  return await work(parts);
}

/** Does work with the store of a data folder. */
export function inStore<Result>(
  dataDir: string,
  work: (store: Store) => PromiseLike<Result>,
): Promise<Result> {
  return inDatabase({ dataDir }, ({ store }) => work(store));
}
