/** The search of file sets in the browser: its clicks, the Escape key, the focus and late facets. */
import { loadDocument } from "../../ui/load_document.ts";
import { isPlainClick, type Shown, type Target } from "../../ui/page_parts.ts";
import { replaceParts } from "../../ui/replace_parts.ts";
import { withQuery } from "../../ui/query.ts";
import type { DateContext } from "../file_sets_link.ts";
import { fileSetHref } from "../file_sets_view.ts";

/** Ids of the parts that depend on the search. */
export const SEARCH_PARTS = [
  "search-form",
  "search-result",
  "search-tools",
  "search-found",
] as const;

/** Where a click on a row, a cell, or with Shift on a header leads. */
export function targetOf(event: MouseEvent, dates: () => DateContext): Target | null {
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
    return (shown) => hrefWith(shown, "open", id);
  }
  if (!sort || !shiftKey || button !== 0 || altKey || metaKey || ctrlKey) return null;
  return async (shown) => (await loadActions()).hrefSortedAlso(shown, sort, dates());
}

export function loadActions() {
  return import("./search_actions.ts");
}

/** Whether several rows may have the value of a cell, as the style sheet shows. */
function isShared(cell: HTMLElement): boolean {
  return !cell.matches(".wide") && !cell.querySelector("time, code, .missing");
}

function hrefWith({ pathname, searchParams }: URL, name: string, value: string): string {
  const params = new URLSearchParams(searchParams);
  params.set(name, value);
  return withQuery(pathname, params);
}

/** Closes the editor or the drawer. In other fields and in dialogs the key has another meaning. */
export function onEscape(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== "Escape" || event.defaultPrevented || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  const field = (target as Element).closest?.("input, select, textarea");
  // The editor comes before the drawer.
  if (!field || field.closest("[data-editor]")) find("main [data-close]")?.click();
}

/** Moves the focus to what was opened, or back from what was closed. */
export function onSearchShown({ before, url }: Pick<Shown, "before" | "url">): void {
  const was = (name: string) => before.searchParams.get(name);
  const is = (name: string) => url.searchParams.get(name);
  const isEditorNew = (is("add") ?? is("edit")) !== null &&
    (is("add") !== was("add") || is("edit") !== was("edit"));
  const open = is("open");
  const closed = was("open");
  find("tr.open")?.scrollIntoView({ block: "nearest" });
  if (selectError()) return;
  if (isEditorNew) focusOn("[data-editor] :is(a, select)");
  else if (open && open !== closed) focusOn("[data-opened]");
  else if (closed && !open) focusOn(`[data-open][href="${CSS.escape(fileSetHref(closed))}"]`);
  else if (was("add") !== null && is("add") === null && isFocusLost()) focusOn(".add");
}

/** Selects what is wrong in the query; false if nothing is. */
function selectError(): boolean {
  const query = find<HTMLInputElement>("#q[data-error]");
  const [start, end] = query?.dataset.error?.split("-") ?? [];
  query?.focus();
  query?.setSelectionRange(Number(start), Number(end));
  return query !== null;
}

/** Whether the focused element is gone, so that the result has the focus instead. */
function isFocusLost(): boolean {
  return document.activeElement?.id === "search-result";
}

/** Replaces the facets of the rows by those of all matches, if the page did not wait for them. */
export async function loadLateFacets({ search }: Pick<URL, "search">): Promise<void> {
  const facets = find("#facets[data-late]");
  if (!facets) return;
  const { responseXML } = await loadDocument(`/filesets/facets${search}`);
  if (facets.isConnected) replaceParts(["facets"], responseXML);
}

function focusOn(selector: string): void {
  find(`main ${selector}`)?.focus();
}

function find<Found extends HTMLElement = HTMLElement>(selector: string): Found | null {
  return document.querySelector<Found>(selector);
}
