import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CopyAs } from "../components/file_sets/copy_as.tsx";
import type { ExportFormat } from "../components/file_sets/export_formats.ts";
import { ExportMenu, type ExportState } from "../components/file_sets/export_menu.tsx";
import { OpenedFileSet } from "../components/file_sets/opened_file_set.tsx";
import { FileSetTable } from "../components/file_sets/file_set_table.tsx";
import {
  atOffset,
  fileSetsHref,
  type FileSetsView,
  withFacts,
  withOpen,
} from "../components/file_sets/file_sets_view.ts";
import { TroubleNotice } from "../components/ui/notice.tsx";
import { Pager } from "../components/ui/pager.tsx";
import type { SearchCode } from "../components/file_sets/search_code.ts";
import { SearchChips } from "../components/file_sets/search_chips.tsx";
import type { SearchActions } from "../components/file_sets/search_actions.ts";
import { INPUTS } from "../components/file_sets/search_inputs.ts";
import { SearchPanel } from "../components/file_sets/search_panel.tsx";
import { NothingFound, positionOf, resultWords } from "../components/file_sets/search_result.tsx";
import { nothingShown, type Shown, unreadable } from "../components/file_sets/shown_file_sets.ts";
import { Zone } from "../components/ui/zone.ts";
import { CopyButton } from "./CopyButton.tsx";

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
export function FileSetSearch({ initial, code, factsPanel, upstream, zone, origin, tokenHeader }: {
  readonly initial: Shown;
  /** The first view as code. */
  readonly code: SearchCode;
  /** The facts of the first view: markup of the server's, since only others need code for it. */
  readonly factsPanel: ComponentChildren;
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
  const actions = useRef<Promise<SearchActions>>();
  const latest = useRef<AbortController>();
  const exporting = useSignal<ExportState>({ running: false, words: "", bad: false });
  const exportRun = useRef<AbortController>();
  const texts = useSignal(code);
  const showsCode = useSignal(false);
  const ready = useSignal<SearchActions | null>(null);

  // Before the first paint, so that no click falls between.
  useLayoutEffect(() => {
    const back = async () => {
      const { parseFileSetsView } = await prepare();
      const { view, faults } = parseFileSetsView(new URLSearchParams(location.search));
      if (faults.length > 0) shown.value = nothingShown(view, unreadable(faults));
      else void show(view);
    };
    if (initial.trouble) {
      const { signal } = latest.current = new AbortController();
      void prepare().then((acting) =>
        acting.againAsTold(initial, signal, () => load(initial.view))
      );
    }
    addEventListener("popstate", back);
    addEventListener("pointerdown", prepare, { once: true });
    addEventListener("keydown", prepare, { once: true });
    return () => {
      latest.current?.abort();
      exportRun.current?.abort();
      removeEventListener("popstate", back);
      removeEventListener("pointerdown", prepare);
      removeEventListener("keydown", prepare);
    };
  }, []);

  /** Whoever touches the page is about to ask for something; who only reads needs none of it. */
  function prepare(): Promise<SearchActions> {
    return actions.current ??= import("../components/file_sets/search_actions.ts")
      .then(({ createSearchActions }) => createSearchActions(location.origin));
  }

  /** Gets what a view shows; an answer that is no longer wanted is dropped. */
  async function load(view: FileSetsView) {
    latest.current?.abort();
    const { signal } = latest.current = new AbortController();
    // Links and the form go on from the new view at once; the rows are the old ones until then.
    shown.value = { ...shown.value, view, trouble: null };
    busy.value = true;
    const acting = await prepare();
    const next = await acting.load(view, signal);
    if (!next || signal.aborted) return;
    ready.value = acting;
    shown.value = next;
    busy.value = false;
    acting.againAsTold(next, signal, () => load(shown.value.view));
  }

  /** Shows a view; what is on the screen already, but for what is open, needs no call. */
  async function show(view: FileSetsView) {
    const { page, view: present } = shown.value;
    const opened = page?.fileSets.find((fileSet) => fileSet.id === view.open) ?? null;
    const sameList = fileSetsHref(withOpen(view, null)) === fileSetsHref(withOpen(present, null));
    if (page && !busy.value && sameList && (opened || !view.open)) {
      shown.value = { ...shown.value, view, opened };
    } else {
      await load(view);
    }
  }

  /** Goes to another view, unless what was asked for can't be read. */
  function go({ view, faults }: ReturnType<SearchActions["parseFileSetsView"]>) {
    if (faults.length > 0) {
      shown.value = { ...shown.value, trouble: unreadable(faults) };
      return;
    }
    const { open } = shown.value.view;
    const href = fileSetsHref(view);
    if (href !== location.pathname + location.search) history.pushState(null, "", href);
    const before = document.activeElement;
    void show(view).then(() => keepFocus(before, view, open));
  }

  // The server wrote the first view as code; who looks at the code has the next ones written.
  useSignalEffect(() => {
    const { view } = shown.value;
    if (!showsCode.value) return;
    void prepare().then(({ searchCode }) => {
      texts.value = searchCode(view, { origin, tokenHeader });
    });
  });

  /** Exports in the browser, where one sees how far it is and can stop it. */
  async function runExport(event: MouseEvent, format: ExportFormat) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (exporting.value.running) return;
    const { signal } = exportRun.current = new AbortController();
    const onProgress = (words: string) => exporting.value = { running: true, words, bad: false };
    onProgress("");
    const { exportFileSets } = await prepare();
    const outcome = await exportFileSets(shown.value.view, format, { signal, onProgress });
    exporting.value = { running: false, ...outcome };
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

  async function onClick(event: MouseEvent) {
    const link = (event.target as Element).closest("a");
    if (!link?.href || event.button !== 0 || "own" in link.dataset) return;
    const { open, also } = link.dataset;
    if (event.metaKey || event.ctrlKey || event.altKey || (event.shiftKey && !also)) return;
    const href = open
      ? fileSetsHref(withOpen(shown.value.view, open))
      : event.shiftKey && also
      ? also
      : link.href;
    const url = new URL(href, location.href);
    if (url.pathname !== "/filesets") return;
    event.preventDefault();
    const { parseFileSetsView } = await prepare();
    go(parseFileSetsView(url.searchParams));
  }

  async function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const sent = new URLSearchParams(new FormData(form) as never);
    const asked = (await prepare()).viewOfForm(sent, new Date());
    // What was added is in the view now; a form that could not be used stays as it was typed.
    if (asked.faults.length === 0) clearAdditions(form);
    go(asked);
  }

  const { view, page, all, facts, opened, trouble, typed } = shown.value;
  const position = page && positionOf(page, view);
  const Facts = ready.value?.FactsPanel;
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
          {busy.value ? "Searching…" : position && resultWords(view, position, all)}
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
            <ExportMenu
              view={view}
              state={exporting.value}
              onExport={runExport}
              onStop={() => exportRun.current?.abort()}
            />
            <a href={fileSetsHref(withFacts(view, !view.facts))}>
              {view.facts ? "Hide the facts" : "Show facts"}
            </a>
            <CopyAs
              code={texts.value}
              onToggle={(open) => showsCode.value = open}
              copyButton={copyButton}
            />
          </div>
        )}
        {page && position && (page.fileSets.length > 0
          ? (
            <>
              <div class="beside">
                <FileSetTable fileSets={page.fileSets} view={view} busy={busy.value} />
                {(view.open || view.facts) && (
                  <div class="aside">
                    {view.open && (
                      <OpenedFileSet view={view} fileSet={opened}>
                        <CopyButton text={view.open} label="Copy id" />
                      </OpenedFileSet>
                    )}
                    {view.facts && (!facts
                      ? <p class="notice bad">The facts could not be had.</p>
                      : Facts
                      ? <Facts facts={facts} total={position.total} />
                      : factsPanel)}
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

function copyButton(text: string, label: string) {
  return <CopyButton text={text} label={label} />;
}
