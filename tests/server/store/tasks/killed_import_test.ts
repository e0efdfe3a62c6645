import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openStore } from "../../../../server/store/open.ts";
import { sampleFileSets } from "../../../../server/store/sample/file_sets.ts";
import { reportUntil, startTask } from "./child.ts";

const ROWS = 60_000;

Deno.test("importFile: killed at once, it has kept what it reported, and goes on from there", async () => {
  const dataDir = await Deno.makeTempDir();
  try {
    const file = `${dataDir}/rows.ndjson`;
    const lines = [...sampleFileSets(ROWS, 0)].map((row) => `${JSON.stringify(row)}\n`);
    await Deno.writeTextFile(file, lines.join(""));

    const child = startTask("import", [file], { DATA_DIR: dataDir });
    // By then the indexes are aside, so the worst moment is among those that may follow.
    const report = await reportUntil(child, /^40000 read/m);
    child.kill("SIGKILL");
    assertEquals((await child.status).signal, "SIGKILL");
    const reported = Math.max(...report.matchAll(/^(\d+) read/gm).map((match) => Number(match[1])));

    const store = await openStore({ dataDir, databaseUrl: null });
    const { total } = (await store.fileSets.search({}, { limit: 1 })).pageContext;
    await store.close();
    assert(total! >= reported && reported >= 40_000, `${total} kept, ${reported} reported`);

    const again = startTask("import", [file], { DATA_DIR: dataDir });
    const rest = await reportUntil(again, /never/);
    assertEquals((await again.status).code, 0);
    assertStringIncludes(rest, `Continuing at line ${total! + 1}`);
    assertMatch(rest, new RegExp(`^${ROWS - total!} read: ${ROWS - total!} new`, "m"));

    const whole = await openStore({ dataDir, databaseUrl: null });
    const search = { filters: [{ field: "name", operator: "LIKE", value: ["lyon"] }] };
    const found = await whole.fileSets.search(search, { limit: 1 });
    assertEquals((await whole.fileSets.search({}, { limit: 1 })).pageContext.total, ROWS);
    assertEquals(
      found.pageContext.total,
      lines.filter((line) => /"name":"[^"]*Lyon/.test(line)).length,
    );
    await whole.close();
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
