/** Clicks, the drawer and late facets of the search for file sets, in the browser. */
import { find, isPlainClick, type Shown, type Target } from "../../search/follow_search.ts";
import { loadDocument, replaceParts } from "../../ui/replace_parts.ts";
import { withQuery } from "../../ui/query.ts";
import type { ParseOptions } from "../../search/parse_page_view.ts";
import { fileSetHref } from "../file_sets_view.ts";

/** The target of a click on a row or a cell, or of a Shift click on a header. */
export function findTarget(event: MouseEvent, dates: () => ParseOptions): Target | null {
  const { target, button, altKey, shiftKey, metaKey, ctrlKey } = event;
  const link = (target as Element).closest("a");
  if (!link) {
    const cell = (target as Element).closest<HTMLTableCellElement>("tbody td");
    if (!cell || button !== 0 || !getSelection()!.isCollapsed || !isShared(cell)) return null;
    const click = { column: cell.cellIndex, text: cell.textContent!, isExcluded: altKey };
    return async (shown) => (await loadActions()).hrefOfCell(shown, click, dates());
  }
  const { open, sort } = link.dataset;
  if (open !== undefined && isPlainClick(event)) {
    const id = decodeURIComponent(link.pathname.split("/").at(-1)!);
    return ({ pathname, searchParams }) => {
      const params = new URLSearchParams(searchParams);
      params.set("open", id);
      return withQuery(pathname, params);
    };
  }
  if (!sort || !shiftKey || button !== 0 || altKey || metaKey || ctrlKey) return null;
  return async (shown) => (await loadActions()).hrefSortedAlso(shown, sort, dates());
}

export function loadActions() {
  return import("./search_actions.ts");
}

/** Whether several rows may share a cell's value. The style sheet shows the same cells. */
function isShared(cell: HTMLElement): boolean {
  return !cell.matches(".wide") && !cell.querySelector("time, code, .missing");
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
