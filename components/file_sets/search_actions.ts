/**
 * What a search does in the browser. Pages load it when somebody begins to act; who only reads needs
 * none of it.
 */
import { createClient } from "../../lib/client.ts";
import { parseFileSetsView } from "./file_sets_link.ts";
import type { FileSetsView } from "./file_sets_view.ts";
import { exportFileSets } from "./export_run.ts";
import { searchCode } from "./search_code.ts";
import { FactsPanel } from "./facts_panel.tsx";
import { loadFileSets } from "./load_file_sets.ts";
import { viewOfForm } from "./search_form.ts";
import { nothingShown, type Shown } from "./shown_file_sets.ts";
import { LONGEST_PAUSE_SECONDS, troubleOf } from "../page/trouble.ts";

/** What a search does. */
export interface SearchActions {
  /** What a view shows, or the trouble with it; null where it is no longer wanted. */
  load(view: FileSetsView, signal: AbortSignal): Promise<Shown | null>;
  /** Asks again when the service said to, until the signal aborts. */
  againAsTold(shown: Shown, signal: AbortSignal, ask: () => void): void;
  readonly parseFileSetsView: typeof parseFileSetsView;
  readonly viewOfForm: typeof viewOfForm;
  readonly searchCode: typeof searchCode;
  readonly exportFileSets: typeof exportFileSets;
  readonly FactsPanel: typeof FactsPanel;
}

/** Actions that ask the API of the page's own origin. */
export function createSearchActions(origin: string): SearchActions {
  // The service's own process retries; a second place would multiply the attempts.
  const client = createClient({ baseUrl: origin, token: null, attempts: 1 });
  return {
    parseFileSetsView,
    viewOfForm,
    searchCode,
    exportFileSets,
    FactsPanel,
    againAsTold({ trouble }, signal, ask) {
      const seconds = trouble?.retryAfterSeconds;
      if (!seconds || seconds > LONGEST_PAUSE_SECONDS) return;
      const timer = setTimeout(ask, seconds * 1000);
      signal.addEventListener("abort", () => clearTimeout(timer));
    },
    async load(view, signal) {
      try {
        const shown = await loadFileSets(client, view, signal);
        return signal.aborted ? null : shown;
      } catch (error) {
        return signal.aborted ? null : nothingShown(view, troubleOf(error));
      }
    },
  };
}
