import type { ReadonlySignal, Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import {
  fileSetHref,
  fileSetsHref,
  type FileSetsView,
  sortedAlsoBy,
  sortedBy,
  withOpen,
} from "../file_sets_view.ts";
import type { DateContext, ParsedView } from "../file_sets_link.ts";
import type { LoadActions } from "./use_search.ts";
import { failedSearch, invalidSearch, type SearchState } from "./search_state.ts";

/** Handles the links, the form and the Escape key of a search without loading a page. */
export function useSearchNavigation({ root, state, show, dates, loadActions }: {
  readonly root: RefObject<HTMLElement>;
  readonly state: Signal<SearchState>;
  readonly show: (view: FileSetsView, query: string) => Promise<void>;
  readonly dates: () => DateContext;
  readonly loadActions: LoadActions;
}) {
  async function go(
    { view, query, issues }: ParsedView,
    { isStep, params }: { readonly isStep?: boolean; readonly params?: URLSearchParams },
  ) {
    if (issues.length > 0) {
      // To load the page again shows what was typed.
      const how = state.value.error ? "replaceState" : "pushState";
      if (params) history[how](null, "", `/filesets?${params}`);
      state.value = { ...state.value, query, error: invalidSearch(issues), usable: undefined };
      const [place] = issues.flatMap(({ place }) => place ? [place] : []);
      if (place) selectInQuery(root, place);
      return;
    }
    const present = state.value.view;
    const href = fileSetsHref(view);
    // Back leads to the search, and not through every row that was looked at.
    if (isStep) history.replaceState(null, "", href);
    else if (href !== location.pathname + location.search) history.pushState(null, "", href);
    await showFocused(present, view, query);
  }

  async function showFocused(present: FileSetsView, view: FileSetsView, query: string) {
    const focused = document.activeElement;
    await show(view, query);
    requestAnimationFrame(() => restoreFocus(root, focused, present, view));
  }

  // Before the first paint, so that no click is missed.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      // In other fields and in dialogs the key has a meaning of its own.
      if (document.querySelector("dialog[open]")) return;
      const field = (target as Element).closest?.("input, select, textarea");
      if (!field || field.closest("[data-editor]")) {
        // The editor comes before the drawer.
        root.current!.querySelector<HTMLElement>("[data-close]")?.click();
      }
    };
    const onPopState = async () => {
      const { parseFileSetsView } = await loadActions();
      const parsed = parseFileSetsView(new URLSearchParams(location.search), dates());
      const { view, query, issues } = parsed;
      if (issues.length > 0) state.value = failedSearch(view, query, invalidSearch(issues));
      else void showFocused(state.value.view, view, query);
    };
    addEventListener("keydown", onKeyDown);
    addEventListener("popstate", onPopState);
    return () => {
      removeEventListener("keydown", onKeyDown);
      removeEventListener("popstate", onPopState);
    };
  }, []);

  return {
    async onClick(event: MouseEvent) {
      const link = (event.target as Element).closest("a");
      const cell = link ? null : clickedCell(event);
      const href = cell
        ? (await loadActions()).hrefOfCell(cell, state.value.view, event.altKey)
        : link && hrefOf(link, event, state);
      if (!href) return;
      const url = new URL(href, location.href);
      if (url.pathname !== "/filesets") return;
      event.preventDefault();
      const { parseFileSetsView } = await loadActions();
      await go(parseFileSetsView(url.searchParams, dates()), { isStep: Boolean(link?.rel) });
    },

    async onSubmit(event: SubmitEvent) {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const sent = new URLSearchParams(new FormData(form, event.submitter) as never);
      const { formOfView, viewOfForm } = await loadActions();
      const isQuery = form.dataset.options === undefined;
      const params = formOfView(sent, state.value.view, isQuery);
      await go(viewOfForm(params, dates()), { params });
    },
  };
}

/** The cell that was clicked, unless its text was being selected. */
function clickedCell({ target, button }: MouseEvent): HTMLTableCellElement | null {
  return button === 0 && getSelection()!.isCollapsed
    ? (target as Element).closest<HTMLTableCellElement>("tbody td")
    : null;
}

/** The link to follow in place, or undefined if the browser should handle the click. */
function hrefOf(
  link: HTMLAnchorElement,
  { button, metaKey, ctrlKey, altKey, shiftKey }: MouseEvent,
  state: ReadonlySignal<SearchState>,
): string | undefined {
  // `open` marks a row to open beside the table, `sort` names the field of a header.
  const { own, open, sort } = link.dataset;
  const { view } = state.value;
  if (!link.href || button !== 0 || own !== undefined) return undefined;
  if (metaKey || ctrlKey || altKey || (shiftKey && !sort)) return undefined;
  if (open !== undefined) {
    const id = decodeURIComponent(new URL(link.href).pathname.split("/").at(-1)!);
    return fileSetsHref(withOpen(view, id));
  }
  // The header may be the first page's, and the view another one already.
  return sort ? fileSetsHref((shiftKey ? sortedAlsoBy : sortedBy)(view, sort)) : link.href;
}

/** Moves the focus where its element is gone or disabled, or where something was opened or closed. */
function restoreFocus(
  root: RefObject<HTMLElement>,
  focused: Element | null,
  before: FileSetsView,
  { open, add, edit }: FileSetsView,
) {
  const focusOn = (selector: string) => {
    const element = root.current?.querySelector<HTMLElement>(selector);
    element?.focus();
    return element;
  };
  const isUsable = focused?.isConnected && focused.getAttribute("aria-disabled") !== "true";
  const isEditorNew = (add ?? edit) !== undefined && (add !== before.add || edit !== before.edit);
  if (isEditorNew && focusOn("[data-editor] :is(a, select)")) return;
  if (open && open !== before.open) focusOn("[data-opened]");
  else if (before.open && !open) {
    focusOn(`[data-open][href="${CSS.escape(fileSetHref(before.open))}"]`);
  } else if (!isUsable || document.activeElement === document.body) {
    const sort = (focused as HTMLElement | null)?.dataset.sort;
    const isCancelled = before.add !== undefined && add === undefined;
    focusOn(sort ? `[data-sort="${sort}"]` : isCancelled ? ".add" : "[data-result]");
  }
}

/** Shows the place of an error in the query. */
function selectInQuery(root: RefObject<HTMLElement>, [start, end]: readonly [number, number]) {
  const input = root.current?.querySelector<HTMLInputElement>('input[name="q"]');
  input?.focus();
  input?.setSelectionRange(start, end);
}
