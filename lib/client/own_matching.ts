/**
 * Searches for file sets where a service does not know an operator or an order: Docket then reads all
 * file sets, and filters and sorts them itself. The interface documents only `EQUALS` and `ASC`.
 */
import { AbortError, type Drift, DriftError, HttpStatusError, isDocketError } from "../errors.ts";
import { ORDERS } from "../fields.ts";
import { formatCount } from "../format.ts";
import { matchFileSets, matchIssues, plainSearch } from "../search/match_file_sets.ts";
import { HOUR, MINUTE, SECOND } from "../time_units.ts";
import type { FileSet, FileSetPage, SearchBody, SearchInput } from "../types.ts";
import { type Backend, DEFAULT_LIMIT, type SearchOptions } from "./backend.ts";
import { type Runtime, systemRuntime, within } from "./transport/runtime.ts";
import { walkFileSets } from "./walks/lists.ts";

export interface OwnMatching {
  /** The operators and orders that the service does not know. */
  readonly unknown: readonly string[];
  readonly read: number;
}

/** A page of file sets; `matching` is there if Docket filtered and sorted them itself. */
export type SearchedPage = FileSetPage & { readonly matching?: OwnMatching };

/** The file sets that a token read, and the last search of them, which its next page continues. */
interface List {
  readonly until: number;
  readonly fileSets: readonly FileSet[];
  last?: { readonly search: string; readonly rows: readonly FileSet[] };
}

/** How long a refusal and a list are remembered, and how long reading a list may take. */
const REFUSAL_MS = HOUR;
const LIST_MS = 5 * MINUTE;
const READ_MS = 15 * SECOND;
/** The most file sets that Docket filters itself, and the most lists that are cached. */
const MAX_READ = 20_000;
const MAX_LISTS = 5;
const PREFETCH = 4;

/**
 * Remembers what one service refuses, and what each token has read.
 *
 * @param onRefused Gets the name of an operator or order that the service does not know, and until when
 * it is not requested again.
 * @returns Makes a backend of the service, with a token, search with any operator and order.
 */
export function createOwnMatching(
  runtime: Pick<Runtime, "now" | "setTimer"> = systemRuntime(),
  onRefused: (name: string, until: number) => void = () => {},
) {
  const refusedUntil = new Map<string, number>();
  const lists = new Map<string, List>();

  async function getList(...[token, ...reading]: [string, ...Parameters<typeof readAll>]) {
    const now = runtime.now();
    for (const [key, { until }] of lists) if (until <= now) lists.delete(key);
    const known = lists.get(token);
    if (known) return known;
    const list: List = { fileSets: await readAll(...reading), until: now + LIST_MS };
    if (lists.size >= MAX_LISTS) lists.clear();
    lists.set(token, list);
    return list;
  }

  return (backend: Backend, token: string) => {
    /** The operators and orders for which the service refuses a search, which it has just done. */
    async function findUnknown(body: SearchBody, names: readonly string[], page: SearchOptions) {
      const accepts = (others: readonly string[]) =>
        backend.fileSets.search(documented(body, others), page).then(() => true, (error) => {
          if (isBadRequest(error)) return false;
          throw error;
        });
      // Otherwise, something else is wrong with the search.
      if (!await accepts(names)) return [];
      const unknown: string[] = [];
      for (const name of names) {
        const others = names.filter((other) => other !== name);
        if (others.length === 0 || !await accepts(others)) unknown.push(name);
      }
      const until = runtime.now() + REFUSAL_MS;
      for (const name of unknown) {
        refusedUntil.set(name, until);
        onRefused(name, until);
      }
      return unknown;
    }

    async function search(
      input: SearchInput = {},
      page: SearchOptions = {},
    ): Promise<SearchedPage> {
      const body = plainSearch(input);
      const names = undocumentedIn(body);
      const mayMatch = names.length > 0 && matchIssues(body).length === 0;
      const refused = names.filter((name) => (refusedUntil.get(name) ?? 0) > runtime.now());
      if (!mayMatch || refused.length === 0) {
        try {
          return await backend.fileSets.search(input, page);
        } catch (error) {
          if (!mayMatch || !isBadRequest(error)) throw error;
          refused.push(...await findUnknown(body, names, page));
          if (refused.length === 0) throw error;
        }
      }
      const list = await getList(token, backend, refused, runtime, page.signal);
      return matchedPage(list, body, refused, page);
    }
    return { ...backend, fileSets: { search } };
  };
}

/** Such as `The service does not know LIKE, so Docket filtered all 1,204 file sets itself`. */
export function matchingText({ unknown, read }: OwnMatching): string {
  const isOrder = (name: string) => (ORDERS as readonly string[]).includes(name);
  const work = [!unknown.every(isOrder) && "filtered", unknown.some(isOrder) && "sorted"];
  return `${unknownText(unknown)}, so Docket ${work.filter(Boolean).join(" and ")} all ${
    formatCount(read)
  } file sets itself`;
}

function unknownText(unknown: readonly string[]): string {
  return `The service does not know ${unknown.join(" and ")}`;
}

function matchedPage(
  list: List,
  body: SearchBody,
  unknown: readonly string[],
  { limit = DEFAULT_LIMIT, offset = 0 }: SearchOptions,
): SearchedPage {
  const { fileSets } = list;
  const search = JSON.stringify(body);
  if (list.last?.search !== search) {
    const [issue] = matchIssues(body, fileSets);
    if (issue) throw refusal(`${unknownText(unknown)}, and Docket can't filter itself: ${issue}`);
    list.last = { search, rows: matchFileSets(fileSets, body) };
  }
  const { rows } = list.last;
  const end = offset + limit;
  return {
    fileSets: rows.slice(offset, end),
    pageContext: { next: end < rows.length ? String(end) : "", offset, limit, total: rows.length },
    matching: { unknown, read: fileSets.length },
  };
}

/** The operators and orders of a search that the interface does not document. */
function undocumentedIn({ filters = [], fieldSort = [] }: SearchBody): string[] {
  const names = [
    ...filters.map(({ operator }) => operator),
    ...fieldSort.map(({ order }) => order),
  ];
  return [...new Set(names)].filter((name) => name !== undefined)
    .filter((name) => name !== "EQUALS" && name !== "ASC");
}

/** The same search with `EQUALS` and `ASC` instead of these operators and orders. */
function documented({ filters, fieldSort, ...dates }: SearchBody, names: readonly string[]) {
  const isNamed = (name = "") => names.includes(name);
  return {
    ...dates,
    filters: filters?.filter(({ operator, value }) => !isNamed(operator) || value?.length)
      .map((each) => isNamed(each.operator) ? { ...each, operator: "EQUALS" } : each),
    fieldSort: fieldSort?.map((key) => isNamed(key.order) ? { ...key, order: "ASC" } : key),
  };
}

async function readAll(
  backend: Backend,
  unknown: readonly string[],
  { setTimer }: Pick<Runtime, "setTimer">,
  signal?: AbortSignal,
): Promise<readonly FileSet[]> {
  let total: number | undefined;
  const read = async (signal: AbortSignal) => {
    const rows: FileSet[] = [];
    const onDrift = (drift: Drift) => {
      const text = "File sets changed while Docket read all of them";
      if (drift.kind !== "contradiction") throw new DriftError(drift, text);
    };
    const walk = walkFileSets(backend, {}, { prefetch: PREFETCH, onDrift, signal });
    for await (const row of walk) {
      if (rows.push(row) % DEFAULT_LIMIT === 1) total = walk.report.total;
      if (Math.max(total ?? 0, rows.length) <= MAX_READ) continue;
      throw refusal(
        `${unknownText(unknown)}, and has ${total ? formatCount(total) : "more"} file sets: ` +
          `Docket filters at most ${formatCount(MAX_READ)} itself`,
      );
    }
    return rows;
  };
  return await within(
    read,
    READ_MS,
    setTimer,
    signal,
    (isAbort) =>
      isAbort ? new AbortError("it was aborted", { cause: signal?.reason }) : refusal(
        `${unknownText(unknown)}, and did not send its ${total ? `${formatCount(total)} ` : ""}` +
          `file sets within ${READ_MS / SECOND} s, so that Docket could not filter them itself`,
      ),
  );
}

/** The error for a search that neither the service nor Docket can answer. */
function refusal(detail: string): HttpStatusError {
  return new HttpStatusError(400, detail, { problem: { detail, errors: [] } });
}

function isBadRequest(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" && error.status === 400;
}
