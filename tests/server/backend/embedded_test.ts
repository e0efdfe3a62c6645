import { assert, assertEquals, assertRejects } from "@std/assert";
import { embeddedService } from "../../../server/backend/embedded.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { createLog } from "../../../server/log/log.ts";
import { openDatabase } from "../../../server/store/open.ts";
import { storeOn } from "../../../server/store/store.ts";
import { STORIES } from "../../../server/store/sample/sample_runs.ts";
import { sql } from "../../../server/store/database/sql.ts";
import { fileSet } from "../store/rows.ts";
import { withFolder } from "../../with_folder.ts";

const LOG = createLog({ level: "error", format: "text" });

/** The embedded service of a data folder. */
function serviceIn(dataDir: string, onFilled = () => {}) {
  const settings = { ...readSettings({ DATA_DIR: dataDir, SERVICE_TOKEN: "t" }), inThreads: false };
  return embeddedService(settings, LOG, () => Promise.resolve(onFilled()));
}

/** Opens the embedded service of a data folder; says what it shows, and whether its sample was judged. */
async function open(dataDir: string) {
  let judged = 0;
  const service = serviceIn(dataDir, () => void judged++);
  try {
    await service.open();
    const watched = (await service.records!.watches.list()).length;
    const { pageContext } = await service.store!.fileSets.search({}, { limit: 1 });
    return { watched, fileSets: pageContext.total!, judged };
  } finally {
    await service.close();
  }
}

Deno.test("embeddedService: fills a new database with the sample, once", () =>
  withFolder(async (dataDir) => {
    const { watched, fileSets, judged } = await open(dataDir);
    assert(watched > 0 && fileSets > 0);
    assertEquals(judged, 1);
    assertEquals(await open(dataDir), { watched, fileSets, judged: 0 });
  }));

Deno.test("embeddedService: a database with rows, or emptied on purpose, stays as it is", () =>
  withFolder(async (dataDir) => {
    const store = storeOn(await openDatabase({ dataDir, databaseUrl: null, inThreads: false }));
    await store.put({ fileSets: [fileSet(1)] });
    assertEquals(await open(dataDir), { watched: 0, fileSets: 1, judged: 0 });
    await store.clearWithRecords();
    await store.put({ contents: "own" });
    await store.close();
    assertEquals(await open(dataDir), { watched: 0, fileSets: 0, judged: 0 });
  }));

Deno.test("embeddedService: goes on with a sample that was not watched, as the disk was full", () =>
  withFolder(async (dataDir) => {
    const database = await openDatabase({ dataDir, databaseUrl: null, inThreads: false });
    await database.write(
      sql`CREATE TRIGGER full BEFORE INSERT ON calendars BEGIN SELECT RAISE(ABORT, 'full'); END`,
    );
    await assertRejects(() => open(dataDir), Error, "full");
    await database.write(sql`DROP TRIGGER full`);
    await database.close();
    const { watched, judged } = await open(dataDir);
    assertEquals([watched, judged], [STORIES.length, 1]);
  }));
