import { assertEquals } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { runSteps, type Step, TOKEN, world } from "./world.ts";

interface Beside {
  readonly env?: Record<string, string>;
  /** The first of the good runs that end with ARCHIVED instead. */
  readonly from?: number;
  /** What the service answers where a Docket has its dictionary. */
  readonly answer?: string;
  readonly status?: number;
}

/** Runs a command beside a history with statuses that nobody knows, an hour after its last run. */
async function runBeside({ env = {}, from = 0, answer, status }: Beside, step: Step) {
  const runs = makeRuns(30).map((run, at) =>
    run.status === "success" && at >= from ? { ...run, status: "ARCHIVED" } : run
  );
  const tokens: (string | null)[] = [];
  const { service, docket } = world({ runs: { 101: runs } }, {
    env,
    now: () => Date.parse(runs.at(-1)!.startTime!) + 3_600_000,
    fetch(url, init) {
      const isAsked = answer !== undefined && url.endsWith("/api/docket/v1/statuses");
      if (!isAsked) return service.fetch(url, init);
      tokens.push(new Headers(init.headers).get("X-SERVICE-Developer-Token"));
      return Promise.resolve(new Response(answer, { status }));
    },
  });
  await runSteps(docket, [step]);
  // A Docket is asked once, with the token.
  assertEquals(tokens, answer === undefined ? [] : [TOKEN]);
}

const BAD = { status: "archived", meaning: "bad", source: "person" };
const DICTIONARY = JSON.stringify({ database: "x", statuses: [BAD] });
const JUDGE = "judge 101 --columns headline,reason";
const LEFT_OUT = /^Left out: \d+ runs? with ARCHIVED, whose result is unknown\. --statuses or/;
const NOBODY = /^Left out: .*\nNo run known to be successful lists/;

Deno.test("docket: what statuses mean comes from an option, a variable or a Docket", async () => {
  const cases: [Beside, ...Step][] = [
    [{ from: 25 }, JUDGE, 3, /unknown +\d runs? ended with ARCHIVED, so the result is/, LEFT_OUT],
    [{}, `${JUDGE} --statuses archived=good`, 0, /^(?!.*ARCHIVED)/s],
    [{ env: { DOCKET_STATUSES: "Archived=bad" } }, JUDGE, 1, /^failing /m],
    [{}, "judge 101 --statuses a=good,A=bad", 2, "", /"A" is listed twice/],
    [{ env: { DOCKET_STATUSES: "x" } }, "recipients 101", 2, "", /DOCKET_STATUSES must be a list/],
    // Nobody says that nobody received it.
    [{}, "recipients 101", 3, "", NOBODY],
    [{}, "who 1 --schedules 101", 3, "", LEFT_OUT],
    [{ from: 20 }, "recipients 101 --format csv", 3, /^101,1,Ann/m, LEFT_OUT],
    [{ answer: DICTIONARY }, JUDGE, 1, /^failing /m],
    // Another service knows no dictionary.
    [{ answer: "nope", status: 404 }, JUDGE, 3, /unknown/, LEFT_OUT],
    [{ answer: "<html>" }, JUDGE, 3, /unknown/, LEFT_OUT],
    [{ answer: "[]" }, JUDGE, 3, /unknown/, LEFT_OUT],
    [{ answer: "", status: 503 }, JUDGE, 3, /unknown/, /^What statuses mean could not be asked/],
  ];
  for (const [beside, ...step] of cases) await runBeside(beside, step);
});
