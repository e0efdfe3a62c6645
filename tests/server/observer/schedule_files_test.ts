import { assert, assertEquals, assertRejects } from "@std/assert";
import type { FileSchedule } from "../../../server/schedules/schedule_file.ts";
import {
  beginScheduleFile,
  continueScheduleFile,
} from "../../../server/observer/schedule_files.ts";
import {
  type ObserverRecords,
  observerRecordsOn,
} from "../../../server/store/records/observer_records.ts";
import { openSqlite } from "../../../server/store/database/sqlite.ts";
import { ADA } from "../../actors.ts";

const schedules = Array.from({ length: 230 }, (_, at): FileSchedule => ({
  scheduleId: at + 1,
  settings: { name: `Report ${at + 1}` },
  watched: at < 120,
}));
const BY = { skipped: 2, actor: ADA, origin: "http://localhost", started: 1 };

async function withRecords(work: (records: ObserverRecords) => Promise<void>): Promise<void> {
  const database = await openSqlite({ path: ":memory:" });
  try {
    await work(observerRecordsOn(database));
  } finally {
    await database.close();
  }
}

Deno.test("continueScheduleFile: after a kill, another process continues where it was", () =>
  withRecords(async (records) => {
    assert(await beginScheduleFile(records, schedules, BY));
    let recorded = 0;
    const killed: ObserverRecords = {
      ...records,
      scheduleFile: {
        ...records.scheduleFile,
        record: (progress) => {
          // The third chunk is saved, but not noted as such.
          if (++recorded === 3) throw new Error("killed");
          return records.scheduleFile.record(progress);
        },
      },
    };
    await assertRejects(() => continueScheduleFile(killed, () => 1000), Error, "killed");
    assertEquals((await records.scheduleFile.latest())?.next, 100);
    // The killed process may still be at work.
    await continueScheduleFile(records, () => 10_000);
    assertEquals((await records.scheduleFile.latest())?.next, 100);
    assertEquals(await beginScheduleFile(records, [], BY), false);
    await continueScheduleFile(records, () => 20_000);
    const { next, total, added, changed, skipped, ended } = (await records.scheduleFile.latest())!;
    assertEquals([next, total, added, changed, skipped, ended], [230, 230, 180, 0, 2, 20_000]);
    assertEquals((await records.watches.list()).length, 120);
    assertEquals(await records.watches.countKnown(), 230);
    assert(await beginScheduleFile(records, schedules.slice(0, 1), BY));
  }));

Deno.test("continueScheduleFile: without a file does nothing", () =>
  withRecords(async (records) => {
    await continueScheduleFile(records);
    assertEquals(await records.scheduleFile.latest(), undefined);
  }));
