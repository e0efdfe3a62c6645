import { observerRecordsOn } from "../server/store/records/observer_records.ts";
import { openDatabase } from "../server/store/open.ts";
import { storeOn } from "../server/store/store.ts";
import { fillWithSample } from "../server/store/sample/fill.ts";
import { STORIES } from "../server/store/sample/sample_runs.ts";
import { openSqlite } from "../server/store/database/sqlite.ts";

/**
 * Watches schedules of the embedded service in a data folder, and polls each: twice, as they are judged
 * again when it is known which domains are inside.
 */
export async function watchAndPoll(dataDir: string, scheduleIds: readonly number[]): Promise<void> {
  const database = await openSqlite({ path: `${dataDir}/docket.sqlite` });
  await observerRecordsOn(database).watches.add(scheduleIds, Date.now());
  await database.close();
  for (const _ of ["first", "again"]) await pollAll(dataDir);
}

async function pollAll(dataDir: string): Promise<void> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "server/program/tasks.ts", "observe", "--once"],
    env: { DATA_DIR: dataDir, DATABASE_URL: "", SERVICE_BASE_URL: "", LOG_LEVEL: "error" },
    stdout: "null",
    stderr: "inherit",
  }).output();
  // The exit code is 1 if a schedule is down, as in the sample.
  if (code > 1) throw new Error("The schedules could not be polled");
}

/** Fills a data folder with the sample, and watches its schedules. */
export async function watchSample(dataDir: string): Promise<void> {
  const store = storeOn(await openDatabase({ dataDir, databaseUrl: null }));
  await fillWithSample(store);
  await store.close();
  await watchAndPoll(dataDir, STORIES.map(({ scheduleId }) => scheduleId));
}
