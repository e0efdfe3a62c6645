import { assertEquals } from "@std/assert";
import { HEADER, type RunningServer, SEARCH, TOKEN, withServer } from "../app.ts";

const HISTORY = "/api/content/v1/reportschedules";
const SQL = `'; DROP TABLE file_sets; -- " \\ $1 ?1 :a @b %_`;

interface Bad {
  readonly what: string;
  readonly path?: string;
  readonly init?: RequestInit;
  readonly status?: number;
  /** Pointers and parameters of all faults, in order. */
  readonly faults: readonly string[];
}

function posting(body: string): RequestInit {
  return { method: "POST", body };
}

/** A few of each kind: what reads them has tests of its own. */
const BAD: readonly Bad[] = [
  { what: "broken JSON", init: posting('{"filters":['), faults: [""] },
  {
    what: "wrong types, unknown fields, and SQL where a name belongs",
    init: posting(JSON.stringify({
      filter: [],
      fieldSort: [{ field: SQL, order: SQL }],
      filters: [{ field: {}, value: "x", not: 0, operator: [] }, 7],
      dateFilters: [{ field: "created", start: "2025-02-30T00:00:00Z", end: "2025-01-01" }],
    })),
    faults: [
      "/filter",
      "/filters/0/field",
      "/filters/0/value",
      "/filters/0/not",
      "/filters/0/operator",
      "/filters/1",
      "/fieldSort/0/field",
      "/fieldSort/0/order",
      "/dateFilters/0/start",
      "/dateFilters/0/end",
    ],
  },
  {
    what: "duplicate and unknown parameters",
    path: `${SEARCH}?limit=1&limit=2&skip=1`,
    init: posting("{}"),
    faults: ["skip", "limit"],
  },
  {
    what: "another content type",
    init: { ...posting("<filters/>"), headers: { "content-type": "text/xml" } },
    status: 415,
    faults: [],
  },
  { what: "SQL as a schedule", path: `${HISTORY}/1%20OR%201=1/history`, faults: ["scheduleId"] },
  { what: "NUL as a schedule", path: `${HISTORY}/%00/history`, faults: ["scheduleId"] },
  { what: "offset for runs", path: `${HISTORY}/101/history?offset=1`, faults: ["offset"] },
];

function headersOf(init: RequestInit): HeadersInit {
  return { [HEADER]: TOKEN, "content-type": "application/json", ...init.headers };
}

async function answersAsEver({ origin }: RunningServer): Promise<void> {
  const init = posting("{}");
  const response = await fetch(origin + SEARCH, { ...init, headers: headersOf(init) });
  assertEquals([response.status, (await response.json()).pageContext.total], [200, 5000]);
}

Deno.test("[e2e] API: each bad input is a problem that names every fault, and the next request is answered", () =>
  withServer({}, async (server) => {
    for (const { what, path = SEARCH, init = {}, status = 400, faults } of BAD) {
      const response = await fetch(server.origin + path, { ...init, headers: headersOf(init) });
      assertEquals(response.headers.get("content-type"), "application/problem+json", what);
      const problem = await response.json();
      assertEquals([response.status, problem.status], [status, status], what);
      const places = problem.errors.map((fault: Record<string, string>) =>
        fault.pointer ?? fault.parameter
      );
      assertEquals(places, faults, what);
      await answersAsEver(server);
    }
  }));

Deno.test("[e2e] API: SQL in every value finds nothing and changes nothing", () =>
  withServer({}, async (server) => {
    for (const field of ["id", "name", "description", "owner", "permission"]) {
      for (const operator of ["EQUALS", "LIKE", "IN", "GREATER_THAN", "LESS_THAN_OR_EQUAL"]) {
        const init = posting(JSON.stringify({ filters: [{ field, operator, value: [SQL] }] }));
        const response = await fetch(server.origin + SEARCH, { ...init, headers: headersOf(init) });
        assertEquals(response.status, 200);
        await response.body?.cancel();
      }
    }
    await answersAsEver(server);
  }));
