/** A SQLite database with the sample, filled once for all test files. */
import { observerRecordsOn } from "../server/store/records/observer_records.ts";
import { openDatabase } from "../server/store/open.ts";
import { forgetSchedules } from "../server/store/records/watches.ts";
import { fillWithSample } from "../server/store/sample/fill.ts";
import { forgetSampleRecords, watchSample } from "../server/store/sample/sample_records.ts";
import { STORIES } from "../server/store/sample/sample_runs.ts";
import { storeOn } from "../server/store/store.ts";
import { cached } from "./cached.ts";

const databases = new Map<number | undefined, Promise<string>>();

/** Puts the sample's database into a data folder, as the embedded service fills it now or then. */
export async function placeSample(dataDir: string, time?: number): Promise<void> {
  if (!databases.has(time)) {
    const ages = time === undefined;
    databases.set(
      time,
      cached(`sample-${time ?? "now"}`, (path) => make(path, time), { ages }),
    );
  }
  await Deno.copyFile(`${await databases.get(time)}/docket.sqlite`, `${dataDir}/docket.sqlite`);
}

async function make(path: string, time = Date.now()): Promise<void> {
  await Deno.mkdir(path);
  const engine = await openDatabase({ dataDir: path, databaseUrl: null });
  await fillWithSample(storeOn(engine), { now: new Date(time) });
  await watchSample(observerRecordsOn(engine), time);
  // Nobody watches it, but its decisions are there.
  await engine.transaction(async (transaction) => {
    await forgetSchedules(transaction, STORIES.map(({ scheduleId }) => scheduleId));
    await forgetSampleRecords(transaction);
  });
  await engine.close();
}
