import { useLayoutEffect } from "preact/hooks";
import { ExportStatus, useExport } from "../components/export/use_export.tsx";
import { fileSetHref } from "../components/file_sets/file_sets_view.ts";
import {
  find,
  followSearch,
  isPlainClick,
  type Shown,
  type Target,
} from "../components/search/follow_search.ts";
import { withQuery } from "../components/ui/query.ts";
import { loadDocument, replaceParts } from "../components/ui/replace_parts.ts";

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

/** The target of a click on a row's name, or of a Shift click on a header. */
function findTarget(event: MouseEvent): Target | null {
  const link = (event.target as Element).closest("a");
  const { open, also } = link?.dataset ?? {};
  if (also && event.button === 0 && event.shiftKey) return () => also;
  if (!link || open === undefined || !isPlainClick(event)) return null;
  return ({ pathname, searchParams }) => {
    const params = new URLSearchParams(searchParams);
    params.set("open", decodeURIComponent(link.pathname.split("/").at(-1)!));
    return withQuery(pathname, params);
  };
}

function onDrawerShown({ before, url }: Pick<Shown, "before" | "url">): void {
  const open = url.searchParams.get("open");
  const closed = before.searchParams.get("open");
  find("tr.open")?.scrollIntoView({ block: "nearest" });
  if (open && open !== closed) find("main [data-opened]")?.focus();
  else if (closed && !open) {
    find(`main [data-open][href="${CSS.escape(fileSetHref(closed))}"]`)?.focus();
  }
}

/** Replaces facets of the shown rows with those of all matches, which take longer. */
async function loadLateFacets({ search }: Pick<URL, "search">): Promise<void> {
  const facets = find("#facets[data-late]");
  if (!facets) return;
  const { responseXML } = await loadDocument(`/filesets/facets${search}`);
  if (facets.isConnected) replaceParts(["facets"], responseXML);
}
