import { assert, assertEquals, assertMatch } from "@std/assert";
import { exportFileName, isExportFormat } from "../../../components/export/export_formats.ts";
import { ExportMenu } from "../../../components/export/export_menu.tsx";
import { htmlOf, linksOf, textsOf } from "../rendered.ts";

function menu(state: { running: boolean; message: string; failed: boolean }): string {
  const nothing = () => {};
  return htmlOf(
    <ExportMenu
      href={(format) => `/export?format=${format}`}
      exporting={{ state, start: nothing, stop: nothing }}
    />,
  );
}

Deno.test("ExportMenu: each format is a download, and a running export can be stopped", () => {
  const idle = menu({ running: false, message: "", failed: false });
  assertEquals(linksOf(idle), {
    CSV: "/export?format=csv",
    NDJSON: "/export?format=ndjson",
    JSON: "/export?format=json",
  });
  assertEquals(idle.match(/ download/g)?.length, 3);
  assertEquals(textsOf(idle, "button"), []);
  const running = menu({ running: true, message: "500 rows", failed: false });
  assertEquals(textsOf(running, "button"), ["Stop"]);
  assertMatch(running, /<span role="status" class="help">500 rows</);
  assertMatch(
    menu({ running: false, message: "Failed", failed: true }),
    /<span role="status" class="bad">Failed</,
  );
});

Deno.test("exportFileName: what of, the day, and whether rows may be missing", () => {
  const now = new Date("2026-01-31T05:30:00Z");
  assertEquals(exportFileName("file-sets", "csv", now, true), "file-sets-2026-01-31.csv");
  assertEquals(
    exportFileName("runs-101", "ndjson", now, false),
    "runs-101-2026-01-31-incomplete.ndjson",
  );
});

Deno.test("isExportFormat: the formats by their names only", () => {
  for (const name of ["csv", "ndjson", "json"]) assert(isExportFormat(name), name);
  for (const name of [null, "", "CSV", "xlsx", "toString"]) {
    assert(!isExportFormat(name), `${name}`);
  }
});
