import { assert, assertEquals, assertMatch } from "@std/assert";
import { MAX_QUERY_LENGTH } from "../../server/http/request_query.ts";
import { ORIGIN, type Person, signIn, withApp } from "../app.ts";

/** Asks for paths as a signed-in person. */
function withPages(test: (ask: Person["get"]) => Promise<void>) {
  return withApp({}, async (app) => test((await signIn(app, ORIGIN)).get));
}

const LIMITS = [
  ["q", "name:a", "+", 50],
  ["q", "created:..2026-01-01T00:00:00Z", "+", 50],
  ["sort", "name", ",", 10],
] as const;

Deno.test("[e2e] links: reject a query that is too long before reading it", () =>
  withPages(async (ask) => {
    for (
      const path of ["/filesets", "/schedules", "/schedules/101", "/filesets/export", "/sign-in"]
    ) {
      const longest = `?q=${"x".repeat(MAX_QUERY_LENGTH - "?q=".length)}`;
      assert((await ask(path + longest)).status !== 414, path);
      const { status, text } = await ask(`${path}${longest}x`);
      assertEquals(status, 414, path);
      assertMatch(text, /A query has at most 8192 characters/);
      assert(!text.includes("xxx") && text.length < 8000, path);
    }
    const api = await ask(`/api/files/v1/filesets/search?q=${"x".repeat(MAX_QUERY_LENGTH)}`);
    assertEquals([api.status, JSON.parse(api.text).title], [414, "The link is too long"]);
  }));

Deno.test("[e2e] links: more conditions than the API allows are refused, without a chip of them", () =>
  withPages(async (ask) => {
    for (const [name, part, by, max] of LIMITS) {
      const link = (count: number) => `/filesets?${name}=${Array(count).fill(part).join(by)}`;
      // Of equal sort keys the service refuses the second, after the link was read.
      assert(!(await ask(link(max))).text.includes(`at most ${max} `), part);
      const { status, text } = await ask(link(max + 1));
      assertEquals(status, 400, part);
      assertMatch(text, new RegExp(`at most ${max} [a-z ]+, not ${max + 1}`));
      assert(!text.includes('class="chip"') && text.length < 40_000, `${part} ${text.length}`);
      const file = await ask(`${link(max + 1).replace("?", "/export?")}&format=csv`);
      assertEquals([file.status, JSON.parse(file.text).errors.length], [400, 1]);
    }
  }));

Deno.test("[e2e] links: signing in leads to a long link's page", () =>
  withApp({}, async ({ fetch }) => {
    const next = async (path: string) => {
      const response = await fetch(new Request(ORIGIN + path));
      const location = new URL(response.headers.get("location")!, ORIGIN);
      assertEquals((await fetch(new Request(location))).status, 200);
      return location.searchParams.get("next");
    };
    const short = `/filesets?q=${"%C3%A4".repeat(300)}`;
    assertEquals(await next(short), short);
    assertEquals(await next(`/filesets?q=${"%C3%A4".repeat(1200)}`), "/filesets");
  }));
