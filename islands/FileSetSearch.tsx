import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { FactsPanel } from "../components/facts_panel.tsx";
import { FileSetFacts } from "../components/file_set_facts.tsx";
import { FileSetTable } from "../components/file_set_table.tsx";
import {
  atOffset,
  fileSetsHref,
  type FileSetsView,
  parseFileSetsView,
  withFacts,
  withOpen,
} from "../components/file_sets_view.ts";
import {
  loadFileSets,
  nothingShown,
  type Shown,
  unreadable,
} from "../components/load_file_sets.ts";
import { TroubleNotice } from "../components/notice.tsx";
import { Pager } from "../components/pager.tsx";
import { SearchChips } from "../components/search_chips.tsx";
import { INPUTS, isFromForm, viewOfForm } from "../components/search_form.ts";
import { SearchPanel } from "../components/search_panel.tsx";
import { NothingFound, positionOf, resultWords } from "../components/search_result.tsx";
import { troubleOf } from "../components/trouble.ts";
import { Zone } from "../components/zone.ts";
import { createClient } from "../lib/client.ts";
import type { FileSet } from "../lib/types.ts";
import { CopyAs } from "./CopyAs.tsx";
import { CopyButton } from "./CopyButton.tsx";
import { ExportMenu } from "./ExportMenu.tsx";

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

/**
 * File sets by search. The server renders it whole; in the browser, its links and its form get the
 * next page through the API instead of a page load. The URL always says what is shown.
 */
export function FileSetSearch({ initial, upstream, zone, origin, tokenHeader }: {
  readonly initial: Shown;
  /** Whether the service is not Docket's own. */
  readonly upstream: boolean;
  /** The zone that times are shown in. */
  readonly zone: string;
  /** Docket's own origin, and the name of its token header, for code to copy. */
  readonly origin: string;
  readonly tokenHeader: string;
}) {
  const shown = useSignal(initial);
  const busy = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const load = useRef<(view: FileSetsView) => Promise<void>>();

  // Before the first paint, so that no click falls between.
  useLayoutEffect(() => {
    // The service's own process retries; a second place would multiply the attempts.
    const client = createClient({ baseUrl: location.origin, token: null, attempts: 1 });
    let latest: AbortController | undefined;

    load.current = async (view) => {
      latest?.abort();
      const { signal } = latest = new AbortController();
      // Links and the form go on from the new view at once; the rows are the old ones until then.
      shown.value = { ...shown.value, view, trouble: null };
      busy.value = true;
      try {
        const next = await loadFileSets(client, view, signal);
        if (!signal.aborted) shown.value = next;
      } catch (error) {
        if (signal.aborted) return;
        shown.value = nothingShown(view, troubleOf(error));
      }
      if (!signal.aborted) busy.value = false;
    };

    const back = () => {
      const { view, faults } = parseFileSetsView(new URLSearchParams(location.search));
      if (faults.length > 0) shown.value = nothingShown(view, unreadable(faults));
      else void show(view);
    };
    addEventListener("popstate", back);
    return () => {
      latest?.abort();
      removeEventListener("popstate", back);
    };
  }, []);

  /** Shows a view; what is on the screen already, but for what is open, needs no call. */
  async function show(view: FileSetsView) {
    const { page, view: present } = shown.value;
    const opened = page?.fileSets.find((fileSet) => fileSet.id === view.open) ?? null;
    const sameList = fileSetsHref(withOpen(view, null)) === fileSetsHref(withOpen(present, null));
    if (page && !busy.value && sameList && (opened || !view.open)) {
      shown.value = { ...shown.value, view, opened };
    } else {
      await load.current?.(view);
    }
  }

  /** Goes to another view without a page load; false where the browser has to do it. */
  function go(url: URL): boolean {
    if (!load.current || url.pathname !== "/filesets") return false;
    const { view, faults } = isFromForm(url.searchParams)
      ? viewOfForm(url.searchParams, new Date())
      : parseFileSetsView(url.searchParams);
    if (faults.length > 0) {
      shown.value = { ...shown.value, trouble: unreadable(faults) };
      return true;
    }
    const { open } = shown.value.view;
    const href = fileSetsHref(view);
    if (href !== location.pathname + location.search) history.pushState(null, "", href);
    const before = document.activeElement;
    void show(view).then(() => keepFocus(before, view, open));
    return true;
  }

  /** What was in focus may be gone or spent; the next best thing is what came instead. */
  function keepFocus(before: Element | null, view: FileSetsView, open: string | undefined) {
    requestAnimationFrame(() => {
      const isLeft = before?.isConnected && before.getAttribute("aria-disabled") !== "true";
      if (view.open && view.open !== open) focusOn("[data-opened]");
      else if (open && !view.open) focusOn(`[data-open="${CSS.escape(open)}"]`);
      else if (!isLeft || document.activeElement === document.body) focusOn("[data-result]");
    });
  }

  function focusOn(selector: string) {
    root.current?.querySelector<HTMLElement>(selector)?.focus();
  }

  function onClick(event: MouseEvent) {
    const link = (event.target as Element).closest("a");
    if (!link?.href || event.button !== 0 || "own" in link.dataset) return;
    const { open, also } = link.dataset;
    if (event.metaKey || event.ctrlKey || event.altKey || (event.shiftKey && !also)) return;
    const href = open
      ? fileSetsHref(withOpen(shown.value.view, open))
      : event.shiftKey && also
      ? also
      : link.href;
    if (!go(new URL(href, location.href))) return;
    event.preventDefault();
  }

  function onSubmit(event: SubmitEvent) {
    const form = event.target as HTMLFormElement;
    const url = new URL(form.action);
    url.search = String(new URLSearchParams(new FormData(form) as never));
    if (!go(url)) return;
    event.preventDefault();
    // What was added is in the view now; a form that could not be used stays as it was typed.
    if (!shown.value.trouble) clearAdditions(form);
  }

  const { view, page, all, facts, opened, trouble, typed } = shown.value;
  const position = page && positionOf(page, view);
  return (
    <Zone.Provider value={zone}>
      <div
        ref={root}
        onClick={onClick}
        onSubmit={onSubmit}
        class={busy.value ? "busy" : undefined}
        data-density={view.density}
      >
        <SearchPanel view={view} typed={typed} upstream={upstream} />
        <SearchChips view={view} />
        <p class="result" role="status" tabIndex={-1} data-result>
          {position && !busy.value && resultWords(view, position, all)}
        </p>
        {trouble && (
          <TroubleNotice trouble={trouble}>
            <p>
              <a href={fileSetsHref(view)}>Try again</a> · <a href="/filesets">Start over</a>
            </p>
          </TroubleNotice>
        )}
        {page && (
          <div class="tools">
            <ExportMenu view={view} />
            <a href={fileSetsHref(withFacts(view, !view.facts))}>
              {view.facts ? "Hide the facts" : "Show facts"}
            </a>
            <CopyAs view={view} origin={origin} tokenHeader={tokenHeader} />
          </div>
        )}
        {page && position && (page.fileSets.length > 0
          ? (
            <>
              <div class="beside">
                <FileSetTable fileSets={page.fileSets} view={view} busy={busy.value} />
                {(view.open || view.facts) && (
                  <div class="aside">
                    {view.open && <Opened view={view} fileSet={opened} />}
                    {view.facts && (facts
                      ? <FactsPanel facts={facts} total={position.total} />
                      : <p class="notice bad">The facts could not be had.</p>)}
                  </div>
                )}
              </div>
              <Pager
                position={position}
                href={(offset) => fileSetsHref(atOffset(view, offset))}
                label="Pages of file sets"
              />
            </>
          )
          : <NothingFound view={view} position={position} />)}
      </div>
    </Zone.Provider>
  );
}

/** Empties the inputs for what is added; those for what there is keep the present view's values. */
function clearAdditions(form: HTMLFormElement) {
  for (const control of form.elements) {
    const isAddition = (control instanceof HTMLInputElement && control.type !== "checkbox") ||
      control instanceof HTMLSelectElement;
    if (!isAddition || !control.name.startsWith("new-") || control.name === INPUTS.name) continue;
    if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    else control.value = "";
  }
}

/** The file set that is open beside the table. */
function Opened({ view, fileSet }: {
  readonly view: FileSetsView;
  readonly fileSet: FileSet | null;
}) {
  const id = view.open ?? "";
  return (
    <section class="opened" aria-labelledby="opened-heading">
      <h2 id="opened-heading" tabIndex={-1} data-opened>{fileSet?.name || id}</h2>
      <p>
        <a href={fileSetsHref(withOpen(view, null))}>Close</a> ·{" "}
        <a href={`/filesets/${encodeURIComponent(id)}`} data-own>Its own page</a>{" "}
        <CopyButton text={id} label="Copy id" />
      </p>
      {fileSet
        ? <FileSetFacts fileSet={fileSet} />
        : <p class="notice bad">This file set could not be found.</p>}
    </section>
  );
}
