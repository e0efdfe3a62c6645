import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { FileSet } from "../../../lib/types.ts";
import { editing, fileSetsHref, type FileSetsView, withOpen } from "../file_sets_view.ts";
import type { SearchState } from "./search_state.ts";

export type SearchActions = typeof import("./search_actions.ts");
export type LoadActions = () => Promise<SearchActions>;

/** What rows a view shows, whatever is open beside them. */
function hrefOfRows(view: FileSetsView): string {
  return fileSetsHref(editing(withOpen(view, null), {}));
}

/** The search: what it shows, and how to show another view. */
export function useSearch(
  initial: SearchState,
  { isCounted, loadActions }: {
    /** Whether the service counts facets. */
    readonly isCounted: boolean;
    readonly loadActions: LoadActions;
  },
) {
  const state = useSignal(initial);
  const busy = useSignal(false);
  const loadedActions = useSignal<SearchActions | null>(null);
  const latest = useRef<AbortController>();
  const shows = useRef(0);
  const firstRows = useRef<Promise<readonly FileSet[] | undefined>>();

  useLayoutEffect(() => {
    // The drawer is drawn again when they are there, for its links to the rows beside it.
    const signal = restart();
    if (initial.view.open) void loadRows();
    if (initial.error) void retryAfterDelay(initial, signal);
    // Counting took longer than the page could wait.
    if (isCounted && initial.facets?.rows) void loadFacets(signal);
    return () => latest.current?.abort();
  }, []);

  /** Cancels the request in progress. */
  function restart(): AbortSignal {
    latest.current?.abort();
    firstRows.current = undefined;
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
    await showActions();
    const next = await actions.load(view, query, signal);
    if (!next || signal.aborted) return;
    // The current facets stay until the new ones are counted: rows come first.
    state.value = { ...next, facets: state.value.facets };
    busy.value = false;
    if (next.error) void retryAfterDelay(next, signal);
    else await loadFacets(signal);
  }

  async function loadFacets(signal: AbortSignal) {
    const facets = await (await loadActions()).loadFacets(state.value.view, signal);
    if (signal.aborted) return;
    await showActions();
    state.value = { ...state.value, facets };
  }

  /** Renders with the code that is loaded later, in place of the server's markup. */
  async function showActions() {
    loadedActions.value = await loadActions();
  }

  /** The rows that are shown; undefined after an error. The first page has them as markup alone. */
  async function loadRows(): Promise<readonly FileSet[] | undefined> {
    const { page } = state.value;
    if (!page || page.fileSets) return page?.fileSets;
    return await (firstRows.current ??= loadFirstRows(state.value, latest.current!.signal));
  }

  async function loadFirstRows({ view, query, page }: SearchState, signal: AbortSignal) {
    const loaded = await (await loadActions()).load(view, query, signal);
    // After an error, the next click tries again.
    firstRows.current = undefined;
    if (!loaded?.page || state.value.page !== page) return undefined;
    await showActions();
    state.value = { ...state.value, page: loaded.page };
    return loaded.page.fileSets;
  }

  /** Shows a view. If only the open row changes, its file set is usually on the page already. */
  async function show(view: FileSetsView, query: string) {
    const number = ++shows.current;
    // While the first rows load, what is shown is still the same.
    const isSettled = !busy.value || firstRows.current;
    const { page, view: present } = state.value;
    const isSame = isSettled && hrefOfRows(view) === hrefOfRows(present);
    // To close the drawer needs no rows, unless an error took its place.
    const isClosing = isSame && page && present.open &&
      fileSetsHref(view) === fileSetsHref(withOpen(present, null));
    if (isSame && !isClosing && !page?.fileSets) busy.value = true;
    const fileSets = isSame && !isClosing ? await loadRows() : undefined;
    if (number !== shows.current) return;
    const opened = fileSets?.find(({ id }) => id === view.open) ?? null;
    if (isClosing || (fileSets && (opened || !view.open))) {
      state.value = { ...state.value, view, query, opened, error: null };
      busy.value = false;
    } else {
      await load(view, query);
    }
  }

  return { state, busy, show, loadedActions };
}
