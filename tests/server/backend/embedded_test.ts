import { assert, assertEquals, assertRejects } from "@std/assert";
import { embeddedService, openRecords } from "../../../server/backend/embedded.ts";
import { readSettings } from "../../../server/config/settings.ts";
import { createLog } from "../../../server/log/log.ts";
import { DatabaseError } from "../../../server/store/database/database_error.ts";
import { DATABASE_FILE } from "../../../server/store/open.ts";
import { SEEDED } from "../../../server/store/sample/fill.ts";
import { fileSet } from "../store/rows.ts";
import { withFolder } from "../../with_folder.ts";

const LOG = createLog({ level: "error", format: "text" });

/** Opens the embedded service of a data folder for some work; says whether its sample was judged. */
async function withService(
  dataDir: string,
  work: (service: ReturnType<typeof embeddedService>) => Promise<unknown> = () => Promise.resolve(),
) {
  const settings = { ...readSettings({ DATA_DIR: dataDir, SERVICE_TOKEN: "t" }), inThreads: false };
  let judged = 0;
  const service = embeddedService(settings, LOG, () => Promise.resolve(void judged++));
  try {
    await service.open();
    const watched = (await service.records!.watches.list()).length;
    const { pageContext } = await service.store!.fileSets.search({}, { limit: 1 });
    await work(service);
    return { watched, fileSets: pageContext.total!, judged };
  } finally {
    await service.close();
  }
}

Deno.test("embeddedService: fills a new database with the sample, once, and no other", () =>
  withFolder(async (dataDir) => {
    const { watched, fileSets, judged } = await withService(dataDir);
    assert(watched > 0 && fileSets > 0);
    assertEquals(judged, 1);
    // It is emptied on purpose, and then has rows.
    const again = await withService(dataDir, async ({ store }) => {
      await store!.clearWithRecords();
      await store!.put({ metadata: { [SEEDED]: "0 file sets" } });
    });
    assertEquals(again, { watched, fileSets, judged: 0 });
    const empty = await withService(dataDir, async ({ store }) => {
      await store!.clearWithRecords();
      await store!.put({ fileSets: [fileSet(1)] });
    });
    assertEquals(empty, { watched: 0, fileSets: 0, judged: 0 });
    assertEquals(await withService(dataDir), { watched: 0, fileSets: 1, judged: 0 });
  }));

Deno.test("embeddedService: a database that is removed while it serves is not made anew", () =>
  withFolder(async (dataDir) => {
    await withService(dataDir, async (service) => {
      for await (const { name } of Deno.readDir(dataDir)) {
        if (name.startsWith(DATABASE_FILE)) await Deno.remove(`${dataDir}/${name}`);
      }
      await assertRejects(() => service.open(), DatabaseError, "no longer there");
    });
  }));

Deno.test("openRecords: there are none where no file lasts, unless a database is set", async () => {
  const keys = { SESSION_KEY: "k".repeat(32), RECORDS_KEY: "k".repeat(32) };
  const upstream = { DENO_DEPLOY: "1", SERVICE_BASE_URL: "https://service.example.com", ...keys };
  assertEquals(openRecords(readSettings(upstream), LOG), null);
  const lasting = { ...upstream, DATABASE_URL: "postgres://db.example/docket" };
  await openRecords(readSettings(lasting), LOG)!.close();
});
