import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { DateContext } from "../file_sets_link.ts";
import { editing, fileSetsHref, type FileSetsView, withOpen } from "../file_sets_view.ts";
import type { LoadActions, SearchActions } from "./search_actions.ts";
import {
  failedSearch,
  invalidSearch,
  type PackedSearchState,
  type SearchState,
  unpackState,
} from "./search_state.ts";

/** What rows a view shows, whatever is open beside them. */
function hrefOfRows(view: FileSetsView): string {
  return fileSetsHref(editing(withOpen(view, null), {}));
}

/** The search: what it shows, and how to show another view. */
export function useSearch(
  packed: PackedSearchState,
  { dates, isCounted, loadActions }: {
    readonly dates: () => DateContext;
    /** Whether the service counts facets. */
    readonly isCounted: boolean;
    readonly loadActions: LoadActions;
  },
) {
  const initial = useMemo(() => unpackState(packed), []);
  const state = useSignal(initial);
  const busy = useSignal(false);
  const loadedActions = useSignal<SearchActions | null>(null);
  const latest = useRef<AbortController>();

  // Before the first paint, so that no click is missed.
  useLayoutEffect(() => {
    const onPopState = async () => {
      const { parseFileSetsView } = await loadActions();
      const parsed = parseFileSetsView(new URLSearchParams(location.search), dates());
      const { view, query, issues } = parsed;
      if (issues.length > 0) state.value = failedSearch(view, query, invalidSearch(issues));
      else void show(view, query);
    };
    addEventListener("popstate", onPopState);
    // What the server drew as a drawer does not hear keys.
    if (initial.view.open) void loadActions().then((actions) => loadedActions.value = actions);
    const signal = restart();
    if (initial.error) void retryAfterDelay(initial, signal);
    // Counting took longer than the page could wait.
    if (isCounted && initial.facets?.rows) void loadFacets(signal);
    return () => {
      latest.current?.abort();
      removeEventListener("popstate", onPopState);
    };
  }, []);

  /** Cancels the request in progress. */
  function restart(): AbortSignal {
    latest.current?.abort();
    return (latest.current = new AbortController()).signal;
  }

  async function retryAfterDelay(failed: SearchState, signal: AbortSignal) {
    const actions = await loadActions();
    actions.retryAfterDelay(failed, signal, () => load(state.value.view, state.value.query));
  }

  /** Loads a view. The old rows stay until the new ones arrive; the form and links change at once. */
  async function load(view: FileSetsView, query: string) {
    const signal = restart();
    state.value = { ...state.value, view, query, error: null };
    busy.value = true;
    const actions = await loadActions();
    // Now the links are those of the new view, so that a click meanwhile loses nothing.
    loadedActions.value = actions;
    const next = await actions.load(view, query, signal);
    if (!next || signal.aborted) return;
    // The present facets stay until the new ones are counted: rows come first.
    state.value = { ...next, facets: state.value.facets };
    busy.value = false;
    if (next.error) void retryAfterDelay(next, signal);
    else await loadFacets(signal);
  }

  async function loadFacets(signal: AbortSignal) {
    const actions = await loadActions();
    const facets = await actions.loadFacets(state.value.view, signal);
    if (signal.aborted) return;
    loadedActions.value = actions;
    state.value = { ...state.value, facets };
  }

  /** Shows a view. If only the open row changes, its file set is usually on the page already. */
  async function show(view: FileSetsView, query: string) {
    const { page, view: present } = state.value;
    const opened = page?.fileSets.find(({ id }) => id === view.open) ?? null;
    if (page && !busy.value && hrefOfRows(view) === hrefOfRows(present) && (opened || !view.open)) {
      loadedActions.value = await loadActions();
      state.value = { ...state.value, view, query, opened, error: null };
    } else {
      await load(view, query);
    }
  }

  return { state, busy, show, loadedActions };
}
