import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { FileSetTable } from "../components/file_set_table.tsx";
import { formatCount, formatCountOf } from "../components/format.ts";
import { type Trouble, TroubleNotice } from "../components/notice.tsx";
import { type PagePosition, Pager } from "../components/pager.tsx";
import { isFromForm, viewOfForm } from "../components/search_form.ts";
import { SearchChips, SearchPanel } from "../components/search_panel.tsx";
import { atOffset, fileSetsHref } from "../components/search_view.ts";
import { Zone } from "../components/zone.ts";
import { parseSearchUrl, type SearchView } from "../lib/search_url.ts";
import type { FileSetPage } from "../lib/types.ts";
import { createClient } from "../lib/client.ts";
import { troubleOf } from "../components/trouble.ts";

/**
 * Fresh answers going back and forth within a document with a page load, since it finds no partials
 * here. The island has its own answer, so it keeps the event from Fresh. Listeners are called in the
 * order they came, and Fresh's comes with its boot module, which is loaded after this one.
 */
function keepFromFresh(event: NavigateEvent) {
  const { sameDocument, url } = event.destination;
  if (event.navigationType !== "traverse" || !sameDocument) return;
  if (new URL(url).pathname === "/filesets") event.stopImmediatePropagation();
}

// Neither the server nor every browser has the Navigation API, whatever its types say.
const navigation = globalThis.navigation as Navigation | undefined;
navigation?.addEventListener("navigate", keepFromFresh);

/** A view of file sets and what came of it. */
export interface Shown {
  readonly view: SearchView;
  /** The page of the view; null where it could not be had. */
  readonly page: FileSetPage | null;
  readonly trouble: Trouble | null;
}

/**
 * File sets by search. The server renders it whole; in the browser, its links and its form get the
 * next page through the API instead of a page load. The URL always says what is shown.
 */
export function FileSetSearch({ initial, upstream, zone }: {
  readonly initial: Shown;
  /** Whether the service is not Docket's own. */
  readonly upstream: boolean;
  /** The zone that times are shown in. */
  readonly zone: string;
}) {
  const shown = useSignal(initial);
  const busy = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const load = useRef<(view: SearchView) => Promise<void>>();

  // Before the first paint, so that no click falls between.
  useLayoutEffect(() => {
    // The service's own process retries; a second place would multiply the attempts.
    const client = createClient({ baseUrl: location.origin, token: null, attempts: 1 });
    let latest: AbortController | undefined;

    load.current = async (view) => {
      latest?.abort();
      const { signal } = latest = new AbortController();
      busy.value = true;
      const { body, limit, offset } = view;
      try {
        const page = await client.fileSets.search(body, { limit, offset, signal });
        if (!signal.aborted) shown.value = { view, page, trouble: null };
      } catch (error) {
        if (signal.aborted) return;
        shown.value = { view, page: null, trouble: troubleOf(error) };
      }
      if (!signal.aborted) busy.value = false;
    };

    const back = () =>
      void load.current?.(parseSearchUrl(new URLSearchParams(location.search)).view);
    addEventListener("popstate", back);
    return () => {
      latest?.abort();
      removeEventListener("popstate", back);
    };
  }, []);

  /** Shows another view without a page load; false where the browser has to do it. */
  function go(url: URL): boolean {
    if (!load.current || url.pathname !== "/filesets") return false;
    const { view } = isFromForm(url.searchParams)
      ? viewOfForm(url.searchParams)
      : parseSearchUrl(url.searchParams);
    history.pushState(null, "", fileSetsHref(view));
    void load.current(view);
    return true;
  }

  function onClick(event: MouseEvent) {
    const link = (event.target as Element).closest("a");
    const modified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (!link?.href || modified || event.button !== 0) return;
    if (!go(new URL(link.href))) return;
    event.preventDefault();
    // The chip that was followed goes away; what was said about it stays near.
    if (link.classList.contains("chip")) {
      root.current?.querySelector<HTMLElement>("[data-result]")?.focus();
    }
  }

  function onSubmit(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    const url = new URL(form.action);
    url.search = String(new URLSearchParams(new FormData(form) as never));
    if (!go(url)) return;
    event.preventDefault();
    form.reset();
  }

  const { view, page, trouble } = shown.value;
  const position = page && positionOf(page, view);
  const href = (offset: number) => fileSetsHref(atOffset(view, offset));
  return (
    <Zone.Provider value={zone}>
      <div ref={root} onClick={onClick} onSubmit={onSubmit} class={busy.value ? "busy" : undefined}>
        <SearchPanel view={view} upstream={upstream} />
        <SearchChips view={view} />
        <p class="result" role="status" tabIndex={-1} data-result>
          {position && resultWords(position)}
        </p>
        {trouble && (
          <TroubleNotice trouble={trouble}>
            <p>
              <a href={fileSetsHref(view)}>Try again</a> · <a href="/filesets">Start over</a>
            </p>
          </TroubleNotice>
        )}
        {page && position && (page.fileSets.length > 0
          ? (
            <>
              <FileSetTable fileSets={page.fileSets} view={view} busy={busy.value} />
              <Pager position={position} href={href} label="Pages of file sets" />
            </>
          )
          : <NothingFound view={view} position={position} />)}
      </div>
    </Zone.Provider>
  );
}

/** Where the page really is: the service may have chosen another limit than was asked for. */
function positionOf(page: FileSetPage, view: SearchView): PagePosition {
  const { offset, limit, total } = page.pageContext;
  return {
    start: offset ?? view.offset ?? 0,
    count: page.fileSets.length,
    limit: limit ?? view.limit ?? 100,
    total: total ?? null,
  };
}

function resultWords({ start, count, total }: PagePosition): string {
  const shown = count === 0
    ? "none shown"
    : `${formatCount(start + 1)} to ${formatCount(start + count)} shown`;
  return total === null ? shown : `${formatCountOf(total, "file set", "file sets")}, ${shown}`;
}

function NothingFound(
  { view, position }: { readonly view: SearchView; readonly position: PagePosition },
) {
  const conditions = (view.body.filters?.length ?? 0) + (view.body.dateFilters?.length ?? 0);
  return (
    <div class="empty">
      {position.start > 0 && position.total !== 0
        ? (
          <p>
            This page is past the last file set.{" "}
            <a href={fileSetsHref(atOffset(view, 0))}>Go to the first page</a>
          </p>
        )
        : conditions > 0
        ? (
          <p>
            No file set matches all of this. Remove a condition above, or{" "}
            <a href="/filesets">show all file sets</a>.
          </p>
        )
        : <p>There are no file sets yet.</p>}
    </div>
  );
}
