/** `deno task migrate`: brings PostgreSQL's schema up to date before a new version starts. */
import { readSettings } from "../../config/settings.ts";
import { type Arguments, openForTask, type Task, type TaskContext } from "./task.ts";

const HELP = `Brings the schema in PostgreSQL up to date, and checks the settings.

deno task migrate

Without DATABASE_URL there is nothing to do: a SQLite database is brought up to date when it is
opened. This task can run repeatedly, and on several machines at the same time.`;

export const migrate: Task = { help: HELP, run };

async function run(_: Arguments, context: TaskContext): Promise<number> {
  const settings = readSettings(context.env);
  if (!settings.databaseUrl) {
    context.print("Nothing to do: the data is not in PostgreSQL");
    return 0;
  }
  // Opening it runs the migrations. With an upstream service, it has the observer's records.
  const [database] = await openForTask(settings, context);
  await database.close();
  context.print("The schema in PostgreSQL is up to date");
  return 0;
}
