/** What a search does in the browser. Loaded when the reader first acts: reading needs none of it. */
import type { Facets } from "../../../lib/search/facets.ts";
import { valueCondition } from "../../../lib/search/facets.ts";
import { isDocketError } from "../../../lib/errors.ts";
import { createPageClient } from "../../../lib/page_client.ts";
import { errorMessageOf, MAX_RETRY_AFTER_SECONDS } from "../../page/error_message.ts";
import { createExport } from "../../export/create_export.ts";
import { CodeTexts } from "../../export/code_texts.tsx";
import { exportFileSets } from "../export_file_sets.ts";
import { Drawer } from "../drawer/drawer.tsx";
import { FileSetTable } from "../file_set_table.tsx";
import { parseFileSetsView } from "../file_sets_link.ts";
import { fileSetsHref, type FileSetsView, formatFileSetsView } from "../file_sets_view.ts";
import { isShared } from "../drawer/file_set_facts.tsx";
import { toggled } from "../filters/conditions.ts";
import { FacetsPanel } from "../filters/facets_panel.tsx";
import { SearchConditions } from "../filters/search_conditions.tsx";
import { formOfView, viewOfForm } from "../filters/search_form.ts";
import { loadFileSets } from "../load_file_sets.ts";
import { searchCode } from "./search_code.ts";
import { isNumber, shownColumns } from "./search_text.ts";
import { failedSearch, type SearchState } from "./search_state.ts";

export interface SearchActions {
  load(view: FileSetsView, query: string, signal: AbortSignal): Promise<SearchState | null>;
  /** Retries after the delay that the service asked for, unless it is cancelled. */
  retryAfterDelay(failed: SearchState, signal: AbortSignal, retry: () => void): void;
  readonly Drawer: typeof Drawer;
  readonly FileSetTable: typeof FileSetTable;
  /** The facets of a view; null if they could not be counted. */
  loadFacets(view: FileSetsView, signal: AbortSignal): Promise<Facets | null>;
  /** The link to what has the value of a cell, or has not; null for a cell that none can share. */
  hrefOfCell(cell: HTMLTableCellElement, view: FileSetsView, isExcluded: boolean): string | null;
  readonly FacetsPanel: typeof FacetsPanel;
  readonly SearchConditions: typeof SearchConditions;
  readonly parseFileSetsView: typeof parseFileSetsView;
  readonly formOfView: typeof formOfView;
  readonly viewOfForm: typeof viewOfForm;
  readonly createExport: typeof createExport;
  readonly CodeTexts: typeof CodeTexts;
  readonly searchCode: typeof searchCode;
  readonly exportFileSets: typeof exportFileSets;
}

export type LoadActions = () => Promise<SearchActions>;

/** Actions on the API of the page's own origin. */
export function createSearchActions(origin: string): SearchActions {
  // The server retries; retrying here too would multiply the attempts.
  const client = createPageClient(origin);
  return {
    Drawer,
    FileSetTable,
    FacetsPanel,
    SearchConditions,
    parseFileSetsView,
    formOfView,
    viewOfForm,
    createExport,
    CodeTexts,
    searchCode,
    exportFileSets,
    retryAfterDelay({ error }, signal, retry) {
      const seconds = error?.retryAfterSeconds;
      if (!seconds || seconds > MAX_RETRY_AFTER_SECONDS || signal.aborted) return;
      const timer = setTimeout(retry, seconds * 1000);
      signal.addEventListener("abort", () => clearTimeout(timer));
    },
    hrefOfCell(cell, view, isExcluded) {
      const field = shownColumns(view)[cell.cellIndex];
      if (!isShared(field) || cell.querySelector(".missing")) return null;
      const text = cell.textContent!;
      const value = isNumber(field) ? text.replaceAll(",", "") : text;
      const use = isExcluded ? "excluded" : "included";
      return fileSetsHref(toggled(view, valueCondition(field, value), use));
    },
    async loadFacets(view, signal) {
      try {
        const response = await fetch(`/filesets/facets?${formatFileSetsView(view)}`, { signal });
        return response.ok ? await response.json() : null;
      } catch {
        return null;
      }
    },
    async load(view, query, signal) {
      try {
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
    },
  };
}
