/** A service in the same process, with the rows of a test. */
import { DEFAULT_LIMIT } from "../client/backend.ts";
import { DEFAULT_TOKEN_HEADER } from "../client/transport/request.ts";
import { check } from "../check.ts";
import { type Runtime, systemRuntime } from "../client/transport/runtime.ts";
import { matchFileSets, matchIssues, plainSearch } from "../search/match_file_sets.ts";
import type { FileSet, ReportRun } from "../types.ts";
import { answerWithFault, type Fault, type Quirks } from "./faults.ts";
import { type Profile, PROFILES } from "./profiles.ts";

/** The rows of the service, and what it does differently. */
export interface TestServiceOptions {
  /** What kind of service it is. Default: `documented`. */
  readonly profile?: Profile;
  /** The file sets. */
  readonly fileSets?: readonly FileSet[];
  /** The runs of each report schedule, by the schedule's id. Another id is answered with 404 or 403. */
  readonly runs?: Readonly<Record<number, readonly ReportRun[]>>;
  /** The only token that is accepted. By default, any token is, and no token too. */
  readonly token?: string;
  /**
   * Whether a token may read the file sets, or the history of a schedule. Otherwise, the answer is
   * 403. By default, every token may.
   */
  readonly mayRead?: (token: string, subject: "file sets" | number) => boolean;
  /**
   * What goes wrong: a list with an entry for each request in order, undefined for nothing; or a
   * function that decides for each request.
   */
  readonly faults?:
    | readonly (Fault | undefined)[]
    | ((request: SeenRequest) => Fault | undefined);
  /** What the service always does. */
  readonly quirks?: Quirks;
  /** Called before each request is answered, to change rows. */
  readonly change?: (service: TestService, request: SeenRequest) => void;
  /** How long each answer takes, in milliseconds. Default: 0. */
  readonly latencyMs?: number | ((request: SeenRequest) => number);
  /** Clock and waiting. Default: the real ones. */
  readonly runtime?: Runtime;
}

/** A request that the service received. */
export interface SeenRequest {
  /** Number of the request, from 0. */
  readonly index: number;
  /** HTTP method. */
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  /** `limit` of the request: the most rows to return. */
  readonly limit: number;
  /** `offset` or `skip` of the request: the rows to skip. */
  readonly offset: number;
  /** Headers, under lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body text. */
  readonly body?: string;
}

/** A service for tests. */
export interface TestService {
  /** Answers requests as the global `fetch` does: the option `fetch` of `createClient`. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The file sets; may be changed at any time. */
  readonly fileSets: FileSet[];
  /** The runs of each schedule; may be changed at any time. */
  readonly runs: Map<number, ReportRun[]>;
  /** Every request so far. */
  readonly requests: readonly SeenRequest[];
  /** Number of requests that wait for their answer. */
  readonly inFlight: number;
  /** The most requests that ever waited at the same time. */
  readonly mostInFlight: number;
  /** Number of requests that were aborted before their answer. */
  readonly aborted: number;
}

/**
 * Makes a service. Operators and orders that its profile does not know are answered with 400.
 *
 * @param options The rows, the kind of service, the token, and what goes wrong.
 * @returns The service. Give its `fetch` to `createClient`.
 * @throws {ConfigurationError} If there is no such profile.
 *
 * @example
 * ```ts
 * import { createClient } from "@docket/docket";
 * import { createTestService, makeRuns } from "@docket/docket/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const service = createTestService({ profile: "strict", runs: { 101: makeRuns(3) } });
 * const client = createClient({
 *   baseUrl: "https://service.example",
 *   token: "secret",
 *   fetch: service.fetch,
 * });
 * const error = await client.reportSchedules.history(7).catch((error) => error);
 * assertEquals(error.status, 403);
 * ```
 */
export function createTestService(options: TestServiceOptions = {}): TestService {
  const { runtime = systemRuntime(), latencyMs = 0, profile: name = "documented" } = options;
  const isKnown = Object.hasOwn(PROFILES, name);
  check(isKnown, "profile", `one of ${Object.keys(PROFILES).join(", ")}`);
  const profile = PROFILES[name];
  const quirks = { mostRows: profile.mostRows, ...options.quirks };
  const fileSets = [...options.fileSets ?? []];
  const runs = new Map(
    Object.entries(options.runs ?? {}).map(([id, rows]) => [Number(id), [...rows]]),
  );
  const requests: SeenRequest[] = [];
  const refuse = (status: number, title: string) =>
    status === 403 && !profile.explains
      ? new Response(title, { status, headers: { "content-type": "text/plain" } })
      : problem(status, title);
  const answer = (request: SeenRequest): Response => {
    const token = request.headers[DEFAULT_TOKEN_HEADER.toLowerCase()] ?? "";
    if (options.token !== undefined && token !== options.token) {
      return problem(401, "The token is not valid");
    }
    const { pathname } = new URL(request.url);
    const match = /\/api\/content\/v1\/reportschedules\/(-?\d+)\/history$/.exec(pathname);
    const isSearch = pathname.endsWith("/api/files/v1/filesets/search");
    const method = isSearch ? "POST" : "GET";
    if (!isSearch && !match || request.method !== method) {
      return refuse(profile.missingStatus, `There is no ${request.method} ${pathname}`);
    }
    const subject = match ? Number(match[1]) : "file sets";
    const runs = typeof subject === "number" ? service.runs.get(subject) : undefined;
    if (!(options.mayRead?.(token, subject) ?? true)) return refuse(403, "Access denied");
    if (typeof subject === "string") {
      const rows = fileSets.map(profile.toFileSet);
      const body = profile.toBody(plainSearch(JSON.parse(request.body ?? "{}")));
      const [issue] = matchIssues(body, rows, profile.operators, profile.orders);
      if (issue) return problem(400, issue);
      return Response.json(toPage(matchFileSets(rows, body), request, quirks, profile));
    }
    if (!runs) return refuse(profile.missingStatus, "There is no such report schedule");
    const { skipped, limit } = readRange(request, quirks);
    return Response.json(profile.toHistory(runs).slice(skipped, skipped + limit));
  };

  const service: { -readonly [Name in keyof TestService]: TestService[Name] } = {
    async fetch(input, init) {
      const sent = new Request(input, init);
      const body = await sent.text();
      const request = readRequest(requests.length, sent, body);
      requests.push(request);
      // The signal of the request is another one, which is aborted later.
      const signal = init?.signal ?? sent.signal;
      service.inFlight++;
      service.mostInFlight = Math.max(service.mostInFlight, service.inFlight);
      try {
        signal?.throwIfAborted();
        const ms = typeof latencyMs === "number" ? latencyMs : latencyMs(request);
        if (ms > 0) await runtime.sleep(ms, signal);
        options.change?.(service, request);
        const fault = typeof options.faults === "function"
          ? options.faults(request)
          : options.faults?.[request.index];
        return await answerWithFault(fault, () => answer(request), runtime, signal);
      } finally {
        service.inFlight--;
        if (signal?.aborted) service.aborted++;
      }
    },
    fileSets,
    runs,
    requests,
    inFlight: 0,
    mostInFlight: 0,
    aborted: 0,
  };
  return service;
}

function readRequest(
  index: number,
  { method, url, headers }: Request,
  body: string,
): SeenRequest {
  const { searchParams } = new URL(url);
  return {
    index,
    method,
    url,
    limit: Number(searchParams.get("limit") ?? DEFAULT_LIMIT),
    offset: Number(searchParams.get("offset") ?? searchParams.get("skip") ?? 0),
    headers: Object.fromEntries(headers),
    ...(body && { body }),
  };
}

function readRange(
  { limit, offset }: SeenRequest,
  { mostRows = Infinity, ignoresOffset = false, mostSkipped = Infinity }: Quirks,
): { skipped: number; limit: number } {
  return {
    skipped: ignoresOffset ? 0 : Math.min(offset, mostSkipped),
    limit: Math.min(limit, mostRows),
  };
}

function toPage(
  rows: readonly FileSet[],
  request: SeenRequest,
  quirks: Quirks,
  { toContext }: typeof PROFILES[Profile],
): unknown {
  const { skipped, limit } = readRange(request, quirks);
  const { reportsLimit = true, reportsOffset = true, total = (rows: number) => rows } = quirks;
  const end = skipped + limit;
  const fileSets = rows.slice(skipped, end);
  const context = toContext({
    next: quirks.next ?? (end < rows.length ? String(end) : ""),
    offset: reportsOffset ? skipped : request.offset,
    limit: reportsLimit ? limit : request.limit,
    total: total(rows.length) as number,
    count: fileSets.length,
  });
  return { fileSets, pageContext: context };
}

function problem(status: number, title: string): Response {
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify({ title, status }), { status, headers });
}
