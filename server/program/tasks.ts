/** `deno task seed` and the others: runs the task that the first argument names. */
import { readEnvironment } from "../config/environment.ts";
import { VARIABLES } from "../config/settings.ts";
import { runTask } from "../store/tasks/task.ts";

/** Each loads what it needs itself. */
const TASKS = {
  seed: async () => (await import("../store/tasks/seed_task.ts")).seed,
  import: async () => (await import("../store/tasks/import_task.ts")).importFile,
  migrate: async () => (await import("../store/tasks/migrate_task.ts")).migrate,
  token: async () => (await import("../store/tasks/token_task.ts")).token,
  observe: async () => (await import("../observer/tasks/observe_task.ts")).observe,
  forget: async () => (await import("../store/tasks/forget_task.ts")).forget,
};

const [name, ...args] = Deno.args;
const task = await TASKS[name as keyof typeof TASKS]();
Deno.exit(
  await runTask(task, args, {
    env: readEnvironment(VARIABLES),
    print: (line) => console.log(line),
    report: (line) => console.error(line),
    now: () => new Date(),
    confirm: (question) => Deno.stdin.isTerminal() ? confirm(question) : null,
  }),
);
