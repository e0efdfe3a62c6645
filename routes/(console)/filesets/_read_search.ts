/** Reads searches for file sets from links and forms. */
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { explainIssues } from "../../../components/file_sets/search/search_result.tsx";
import type { ShownSearch } from "../../../components/search/page_view.ts";
import { type ParsedView, parsePageView } from "../../../components/search/parse_page_view.ts";
import { invalidSearch, isFromForm, readForm } from "../../../components/search/search_form.ts";
import type { UsableSearch } from "../../../components/search/search_form_view.tsx";
import type { ErrorMessage } from "../../../components/ui/error_notice.tsx";
import { searchLimitIssues } from "../../../server/api/service_operations.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { LIMITS } from "../../../server/store/file_sets/search_body.ts";
import type { ConsoleState } from "../_middleware.ts";

/** A search, or what is wrong with it. */
interface ReadSearch extends Pick<ParsedView, "view" | "query" | "condition"> {
  readonly error: ErrorMessage | null;
  /** After an error: its place in the query, and a link to a valid search. */
  readonly place?: readonly [start: number, end: number];
  readonly usable?: UsableSearch;
  /** Where a valid form leads. */
  readonly redirect?: string;
}

interface SearchContext {
  readonly url: URL;
  readonly state: Pick<ConsoleState, "preferences" | "services">;
}

/** How the search in a link reads its days, such as `last-month`. */
export function datesOf({ state }: SearchContext) {
  return { zone: state.preferences.zone, now: Date.now() };
}

/** The search in a link. @throws {ProblemError} With everything that is wrong with it */
export function readLink(ctx: SearchContext) {
  const { view, issues } = parsePageView(ctx.url.searchParams, FILE_SETS, datesOf(ctx));
  const all = [...issues, ...searchLimitIssues(view.body)];
  if (all.length > 0) throw new ProblemError(400, "This link is not valid", { errors: all });
  return view;
}

/** The search in the link or the submitted form of the page. */
export function readSearch(ctx: SearchContext): ReadSearch {
  const params = ctx.url.searchParams;
  const fromForm = isFromForm(params);
  const dates = datesOf(ctx);
  const parsed = parsePageView(params, FILE_SETS, dates);
  const { view, query, condition, issues, meant } = fromForm
    ? readForm(params, FILE_SETS, dates, parsed)
    : parsed;
  const asked = { view, query, condition, error: null };
  const excess = searchLimitIssues(view.body);
  // Without chips: each would repeat the long link.
  if (excess.length > 0) {
    return { ...asked, view: { body: {} }, error: invalidSearch([...issues, ...excess]) };
  }
  // The embedded service finds further issues, so all are shown at once.
  const { limit, offset, body } = view;
  const known = ctx.state.services.store?.searchIssues(body, { limit, offset }) ?? [];
  if (issues.length > 0 || (known.length > 0 && !fromForm)) {
    const { named, usable } = meant
      ? { named: [], usable: didYouMean(view, meant) }
      : explainIssues(view, known, LIMITS.pageSize);
    const place = issues.find(({ place }) => place)?.place;
    return { ...asked, usable, error: invalidSearch([...issues, ...named]), place };
  }
  const isDone = fromForm && condition.issue === undefined;
  return { ...asked, ...isDone && { redirect: fileSetsHref(view) } };
}

function didYouMean(
  view: ShownSearch,
  { query, body }: { readonly query: string; readonly body: ShownSearch["body"] },
): UsableSearch {
  return { href: fileSetsHref({ ...view, body }), text: `Did you mean ${query}?` };
}
