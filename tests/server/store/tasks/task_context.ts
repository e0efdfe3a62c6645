/** A task's surroundings for tests: a data folder of its own, and what the task said. */
import { openDatabase, openStore } from "../../../../server/store/open.ts";
import { observerRecordsOn } from "../../../../server/store/records/observer_records.ts";
import type { WatchSettings } from "../../../../server/store/records/watches.ts";
import type { Store } from "../../../../server/store/store.ts";
import { exitCodeOf, type Task } from "../../../../server/store/tasks/task.ts";
import { withFolder } from "../../../with_folder.ts";

const NOW = Date.parse("2026-03-10T15:00:00Z");

/** Runs tasks in a temporary data folder. */
export interface TaskRunner {
  readonly dataDir: string;
  /** Runs a task with these arguments. */
  run(task: Task, ...args: string[]): Promise<{ code: number; printed: string; reported: string }>;
}

/** Gives the work a runner, with further environment variables if any. */
export async function withTasks(
  work: (runner: TaskRunner) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  await withFolder(async (dataDir) => {
    const run: TaskRunner["run"] = async (task, ...args) => {
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
    };
    await work({ dataDir, run });
  });
}

/** Does work with the store of a data folder. */
export async function inStore<T>(
  dataDir: string,
  work: (store: Store) => PromiseLike<T>,
): Promise<T> {
  const store = await openStore({ dataDir, databaseUrl: null, inThreads: false });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Watches schedules of a data folder; the records in front of an upstream are another file. */
export async function watchIn(
  dataDir: string,
  scheduleIds: readonly number[],
  settings: Partial<WatchSettings> = {},
  file?: "observer.sqlite",
): Promise<void> {
  const place = { dataDir, databaseUrl: null, inThreads: false };
  const database = await openDatabase(place, { ...file && { file } });
  try {
    await observerRecordsOn(database).watches.add(scheduleIds, NOW, settings);
  } finally {
    await database.close();
  }
}
