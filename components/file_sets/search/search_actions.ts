/** What a search does in the browser. Loaded when the reader first acts: reading needs none of it. */
import { type Facets, valueCondition } from "../../../lib/search/facets.ts";
import { isDocketError } from "../../../lib/errors.ts";
import { createPageClient } from "../../../lib/client/page_client.ts";
import { errorMessageOf, MAX_RETRY_AFTER_SECONDS } from "../../page/error_message.ts";
import { isShared } from "../drawer/file_set_facts.tsx";
import { fileSetsHref, type FileSetsView, formatFileSetsView } from "../file_sets_view.ts";
import { toggled } from "../filters/conditions.ts";
import { loadFileSets } from "../load_file_sets.ts";
import { isNumber, shownColumns } from "./search_text.ts";
import { failedSearch, type SearchState } from "./search_state.ts";

export { CodeTexts } from "../../export/code_texts.tsx";
export { Drawer } from "../drawer/drawer.tsx";
export { exportFileSets } from "../export_file_sets.ts";
export { FileSetTable } from "../file_set_table.tsx";
export { parseFileSetsView } from "../file_sets_link.ts";
export { FacetsPanel } from "../filters/facets_panel.tsx";
export { SearchConditions } from "../filters/search_conditions.tsx";
export { formOfView, viewOfForm } from "../filters/search_form.ts";
export { searchCode } from "./search_code.ts";

/** Loads a view; null if that was cancelled, or the page is loaded again instead. */
export async function load(
  view: FileSetsView,
  query: string,
  signal: AbortSignal,
): Promise<SearchState | null> {
  try {
    // The server retries; retrying here too would multiply the attempts.
    const client = createPageClient(location.origin);
    const state = await loadFileSets(client, { view, query }, signal);
    return signal.aborted ? null : state;
  } catch (error) {
    if (signal.aborted) return null;
    // The page names what the service rejects of a search, as without JavaScript.
    if (isDocketError(error) && error.kind === "http" && error.status === 400) {
      location.replace(fileSetsHref(view));
      return null;
    }
    return failedSearch(view, query, errorMessageOf(error));
  }
}

/** Retries after the delay that the service asked for, unless it is cancelled. */
export function retryAfterDelay(
  { error }: SearchState,
  signal: AbortSignal,
  retry: () => void,
): void {
  const seconds = error?.retryAfterSeconds;
  if (!seconds || seconds > MAX_RETRY_AFTER_SECONDS || signal.aborted) return;
  const timer = setTimeout(retry, seconds * 1000);
  signal.addEventListener("abort", () => clearTimeout(timer));
}

/** The facets of a view; null if they could not be counted. */
export async function loadFacets(view: FileSetsView, signal: AbortSignal): Promise<Facets | null> {
  try {
    const response = await fetch(`/filesets/facets?${formatFileSetsView(view)}`, { signal });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** The link to rows with the value of a cell, or without it; null if each row has its own value. */
export function hrefOfCell(
  cell: HTMLTableCellElement,
  view: FileSetsView,
  isExcluded: boolean,
): string | null {
  const field = shownColumns(view)[cell.cellIndex];
  if (!isShared(field) || cell.querySelector(".missing")) return null;
  const text = cell.textContent!;
  const value = isNumber(field) ? text.replaceAll(",", "") : text;
  const use = isExcluded ? "excluded" : "included";
  return fileSetsHref(toggled(view, valueCondition(field, value), use));
}
