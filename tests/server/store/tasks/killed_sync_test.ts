import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openStore } from "../../../../server/store/open.ts";
import { fillWithSample } from "../../../../server/store/sample/fill.ts";
import { TOKEN, withUpstream } from "../sync/upstream.ts";
import { reportUntil, startTask } from "./child.ts";

Deno.test("sync: killed at once, it has kept what it reported, and goes on from there", () =>
  withUpstream(async (upstream) => {
    const dataDir = await Deno.makeTempDir();
    const env = { DATA_DIR: dataDir, SYNC_FROM_URL: upstream.url, SYNC_FROM_TOKEN: TOKEN };
    try {
      await fillWithSample(upstream.store, { fileSets: 6000, schedules: 1, runs: 300 });
      const child = startTask("sync", ["--schedules", "101"], env);
      await reportUntil(child, /^3000 file sets read/m);
      child.kill("SIGKILL");
      await child.status;

      const store = await openStore({ dataDir, databaseUrl: null });
      const kept = (await store.fileSets.search({}, { limit: 1 })).pageContext.total!;
      await store.close();
      assert(kept >= 3000, `${kept} kept`);

      const before = upstream.requests.length;
      const again = startTask("sync", [], env);
      const said = await reportUntil(again, /never/);
      assertEquals((await again.status).code, 0, said);
      const asked = upstream.requests.slice(before).filter((path) => path.includes("search"));
      // From the page where it stopped, and one more to see the end.
      assert(asked.length <= (6000 - kept) / 100 + 2, `${asked.length} requests for the rest`);

      const whole = await openStore({ dataDir, databaseUrl: null });
      for (const offset of [0, 1000, 2000, 3000, 4000, 5000]) {
        const page = { limit: 1000, offset };
        assertEquals(
          await whole.fileSets.search({}, page),
          await upstream.store.fileSets.search({}, page),
        );
      }
      assertEquals((await whole.reportSchedules.history(101, { limit: 1000 })).length, 300);
      await whole.close();
      assertStringIncludes(said, "runs of 101 read");
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  }));
