/** What a search does in the browser. Loaded when the reader first acts: reading needs none of it. */
import { createPageClient } from "../../../lib/page_client.ts";
import { errorMessageOf, MAX_RETRY_AFTER_SECONDS } from "../../page/error_message.ts";
import { createExport } from "../../export/create_export.ts";
import { CodeTexts } from "../../export/code_texts.tsx";
import { exportFileSets } from "../export_file_sets.ts";
import { Drawer } from "../drawer/drawer.tsx";
import { FactsPanel } from "../facts_panel.tsx";
import { parseFileSetsView } from "../file_sets_link.ts";
import type { FileSetsView } from "../file_sets_view.ts";
import { loadFileSets } from "../load_file_sets.ts";
import { searchCode } from "./search_code.ts";
import { viewOfForm } from "./search_form.ts";
import { failedSearch, type SearchState } from "./search_state.ts";

/** What a search does. */
export interface SearchActions {
  /** Loads a view; null if it was cancelled. */
  load(view: FileSetsView, query: string, signal: AbortSignal): Promise<SearchState | null>;
  /** Retries after the delay that the service asked for, unless it is cancelled. */
  retryAfterDelay(failed: SearchState, signal: AbortSignal, retry: () => void): void;
  readonly Drawer: typeof Drawer;
  readonly FactsPanel: typeof FactsPanel;
  readonly parseFileSetsView: typeof parseFileSetsView;
  readonly viewOfForm: typeof viewOfForm;
  readonly createExport: typeof createExport;
  readonly CodeTexts: typeof CodeTexts;
  readonly searchCode: typeof searchCode;
  readonly exportFileSets: typeof exportFileSets;
}

/** Imports this module when it is first needed. */
export type LoadActions = () => Promise<SearchActions>;

/** Actions on the API of the page's own origin. */
export function createSearchActions(origin: string): SearchActions {
  // The server retries; retrying here too would multiply the attempts.
  const client = createPageClient(origin);
  return {
    Drawer,
    FactsPanel,
    parseFileSetsView,
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
    async load(view, query, signal) {
      try {
        const state = await loadFileSets(client, view, signal);
        return signal.aborted ? null : state;
      } catch (error) {
        return signal.aborted ? null : failedSearch(view, query, errorMessageOf(error));
      }
    },
  };
}
