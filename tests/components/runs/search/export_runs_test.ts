import { assertEquals } from "@std/assert";
import { runExportColumns, runSelection } from "../../../../components/runs/search/export_runs.ts";
import { runColumns } from "../../../../lib/fields.ts";
import type { RunView } from "../../../../components/runs/run_links.tsx";

const VIEW: RunView = { body: {}, skip: 0 };

Deno.test("runExportColumns: the start and the chosen columns, or every field", () => {
  const columns = ["status", "startTime", "duration"] as const;
  assertEquals(runExportColumns({ ...VIEW, columns }), ["startTime", "status", "duration"]);
  assertEquals(runExportColumns(VIEW), runColumns());
});

const RUN = {
  id: 7,
  startTime: "2026-01-31T23:30:00",
  endTime: "2026-01-31T23:31:30",
  recipients: [
    { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" },
    { displayName: "ben@example.com" },
  ],
};

Deno.test("runSelection: masks addresses, also those in names", () => {
  assertEquals(runSelection(VIEW, "UTC")(RUN)?.recipients, [
    { userId: 1, displayName: "Ann", emailAddress: "a…@example.com" },
    { displayName: "b…@example.com", emailAddress: undefined },
  ]);
  assertEquals(runSelection(VIEW, "UTC")({ id: 7 }), { id: 7 });
});

Deno.test("runSelection: adds the duration in seconds if it is a column", () => {
  const durationOf = (...columns: "duration"[]) =>
    runSelection({ ...VIEW, columns }, "UTC")(RUN)?.duration;
  assertEquals([durationOf("duration"), durationOf()], [90, undefined]);
});

Deno.test("runSelection: leaves out other runs, and reads times without a zone in the service's", () => {
  const view = {
    ...VIEW,
    body: {
      dateFilters: [{ field: "startTime", start: "2026-01-31T23:00:00Z" }],
      fieldSort: [{ field: "duration" }],
    },
  };
  assertEquals(runSelection(view, "UTC")(RUN)?.id, 7);
  assertEquals(runSelection(view, "Europe/Berlin")(RUN), null);
});
