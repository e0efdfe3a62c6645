import { assertEquals } from "@std/assert";
import { runExportColumns, runSelection } from "../../../../components/runs/search/export_runs.ts";
import { runColumns } from "../../../../lib/fields.ts";

const RUN = {
  id: 7,
  startTime: "2026-01-31T23:30:00",
  endTime: "2026-01-31T23:31:30",
  recipients: [
    { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" },
    { displayName: "ben@example.com" },
  ],
};

Deno.test("runExportColumns: the start and the chosen columns, or every field", () => {
  const columns = ["status", "startTime", "duration"] as const;
  assertEquals(runExportColumns({ body: {}, columns }), ["startTime", "status", "duration"]);
  assertEquals(runExportColumns({ body: {} }), runColumns());
});

Deno.test("runSelection: masks addresses, adds a chosen duration, and leaves out other runs", () => {
  const selected = runSelection({ body: {}, columns: ["duration"] }, "UTC")(RUN)!;
  assertEquals([selected.recipients, selected.duration], [[
    { userId: 1, displayName: "Ann", emailAddress: "a…@example.com" },
    { displayName: "b…@example.com", emailAddress: undefined },
  ], 90]);
  assertEquals(runSelection({ body: {} }, "UTC")({ id: 7 }), { id: 7 });
  // Times without a zone are the service's.
  const dateFilters = [{ field: "startTime", start: "2026-01-31T23:00:00Z" }];
  const inZone = (zone: string) => runSelection({ body: { dateFilters } }, zone)(RUN)?.id;
  assertEquals(["UTC", "Europe/Berlin"].map(inZone), [7, undefined]);
});
