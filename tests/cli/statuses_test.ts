import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { TOKEN, world } from "./world.ts";

/** A history whose good runs end with another status from one on. */
function runsWith(status: string, from = 0) {
  return makeRuns(30).map((run, at) =>
    run.status === "success" && at >= from ? { ...run, status } : run
  );
}

const at = () => Date.parse(makeRuns(30).at(-1)!.startTime!) + 3_600_000;

const archived = (env = {}) => world({ runs: { 101: runsWith("ARCHIVED") } }, { env, now: at });

Deno.test("docket judge: 3 where nobody knows what the newest status means, and it says so", async () => {
  const { docket } = world({ runs: { 101: runsWith("ARCHIVED", 25) } }, { now: at });
  const { code, out, err } = await docket("judge", "101", "--columns", "headline,reason");
  assertEquals(code, 3);
  assertMatch(out, /unknown +\d runs? ended with ARCHIVED, so the result is unknown/);
  assertMatch(err, /^Left out: \d runs? with ARCHIVED, whose result is unknown\. --statuses or/);
});

Deno.test("docket judge: --statuses and DOCKET_STATUSES say what statuses mean", async () => {
  const option = await archived().docket("judge", "101", "--statuses", "archived=good", "--json");
  assertEquals([option.code, option.err], [0, ""]);
  const bad = await archived({ DOCKET_STATUSES: "Archived=bad" }).docket("judge", "101", "--json");
  assertEquals([bad.code, JSON.parse(bad.out)[0].headline], [1, "failing"]);
  const { docket } = archived({ DOCKET_STATUSES: "archived" });
  const twice = await docket("judge", "101", "--statuses", "a=good,A=bad");
  assertEquals([twice.code, twice.err.includes('"A" is listed twice')], [2, true]);
  const variable = await docket("recipients", "101");
  assertEquals(variable.code, 2);
  assertStringIncludes(variable.err, "DOCKET_STATUSES must be a list");
});

Deno.test("docket recipients, who: runs with unknown statuses are counted, and nobody is not said", async () => {
  const { docket } = archived();
  const none = await docket("recipients", "101");
  assertEquals([none.code, none.out], [3, ""]);
  assertMatch(none.err, /^Left out: \d+ runs with ARCHIVED, .*\nNobody is known to have received/);
  const person = await docket("who", "1", "--schedules", "101");
  assertEquals(person.code, 3);
  const some = world({ runs: { 101: runsWith("ARCHIVED", 20) } }, { now: at });
  const { code, out, err } = await some.docket("recipients", "101", "--format", "csv");
  assertEquals([code, out.split("\n").length > 2], [3, true]);
  assertMatch(err, /^Left out: /);
});

/** Another service that answers the address of a Docket's dictionary in some way. */
async function judgeBeside(body: string, status = 200) {
  const asked: Request[] = [];
  const beside = world({ runs: { 101: runsWith("ARCHIVED") } }, {
    now: at,
    fetch(url, init) {
      if (!url.endsWith("/api/docket/v1/statuses")) return beside.service.fetch(url, init);
      asked.push(new Request(url, init));
      return Promise.resolve(new Response(body, { status }));
    },
  });
  return { asked, ...await beside.docket("judge 101 --json") };
}

Deno.test("docket: asks a Docket for its dictionary once, with the token", async () => {
  const statuses = [{ status: "archived", meaning: "bad", source: "person" }];
  const { asked, code, out } = await judgeBeside(JSON.stringify({ database: "x", statuses }));
  assertEquals([code, JSON.parse(out)[0].headline], [1, "failing"]);
  assertEquals(asked.map(({ headers }) => headers.get("X-SERVICE-Developer-Token")), [TOKEN]);
});

Deno.test("docket: another service knows no dictionary, and plain English words are known", async () => {
  for (const [body, status] of [["nope", 404], ["<html>", 200], ["[]", 200]] as const) {
    const { code, err } = await judgeBeside(body, status);
    assertEquals(code, 3);
    assertMatch(err, /^Left out: /);
  }
  const failing = await judgeBeside("", 503);
  assertMatch(failing.err, /^What statuses mean could not be asked/);
});
