import { assert, assertEquals, assertMatch } from "@std/assert";
import { exportFileName, isExportFormat } from "../../../components/export/export_formats.ts";
import { ExportStatus } from "../../../components/export/export_status.tsx";
import type { ExportState } from "../../../components/export/use_export.ts";
import { htmlOf, textsOf } from "../rendered.ts";

Deno.test("ExportStatus: shows an export's progress, and a button to stop it", () => {
  const status = (state: ExportState) => htmlOf(<ExportStatus state={state} stop={() => {}} />);
  assertEquals(textsOf(status({ running: false, message: "", failed: false }), "button"), []);
  const running = status({ running: true, message: "500 rows", failed: false });
  assertEquals(textsOf(running, "button"), ["Stop"]);
  assertMatch(running, /<span role="status" class="help">500 rows</);
  assertMatch(
    status({ running: false, message: "Failed", failed: true }),
    /<span role="status" class="bad">Failed</,
  );
});

Deno.test("exportFileName: names the subject, the day, and whether rows may be missing", () => {
  const now = new Date("2026-01-31T05:30:00Z");
  assertEquals(exportFileName("file-sets", "csv", now, true), "file-sets-2026-01-31.csv");
  assertEquals(
    exportFileName("runs-101", "ndjson", now, false),
    "runs-101-2026-01-31-incomplete.ndjson",
  );
});

Deno.test("isExportFormat: accepts only the names of the formats", () => {
  for (const name of ["csv", "ndjson", "json"]) assert(isExportFormat(name), name);
  for (const name of [null, "", "CSV", "xlsx", "toString"]) {
    assert(!isExportFormat(name), `${name}`);
  }
});
