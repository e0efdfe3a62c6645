import { useLayoutEffect } from "preact/hooks";
import { ExportStatus, useExport } from "../components/export/use_export.tsx";
import {
  findTarget,
  loadActions,
  loadLateFacets,
  onDrawerShown,
} from "../components/file_sets/search/search_clicks.ts";
import { followSearch } from "../components/search/follow_search.ts";

/** Shows results of a search for file sets in place, and the progress of exports. */
export function FileSetSearch({ zone }: { readonly zone: string }) {
  const dates = () => ({ zone, now: Date.now() });
  const exporting = useExport(async (href, tools) =>
    (await loadActions()).exportFileSets(href, dates(), tools)
  );

  // Before the first paint, so that no click is missed.
  useLayoutEffect(() => {
    const stop = followSearch({
      onExport: exporting.start,
      findTarget: (event) => findTarget(event, dates),
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
