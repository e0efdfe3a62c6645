import { useLayoutEffect } from "preact/hooks";
import { ExportStatus, useExport } from "../components/export/use_export.tsx";
import {
  findTarget,
  loadLateFacets,
  onDrawerShown,
} from "../components/file_sets/search/search_clicks.ts";
import { followSearch } from "../components/search/follow_search.ts";

/** Shows results of a search for file sets in place, and the progress of exports. */
export function FileSetSearch({ zone }: { readonly zone: string }) {
  const exporting = useExport(async (href, tools) => {
    const { exportFileSets } = await import("../components/file_sets/search/search_actions.ts");
    return await exportFileSets(href, { zone, now: Date.now() }, tools);
  });

  // Before the first paint, so that no click is missed.
  useLayoutEffect(() => {
    const stop = followSearch({
      onExport: exporting.start,
      findTarget,
      onShown(shown) {
        onDrawerShown(shown);
        void loadLateFacets(shown.url);
      },
    });
    document.querySelector("tr.open")?.scrollIntoView({ block: "nearest" });
    void loadLateFacets(location);
    return stop;
  }, []);

  return <ExportStatus {...exporting} />;
}
