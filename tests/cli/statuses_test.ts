import { assertEquals, assertMatch } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { TOKEN, world } from "./world.ts";

interface Beside {
  readonly env?: Record<string, string>;
  /** The first of the good runs that end with ARCHIVED instead. */
  readonly from?: number;
  /** What the service answers where a Docket has its dictionary. */
  readonly answer?: string;
  readonly status?: number;
}

/** Runs a command beside a history with statuses that nobody knows, an hour after its last run. */
async function runBeside(words: string, { env = {}, from = 0, answer, status }: Beside) {
  const runs = makeRuns(30).map((run, at) =>
    run.status === "success" && at >= from ? { ...run, status: "ARCHIVED" } : run
  );
  const asked: Request[] = [];
  const { service, docket } = world({ runs: { 101: runs } }, {
    env,
    now: () => Date.parse(runs.at(-1)!.startTime!) + 3_600_000,
    fetch(url, init) {
      if (answer === undefined || !url.endsWith("/api/docket/v1/statuses")) {
        return service.fetch(url, init);
      }
      asked.push(new Request(url, init));
      return Promise.resolve(new Response(answer, { status }));
    },
  });
  return { asked, ...await docket(words) };
}

const BAD = { status: "archived", meaning: "bad", source: "person" };
const DICTIONARY = JSON.stringify({ database: "x", statuses: [BAD] });
const JUDGE = "judge 101 --columns headline,reason";
const LEFT_OUT = /^Left out: \d+ runs? with ARCHIVED, whose result is unknown\. --statuses or/;
const NOBODY = /^Left out: .*\nNobody is known to have received/;

Deno.test("docket: what statuses mean comes from an option, a variable or a Docket", async () => {
  const cases: [words: string, Beside, code: number, out: RegExp, err: RegExp][] = [
    [JUDGE, { from: 25 }, 3, /unknown +\d runs? ended with ARCHIVED, so the result is/, LEFT_OUT],
    [`${JUDGE} --statuses archived=good`, {}, 0, /^(?!.*ARCHIVED)/s, /^$/],
    [JUDGE, { env: { DOCKET_STATUSES: "Archived=bad" } }, 1, /^failing /m, /^$/],
    ["judge 101 --statuses a=good,A=bad", {}, 2, /^$/, /"A" is listed twice/],
    ["recipients 101", { env: { DOCKET_STATUSES: "x" } }, 2, /^$/, /DOCKET_STATUSES must be a/],
    // Nobody says that nobody received it.
    ["recipients 101", {}, 3, /^$/, NOBODY],
    ["who 1 --schedules 101", {}, 3, /^$/, LEFT_OUT],
    ["recipients 101 --format csv", { from: 20 }, 3, /^101,1,Ann/m, LEFT_OUT],
    [JUDGE, { answer: DICTIONARY }, 1, /^failing /m, /^$/],
    // Another service knows no dictionary.
    [JUDGE, { answer: "nope", status: 404 }, 3, /unknown/, LEFT_OUT],
    [JUDGE, { answer: "<html>" }, 3, /unknown/, LEFT_OUT],
    [JUDGE, { answer: "[]" }, 3, /unknown/, LEFT_OUT],
    [JUDGE, { answer: "", status: 503 }, 3, /unknown/, /^What statuses mean could not be asked/],
  ];
  for (const [words, beside, expected, shown, said] of cases) {
    const { code, out, err, asked } = await runBeside(words, beside);
    assertEquals(code, expected, words);
    // A Docket is asked once, with the token.
    const tokens = asked.map(({ headers }) => headers.get("X-SERVICE-Developer-Token"));
    assertEquals(tokens, "answer" in beside ? [TOKEN] : []);
    assertMatch(out, shown);
    assertMatch(err, said);
  }
});
