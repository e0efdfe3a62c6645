/** Clicks, the drawer and late facets of the search for file sets, in the browser. */
import { find, isPlainClick, type Shown, type Target } from "../../search/follow_search.ts";
import { loadDocument, replaceParts } from "../../ui/replace_parts.ts";
import { withQuery } from "../../ui/query.ts";
import { fileSetHref } from "../file_sets_view.ts";

/** The target of a click on a row's name, or of a Shift click on a header. */
export function findTarget(event: MouseEvent): Target | null {
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

export function onDrawerShown({ before, url }: Pick<Shown, "before" | "url">): void {
  const open = url.searchParams.get("open");
  const closed = before.searchParams.get("open");
  find("tr.open")?.scrollIntoView({ block: "nearest" });
  if (open && open !== closed) find("main [data-opened]")?.focus();
  else if (closed && !open) {
    find(`main [data-open][href="${CSS.escape(fileSetHref(closed))}"]`)?.focus();
  }
}

/** Replaces facets of the shown rows with those of all matches, which take longer. */
export async function loadLateFacets({ search }: Pick<URL, "search">): Promise<void> {
  const facets = find("#facets[data-late]");
  if (!facets) return;
  const { responseXML } = await loadDocument(`/filesets/facets${search}`);
  if (facets.isConnected) replaceParts(["facets"], responseXML);
}
