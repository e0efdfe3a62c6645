import type { ReadonlySignal, Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { fileSetHref, fileSetsHref, type FileSetsView, withOpen } from "../file_sets_view.ts";
import type { DateContext, ParsedView } from "../file_sets_link.ts";
import type { LoadActions } from "./search_actions.ts";
import { invalidSearch, type SearchState } from "./search_state.ts";

/** Handles the links and the form of a search without loading a page. */
export function useSearchNavigation({ root, state, show, dates, loadActions }: {
  /** The element around the search. */
  readonly root: RefObject<HTMLElement>;
  readonly state: Signal<SearchState>;
  readonly show: (view: FileSetsView, query: string) => Promise<void>;
  readonly dates: () => DateContext;
  readonly loadActions: LoadActions;
}) {
  async function go({ view, query, issues }: ParsedView, isStep = false) {
    if (issues.length > 0) {
      state.value = { ...state.value, query, error: invalidSearch(issues) };
      return;
    }
    const { open } = state.value.view;
    const href = fileSetsHref(view);
    // Back leads to the search, and not through every row that was looked at.
    if (isStep) history.replaceState(null, "", href);
    else if (href !== location.pathname + location.search) history.pushState(null, "", href);
    const focused = document.activeElement;
    await show(view, query);
    requestAnimationFrame(() => restoreFocus(root, focused, open, view.open));
  }

  return {
    async onClick(event: MouseEvent) {
      const link = (event.target as Element).closest("a");
      const href = link && hrefOf(link, event, state);
      if (!href) return;
      const url = new URL(href, location.href);
      if (url.pathname !== "/filesets") return;
      event.preventDefault();
      const { parseFileSetsView } = await loadActions();
      await go(parseFileSetsView(url.searchParams, dates()), link?.rel !== "");
    },

    async onSubmit(event: SubmitEvent) {
      event.preventDefault();
      const form = event.target as HTMLFormElement;
      const params = new URLSearchParams(new FormData(form) as never);
      const { viewOfForm } = await loadActions();
      const parsed = viewOfForm(params, dates());
      // Valid additions are part of the view now. Invalid ones stay in the form.
      if (parsed.issues.length === 0) clearAdditions(form);
      await go(parsed);
    },
  };
}

/** The link to follow in place, or undefined where the browser should handle the click. */
function hrefOf(
  link: HTMLAnchorElement,
  { button, metaKey, ctrlKey, altKey, shiftKey }: MouseEvent,
  state: ReadonlySignal<SearchState>,
): string | undefined {
  // `open` marks a row to open beside the table, `also` is the link for clicks with Shift.
  const { own, open, also } = link.dataset;
  if (!link.href || button !== 0 || own !== undefined) return undefined;
  if (metaKey || ctrlKey || altKey || (shiftKey && !also)) return undefined;
  if (open !== undefined) {
    const id = decodeURIComponent(new URL(link.href).pathname.split("/").at(-1)!);
    return fileSetsHref(withOpen(state.value.view, id));
  }
  return shiftKey ? also : link.href;
}

/** Moves the focus where its element is gone or disabled, or where a row was opened or closed. */
function restoreFocus(
  root: RefObject<HTMLElement>,
  focused: Element | null,
  openBefore: string | undefined,
  open: string | undefined,
) {
  const focusOn = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus();
  const isUsable = focused?.isConnected && focused.getAttribute("aria-disabled") !== "true";
  if (open && open !== openBefore) focusOn("[data-opened]");
  else if (openBefore && !open) {
    focusOn(`[data-open][href="${CSS.escape(fileSetHref(openBefore))}"]`);
  } else if (!isUsable || document.activeElement === document.body) focusOn("[data-result]");
}

/** Clears the fields for additions. Fields that show the present view keep their values. */
function clearAdditions(form: HTMLFormElement) {
  for (const control of form.elements) {
    const isAddition = (control instanceof HTMLInputElement && control.type !== "checkbox") ||
      control instanceof HTMLSelectElement;
    if (!isAddition || !control.name.startsWith("new-")) continue;
    if (control instanceof HTMLSelectElement) control.selectedIndex = 0;
    else control.value = "";
  }
}
