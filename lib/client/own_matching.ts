/**
 * Searches for file sets where a service does not know an operator or an order: Docket then reads all
 * file sets, and filters and sorts them itself. The interface documents only `EQUALS` and `ASC`.
 */
import { AbortError, DriftError, HttpStatusError, isDocketError } from "../errors.ts";
import type { Drift } from "../errors.ts";
import { ORDERS } from "../fields.ts";
import { formatCount } from "../format.ts";
import { matchFileSets, matchIssues } from "../search/match_file_sets.ts";
import { plainSearch } from "../search/plain_search.ts";
import { HOUR, MINUTE, SECOND } from "../time_units.ts";
import type { FileSet, FileSetPage, SearchBody, SearchInput } from "../types.ts";
import { type Backend, DEFAULT_LIMIT, type SearchOptions } from "./backend.ts";
import { type Runtime, systemRuntime, within } from "./transport/runtime.ts";
import { walkFileSets } from "./walks/lists.ts";

/** What Docket did itself. */
export interface OwnMatching {
  /** The operators and orders that the service does not know. */
  readonly unknown: readonly string[];
  /** Number of file sets that were read. */
  readonly read: number;
}

/** A page of file sets; `matching` is there if Docket filtered and sorted them itself. */
export type SearchedPage = FileSetPage & { readonly matching?: OwnMatching };

export interface SearchingBackend extends Backend {
  readonly fileSets: {
    search(body?: SearchInput, options?: SearchOptions): Promise<SearchedPage>;
  };
}

/** The file sets that a token can read. */
interface List {
  readonly since: number;
  readonly fileSets: Promise<readonly FileSet[]>;
  count: number;
  /** The last search of the list, which its next page continues. */
  last?: { readonly search: string; readonly rows: readonly FileSet[] };
}

/** How long a refusal and a list are remembered, and how long reading a list may take. */
const REFUSAL_MS = HOUR;
const LIST_MS = 5 * MINUTE;
const READ_MS = 15 * SECOND;
/** The most file sets that Docket filters itself, and that all lists have together. */
const MAX_READ = 20_000;
const MAX_LISTED = 100_000;
const PREFETCH = 4;

/**
 * Remembers what one service refuses, and what each token has read.
 *
 * @returns Makes a backend of the service, with a token, search with any operator and order.
 */
export function createOwnMatching(
  runtime: Pick<Runtime, "now" | "setTimer"> = systemRuntime(),
): (backend: Backend, token: string) => SearchingBackend {
  const refusedUntil = new Map<string, number>();
  const lists = new Map<string, List>();

  async function listFor(
    backend: Backend,
    token: string,
    unknown: readonly string[],
    signal?: AbortSignal,
  ): Promise<List> {
    const since = runtime.now();
    for (const [key, list] of lists) if (list.since + LIST_MS <= since) lists.delete(key);
    const known = lists.get(token);
    const fileSets = known?.fileSets ?? readAll(backend, unknown, runtime, signal);
    const list: List = known ?? { since, fileSets, count: 0 };
    lists.set(token, list);
    try {
      list.count = (await fileSets).length;
    } catch (error) {
      if (lists.get(token) === list) lists.delete(token);
      // Whoever began to read may have left.
      const isOthers = known && !signal?.aborted && isDocketError(error) && error.kind === "abort";
      if (isOthers) return await listFor(backend, token, unknown, signal);
      throw error;
    }
    let listed = [...lists.values()].reduce((sum, { count }) => sum + count, 0);
    for (const [key, { count }] of lists) {
      if (listed <= MAX_LISTED) break;
      lists.delete(key);
      listed -= count;
    }
    return list;
  }

  return (backend, token) => ({
    ...backend,
    fileSets: {
      async search(body = {}, options = {}) {
        const plain = plainSearch(body);
        const undocumented = undocumentedIn(plain);
        if (undocumented.length === 0 || matchIssues(plain).length > 0) {
          return await backend.fileSets.search(body, options);
        }
        const now = runtime.now();
        let unknown: readonly string[] = undocumented.filter((name) =>
          (refusedUntil.get(name) ?? 0) > now
        );
        if (unknown.length === 0) {
          try {
            return await backend.fileSets.search(body, options);
          } catch (error) {
            if (!isRefusal(error)) throw error;
            unknown = await findUnknown(backend, plain, undocumented, options);
            if (unknown.length === 0) throw error;
          }
          for (const name of unknown) refusedUntil.set(name, runtime.now() + REFUSAL_MS);
        }
        return matchedPage(
          await listFor(backend, token, unknown, options.signal),
          plain,
          unknown,
          options,
        );
      },
    },
  });
}

/** Such as `The service does not know LIKE, so Docket filtered all 1,204 file sets itself`. */
export function matchingText({ unknown, read }: OwnMatching): string {
  const isOrder = (name: string) => (ORDERS as readonly string[]).includes(name);
  const work = unknown.every(isOrder)
    ? "sorted"
    : unknown.some(isOrder)
    ? "filtered and sorted"
    : "filtered";
  return `${unknownText(unknown)}, so Docket ${work} all ${formatCount(read)} file sets itself`;
}

function unknownText(unknown: readonly string[]): string {
  return `The service does not know ${unknown.join(" and ")}`;
}

async function matchedPage(
  list: List,
  body: SearchBody,
  unknown: readonly string[],
  { limit = DEFAULT_LIMIT, offset = 0 }: SearchOptions,
): Promise<SearchedPage> {
  const fileSets = await list.fileSets;
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
    ...filters.map(({ operator = "EQUALS" }) => operator),
    ...fieldSort.map(({ order = "ASC" }) => order),
  ];
  return [...new Set(names)].filter((name) => name !== "EQUALS" && name !== "ASC");
}

/** Which operators and orders a service refuses, given that it refused the search. */
async function findUnknown(
  { fileSets }: Backend,
  body: SearchBody,
  undocumented: readonly string[],
  options: SearchOptions,
): Promise<readonly string[]> {
  const accepts = async (names: readonly string[]) => {
    try {
      await fileSets.search(without(body, names), options);
      return true;
    } catch (error) {
      if (isRefusal(error)) return false;
      throw error;
    }
  };
  // Something else is wrong with the search.
  if (!await accepts(undocumented)) return [];
  if (undocumented.length === 1) return undocumented;
  const unknown: string[] = [];
  for (const name of undocumented) {
    if (!await accepts(undocumented.filter((other) => other !== name))) unknown.push(name);
  }
  return unknown;
}

/** The same search with `EQUALS` and `ASC` instead of some operators and orders. */
function without({ filters, fieldSort, ...rest }: SearchBody, names: readonly string[]) {
  return {
    ...rest,
    filters: filters
      ?.map((filter) =>
        names.includes(filter.operator ?? "") ? { ...filter, operator: "EQUALS" } : filter
      )
      .filter(({ operator, value }) => operator !== "EQUALS" || value?.length),
    fieldSort: fieldSort?.map((key) =>
      names.includes(key.order ?? "") ? { ...key, order: "ASC" } : key
    ),
  };
}

async function readAll(
  backend: Backend,
  unknown: readonly string[],
  { setTimer }: Pick<Runtime, "setTimer">,
  signal?: AbortSignal,
): Promise<readonly FileSet[]> {
  let total: number | undefined;
  let drift: Drift | undefined;
  const read = async (signal: AbortSignal) => {
    const rows: FileSet[] = [];
    drift = undefined;
    const onDrift = (found: Drift) => drift ??= found.kind === "contradiction" ? undefined : found;
    const walk = walkFileSets(backend, {}, { prefetch: PREFETCH, onDrift, signal });
    for await (const row of walk) {
      if (rows.push(row) % DEFAULT_LIMIT === 1) total = walk.report.total;
      if ((total ?? 0) <= MAX_READ && rows.length <= MAX_READ) continue;
      throw refusal(
        `${unknownText(unknown)}, and has ${total ? formatCount(total) : "more"} file sets: ` +
          `Docket filters at most ${formatCount(MAX_READ)} itself`,
      );
    }
    return rows;
  };
  const work = async (signal: AbortSignal) => {
    const first = await read(signal);
    if (!drift) return first;
    const second = await read(signal);
    if (!drift) return second;
    throw new DriftError(drift, "File sets changed while Docket read all of them");
  };
  return await within(
    work,
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

function isRefusal(error: unknown): boolean {
  return isDocketError(error) && error.kind === "http" && error.status === 400;
}
