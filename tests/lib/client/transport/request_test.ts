import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigurationError, createClient } from "../../../../lib/mod.ts";
import {
  normalizeBaseUrl,
  searchBodyText,
  toCurl,
} from "../../../../lib/client/transport/request.ts";
import type { SearchBody, SearchInput } from "../../../../lib/types.ts";
import { failure, setUp, TOKEN } from "../client_setup.ts";

const BASE = "https://service.example";

Deno.test("normalizeBaseUrl: may have a path, and what can't be a base is refused", () => {
  const good: [baseUrl: string | URL, normalized: string][] = [
    ["https://service.example", BASE],
    ["https://service.example/", BASE],
    ["http://127.0.0.1:8000/a/b//", "http://127.0.0.1:8000/a/b"],
    [new URL("https://service.example/x"), `${BASE}/x`],
    [" https://service.example\n", BASE],
  ];
  for (const [baseUrl, expected] of good) assertEquals(normalizeBaseUrl(baseUrl), expected);
  const ends = ["user@service.example", "service.example?x=1", "service.example#top", "a b", ""];
  const bad = ["", "service.example", "//service.example", "ftp://service.example", undefined];
  for (const baseUrl of [...bad, ...ends.map((end) => `https://${end}`)]) {
    const normalize = () => normalizeBaseUrl(baseUrl as string);
    const error = assertThrows(normalize, ConfigurationError, "baseUrl");
    assertStringIncludes(error.message, "http or https URL");
  }
});

Deno.test("searchBodyText: every combination of the body's members is sent as passed", () => {
  const bodies: SearchInput[] = [
    {},
    { fieldSort: [{ field: "name" }, { field: "updated", order: "ASC" }] },
    { filters: [{ field: "something", value: [], not: false, operator: "ANY_TEXT" }] },
    { dateFilters: [{ field: "updated", start: "a", end: "b", not: true }, { field: "created" }] },
    { other: { nested: [1] } } as SearchBody,
    {
      fieldSort: [{ field: "name", order: null }],
      filters: [{ field: "createdBy", value: [27, true], not: null }, { field: "a", value: null }],
      dateFilters: null,
    },
  ];
  for (const body of bodies) assertEquals(JSON.parse(searchBodyText(body)), body);
  assertEquals(searchBodyText(), "{}");
});

Deno.test("searchBodyText: members of another type than the interface's are refused by path", () => {
  const bad: [unknown, string][] = [
    [[], "body"],
    ["{}", "body"],
    [{ filters: {} }, "filters"],
    [{ filters: [null] }, "filters[0]"],
    [{ filters: [{ field: "a", value: ["x"] }, { value: ["x"] }] }, "filters[1].field"],
    [{ filters: [{ field: "" }] }, "filters[0].field"],
    [{ filters: [{ field: "a", value: "x" }] }, "filters[0].value"],
    [{ filters: [{ field: "a", value: [NaN] }] }, "filters[0].value"],
    [{ filters: [{ field: "a", value: [null] }] }, "filters[0].value"],
    [{ filters: [{ field: "a", not: "yes" }] }, "filters[0].not"],
    [{ filters: [{ field: "a", operator: 1 }] }, "filters[0].operator"],
    [{ fieldSort: [{ field: "a", order: true }] }, "fieldSort[0].order"],
    [{ dateFilters: [{ field: "a", start: new Date(0) }] }, "dateFilters[0].start"],
    [{ dateFilters: [{ field: "a", end: 5 }] }, "dateFilters[0].end"],
  ];
  for (const [body, path] of bad) {
    const error = assertThrows(() => searchBodyText(body as SearchBody), ConfigurationError);
    assertEquals((error as ConfigurationError).parameter, path);
    assertStringIncludes(error.message, `${path} must be `);
  }
  const circle: Record<string, unknown> = {};
  circle.filters = [{ field: "a", other: circle }];
  assertThrows(() => searchBodyText(circle as SearchBody), ConfigurationError, "as JSON");
});

Deno.test("search, history: bad arguments are refused before anything is sent", async () => {
  const { client, service } = setUp();
  const calls: [string, () => PromiseLike<unknown>][] = [
    ["limit", () => client.fileSets.search({}, { limit: 0 })],
    ["limit", () => client.fileSets.search({}, { limit: 2 ** 60 })],
    ["offset", () => client.fileSets.search({}, { offset: -1 })],
    ["filters[0].field", () => client.fileSets.search({ filters: [{ field: "" }] })],
    ["scheduleId", () => client.reportSchedules.history(1.5)],
    ["scheduleId", () => client.reportSchedules.history("101" as unknown as number)],
    ["skip", () => client.reportSchedules.history(101, { skip: 0.5 })],
    ["limit", () => client.reportSchedules.history(101, { limit: -3 })],
    ["options", () => client.reportSchedules.history(1, null as unknown as undefined)],
    ["options", () => client.fileSets.search({}, 7 as unknown as undefined)],
    ["attempts", () => client.fileSets.search({}, { attempts: 1.5 })],
    ["attempts", () => client.fileSets.search({}, { attempts: 0 })],
    ["body", () => client.fileSets.search(null as unknown as undefined)],
    ["signal", () => client.fileSets.search({}, { signal: {} as AbortSignal })],
    ["prefetch", () => Array.fromAsync(client.fileSets.search().walk({ prefetch: 0 }))],
    ["deadlineMs", () => Array.fromAsync(client.fileSets.search().walk({ deadlineMs: 0 }))],
  ];
  for (const [parameter, call] of calls) {
    assertEquals((await failure("configuration", call)).parameter, parameter);
  }
  assertEquals(service.requests.length, 0);
});

Deno.test("createClient: options that can't be used are refused by name", () => {
  const bad: [string, Record<string, unknown>][] = [
    ["baseUrl", { baseUrl: "service.example" }],
    ["token", { token: 7 }],
    ["tokenHeader", { tokenHeader: "X Token" }],
    ["tokenHeader", { tokenHeader: "X-Token: a\r\nX-Other" }],
    ["attempts", { attempts: 0 }],
    ["timeoutMs", { timeoutMs: 0 }],
    ["deadlineMs", { deadlineMs: -1 }],
    ["fetch", { fetch: "fetch" }],
    ["headers.a b", { headers: { "a b": "c" } }],
    ["headers.x-trace", { headers: { "x-trace": "a\nb" } }],
    ["headers.x-service-developer-token", { headers: { "x-service-developer-token": "other" } }],
    ["headers.X-ACME", { tokenHeader: "x-acme", headers: { "X-ACME": "other" } }],
    ["token", { token: "two words" }],
    ["shape", { shape: "loose" }],
  ];
  for (const [parameter, option] of bad) {
    const create = () => createClient({ baseUrl: BASE, token: TOKEN, ...option });
    const error = assertThrows(create, ConfigurationError) as ConfigurationError;
    assertEquals(error.parameter, parameter);
    assertStringIncludes(error.message, parameter);
  }
});

Deno.test("search: the caller's objects are never changed, and later changes change nothing", async () => {
  const { client, service } = setUp();
  const filters = [{ field: "owner", value: ["ann"] }];
  const body = Object.freeze({ filters: Object.freeze(filters.map(Object.freeze)) }) as SearchBody;
  const options = Object.freeze({ limit: 10, offset: 0 });
  const frozen = client.fileSets.search(body, options);
  await frozen;
  await Array.fromAsync(frozen.walk(Object.freeze({ prefetch: 2, verify: true })));

  const open = { filters: [{ field: "owner", value: ["ann"] }] };
  const call = client.fileSets.search(open);
  open.filters[0].value.push("bob");
  await call;
  assertEquals(service.requests.at(-1)?.body, `{"filters":[{"field":"owner","value":["ann"]}]}`);
});

/** What a shell passes to curl. */
async function argumentsIn(command: string, variables: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `curl() { printf '%s\\0' "$@"; }; ${variables}; ${command}`],
  }).output();
  return new TextDecoder().decode(stdout).split("\0");
}

Deno.test("toCurl: a shell reads back the very arguments; secret ones are variables", async () => {
  const headers = { Authorization: "Bearer x", "x-trace": "it's", "x-$key`": "y" };
  const { client } = setUp({}, { headers });
  const body = { filters: [{ field: "a'b\\", value: ["$(x) `y` !z\nnew line"] }] };
  const command = toCurl(client.fileSets.search(body).request());
  assertEquals(/Bearer|: y/.test(command), false, command);
  const args = await argumentsIn(command, "DOCKET_TOKEN=t AUTHORIZATION=a X__KEY_=k");
  assertEquals(JSON.parse(args[args.indexOf("--data-raw") + 1]), body);
  assertEquals(args.filter((_, at) => args[at - 1] === "-H" || args[at - 1] === "--header"), [
    "authorization: a",
    "x-trace: it's",
    "x-$key`: k",
    "accept: application/json",
    "content-type: application/json",
    "X-SERVICE-Developer-Token: t",
  ]);
  const withoutToken = toCurl(setUp({}, { token: null }).client.fileSets.search().request());
  assertEquals(withoutToken.includes("oken"), false);
});
