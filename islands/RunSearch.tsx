import { useEffect } from "preact/hooks";
import { ExportStatus } from "../components/export/export_menu.tsx";
import { useExport } from "../components/export/use_export.ts";
import { sendChanges } from "../components/runs/search/send_changes.ts";
import { followInPlace } from "../components/ui/page_parts.ts";

/**
 * Shows the results of the form and the links of the runs in place, and how an export of them goes.
 */
export function RunSearch({ scheduleId, serviceZone }: {
  readonly scheduleId: number;
  /** The zone of times without one. */
  readonly serviceZone: string;
}) {
  const exporting = useExport(async (href, tools) => {
    const { exportRuns } = await import("../components/runs/search/export_runs.ts");
    return await exportRuns({ scheduleId, serviceZone }, href, tools);
  });

  useEffect(() => {
    const end = new AbortController();
    const pages = followInPlace({
      ids: ["run-result", "run-copy", "run-filter", "run-charts", "run-results"],
      status: "run-result",
      links: "#run-results",
      texts: { busy: "Loading…", failed: "The runs could not be loaded." },
      onExport: exporting.start,
      onShown: (shown) => onShown(shown),
      // What was typed stays as typed, such as `2 min`.
      isAsTyped: ({ name }) => name !== "recipient" && !name.startsWith("new-"),
    });
    const onShown = sendChanges(pages, end.signal);
    return () => {
      end.abort();
      pages.stop();
    };
  }, []);

  return <ExportStatus {...exporting} />;
}
