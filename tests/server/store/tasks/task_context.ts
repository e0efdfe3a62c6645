/** A task's surroundings for tests: a data folder of its own, and what the task said. */
import { exitCodeOf, type Task } from "../../../../server/store/tasks/task.ts";

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
  const dataDir = await Deno.makeTempDir();
  const run: TaskRunner["run"] = async (task, ...args) => {
    const printed: string[] = [];
    const reported: string[] = [];
    const code = await exitCodeOf(task, args, {
      env: { DATA_DIR: dataDir, ...env },
      print: (line) => printed.push(line),
      report: (line) => reported.push(line),
      now: () => new Date("2026-03-10T15:00:00Z"),
    });
    return { code, printed: printed.join("\n"), reported: reported.join("\n") };
  };
  try {
    await work({ dataDir, run });
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}
