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

const BAD: readonly Bad[] = [
  { what: "broken JSON", init: posting('{"filters":['), faults: [""] },
  { what: "two documents", init: posting("{}{}"), faults: [""] },
  { what: "no body", init: posting(""), faults: [""] },
  {
    what: "wrong types everywhere",
    init: posting(JSON.stringify({
      fieldSort: [{ field: 1, order: null }],
      filters: [{ field: {}, value: "x", not: 0, operator: [] }, 7],
      dateFilters: "all",
    })),
    faults: [
      "/fieldSort/0/field",
      "/fieldSort/0/order",
      "/filters/0/field",
      "/filters/0/value",
      "/filters/0/not",
      "/filters/0/operator",
      "/filters/1",
      "/dateFilters",
    ],
  },
  { what: "deep nesting", init: posting("[".repeat(300_000) + "]".repeat(300_000)), faults: [""] },
  {
    what: "a megabyte of filters",
    init: posting(`{"filters":[${Array(30_000).fill('{"field":"id","value":["x"]}').join()}]}`),
    faults: ["/filters", "/filters"],
  },
  {
    what: "unknown members and fields",
    init: posting('{"filter":[],"filters":[{"field":"size","value":["1"],"op":"LIKE"}]}'),
    faults: ["/filter", "/filters/0/op", "/filters/0/field"],
  },
  {
    what: "NUL and lone surrogates",
    init: posting('{"filters":[{"field":"name","value":["a\\u0000b","\\udc00"]}]}'),
    faults: ["/filters/0/value/0", "/filters/0/value/1"],
  },
  {
    what: "SQL where a name belongs",
    init: posting(JSON.stringify({
      fieldSort: [{ field: SQL, order: SQL }],
      filters: [{ field: SQL, operator: SQL, value: [SQL] }],
      dateFilters: [{ field: SQL, start: SQL, end: SQL }],
    })),
    faults: [
      "/fieldSort/0/field",
      "/fieldSort/0/order",
      "/filters/0/field",
      "/filters/0/operator",
      "/dateFilters/0/field",
      "/dateFilters/0/start",
      "/dateFilters/0/end",
    ],
  },
  {
    what: "dates that do not exist",
    init: posting(
      '{"dateFilters":[{"field":"created","start":"2025-02-30T00:00:00Z","end":"2025-01-01"}]}',
    ),
    faults: ["/dateFilters/0/start", "/dateFilters/0/end"],
  },
  {
    what: "offsets past 2^53",
    path: `${SEARCH}?offset=9007199254740993&limit=1e3`,
    init: posting("{}"),
    faults: ["limit", "offset"],
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
  { what: "a schedule past 2^53", path: `${HISTORY}/${2n ** 64n}/history`, faults: ["scheduleId"] },
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

Deno.test("[e2e] API: bodies that stop, or are larger than they said, harm nobody else", () =>
  withServer({}, async (server) => {
    const { hostname, port } = new URL(server.origin);
    const head = `POST ${SEARCH} HTTP/1.1\r\nHost: localhost\r\n${HEADER}: ${TOKEN}\r\n` +
      "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    const stopped: Deno.TcpConn[] = [];
    for (let count = 0; count < 20; count++) {
      const connection = await Deno.connect({ hostname, port: Number(port) });
      await connection.write(new TextEncoder().encode(`${head}5\r\n{"fil`));
      stopped.push(connection);
    }
    await answersAsEver(server);
    for (const connection of stopped) connection.close();

    // Without a length, so that only counting can tell.
    let parts = 0;
    const large = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++parts > 32) controller.close();
        else controller.enqueue(new TextEncoder().encode(" ".repeat(65_536)));
      },
    });
    const init = { method: "POST", body: large };
    const response = await fetch(server.origin + SEARCH, { ...init, headers: headersOf(init) });
    assertEquals([response.status, (await response.json()).status], [413, 413]);
    await answersAsEver(server);
  }));
