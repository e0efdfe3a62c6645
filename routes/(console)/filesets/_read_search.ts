/** Reads searches for file sets from links and forms. */
import { FILE_SETS, fileSetsHref } from "../../../components/file_sets/file_sets_view.ts";
import { type ParsedView, parsePageView } from "../../../components/search/parse_page_view.ts";
import { invalidSearch, isFromForm, readForm } from "../../../components/search/search_form.ts";
import type { ErrorMessage } from "../../../components/ui/notices.tsx";
import { searchLimitIssues } from "../../../server/api/service_operations.ts";
import { throwIfInvalid } from "../../../server/http/problem.ts";
import type { ErrorWords } from "../../_errors.ts";
import type { ConsoleState } from "../_middleware.ts";

/** What a person lacks who may use the service, but not its file sets. */
export const MISSING: ErrorWords = {
  403: [
    "The service does not let you read file sets",
    "It answered with status 403. Schedules and their runs may be readable.",
  ],
  404: [
    "The service has no file sets, or hides them",
    "It answered with status 404. Schedules and their runs may be readable.",
  ],
};

/** A search, or what is wrong with it. */
interface PageSearch extends Omit<ParsedView, "issues"> {
  readonly error: ErrorMessage | null;
  /** Where a valid form leads. */
  readonly redirect?: string;
}

interface SearchContext {
  readonly url: URL;
  readonly state: Pick<ConsoleState, "preferences">;
}

/** How the search in a link reads its days, such as `last-month`. */
export function datesOf({ state }: SearchContext) {
  return { zone: state.preferences.zone, now: Date.now() };
}

/** The search in a link, and everything that is wrong with it. */
export function parseLink(ctx: SearchContext) {
  const { view, issues } = parsePageView(ctx.url.searchParams, FILE_SETS, datesOf(ctx));
  return { view, issues: [...issues, ...searchLimitIssues(view.body)] };
}

/** The search in a link. @throws {ProblemError} With everything that is wrong with it */
export function readLink(ctx: SearchContext) {
  const { view, issues } = parseLink(ctx);
  throwIfInvalid(issues);
  return view;
}

/** The search in the link or the submitted form of the page. */
export function readPageSearch(ctx: SearchContext): PageSearch {
  const params = ctx.url.searchParams;
  const fromForm = isFromForm(params);
  const dates = datesOf(ctx);
  const parsed = parsePageView(params, FILE_SETS, dates);
  const { issues, ...read } = fromForm ? readForm(params, FILE_SETS, dates, parsed) : parsed;
  const excess = searchLimitIssues(read.view.body);
  // Without chips: each would repeat the long link.
  if (excess.length > 0) {
    return { ...read, view: { body: {} }, error: invalidSearch([...issues, ...excess]) };
  }
  if (issues.length > 0) return { ...read, error: invalidSearch(issues) };
  const isDone = fromForm && read.condition.issue === undefined;
  return { ...read, error: null, ...isDone && { redirect: fileSetsHref(read.view) } };
}
