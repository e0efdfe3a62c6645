import { assertEquals } from "@std/assert";
import { makeRuns } from "../../lib/testing/mod.ts";
import { runSteps, type Step, TOKEN, world } from "./world.ts";

interface Beside {
  readonly env?: Record<string, string>;
  /** The first of the good runs that end with ARCHIVED instead. */
  readonly from?: number;
  /** What the service answers where a Docket has its dictionary, with this status. */
  readonly answer?: string;
  readonly status?: number;
}

/** Runs a command an hour after a history whose times name no zone. */
async function runBeside({ env = {}, from = 0, answer, status }: Beside, step: Step) {
  const made = makeRuns(29).toReversed();
  const runs = made.map((run, at) => ({
    ...run,
    startTime: run.startTime!.replace("Z", ""),
    endTime: run.endTime!.replace("Z", ""),
    status: run.status === "success" && at >= from ? "ARCHIVED" : run.status,
  }));
  const tokens: (string | null)[] = [];
  const { service, docket } = world({ runs: { 101: runs } }, {
    env,
    now: () => Date.parse(made.at(-1)!.startTime!) + 3_600_000,
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

const answerOf = (meaning: string) => {
  const statuses = [{ status: "archived", meaning }, { status: "failure", meaning: "bad" }];
  return JSON.stringify({ serviceZone: "Asia/Tokyo", statuses });
};
const TOKYO = { answer: answerOf("good") };
const JUDGE = "judge 101 --columns headline,reason";
const LEFT_OUT = /^Left out: \d+ runs? with ARCHIVED, whose result is unknown\. --statuses or/;
const NOBODY = /^Left out: .*\nNo run known to be successful lists/;

Deno.test("docket: statuses and the zone come from an option, a variable or a Docket", async () => {
  const cases: [Beside, ...Step][] = [
    [{ from: 25 }, JUDGE, 3, /unknown +\d runs? ended with ARCHIVED, so the result is/, LEFT_OUT],
    [{}, `${JUDGE} --statuses archived=good`, 0, /^(?!.*ARCHIVED)/s],
    [{ env: { DOCKET_STATUSES: "Archived=bad" } }, JUDGE, 1, /^failing /m],
    [{}, "judge 101 --statuses a=good,A=bad", 2, "", /"A" is listed twice/],
    [{ env: { DOCKET_STATUSES: "x" } }, "recipients 101", 2, "", /DOCKET_STATUSES must be a list/],
    // Nobody says that nobody received it.
    [{}, "recipients 101", 3, "", NOBODY],
    [{ from: 20 }, "recipients 101 --format csv", 3, /^101,1,Ann/m, LEFT_OUT],
    [{ answer: answerOf("bad") }, JUDGE, 1, /^failing /m],
    // The zone too, also where the meanings are said.
    [TOKYO, "recipients 101 --format csv", 0, /^101,1,Ann.*T21:00:00.000Z,/m],
    [TOKYO, "judge 101 --columns next --statuses archived=good", 0, /T21:00Z/],
    // Another service knows no dictionary.
    [{ from: 25, answer: "nope", status: 404 }, JUDGE, 3, /unknown/, LEFT_OUT],
    [{ from: 25, answer: "<html>" }, JUDGE, 3, /unknown/, LEFT_OUT],
    [{ from: 25, answer: "[]" }, JUDGE, 3, /unknown/, LEFT_OUT],
    [{ from: 25, answer: "", status: 503 }, JUDGE, 3, /unknown/, /^What statuses mean and the/],
  ];
  for (const [beside, ...step] of cases) await runBeside(beside, step);
});
