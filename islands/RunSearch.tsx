import { useEffect } from "preact/hooks";
import { ExportStatus, useExport } from "../components/export/use_export.tsx";
import type { ExportedRuns } from "../components/runs/search/export_runs.ts";
import { followSearch, SEARCH_PARTS } from "../components/search/follow_search.ts";

/** Shows results of a search for runs in place, and the progress of exports. */
export function RunSearch(runs: ExportedRuns) {
  const exporting = useExport(async (href, tools) => {
    const { exportRuns } = await import("../components/runs/search/export_runs.ts");
    return await exportRuns(runs, href, tools);
  });

  useEffect(() =>
    followSearch({
      ids: [...SEARCH_PARTS, "run-chart"],
      onExport: exporting.start,
    }), []);

  return <ExportStatus {...exporting} />;
}
