/** Who sees what Docket records: all of it or nothing. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createTestClock, createTestService, makeRuns } from "../../lib/testing/mod.ts";
import { MINUTE } from "../../lib/time_units.ts";
import { type App, HEADER, ORIGIN, signIn, withApp } from "../app.ts";
import { INCIDENT_PATH, plantIncident } from "../planted_incident.ts";
import { pathOfEachRoute } from "./route_requests.ts";

interface Visit {
  readonly app: App;
  /** What the service answers to a token instead of its rows; null for its rows. */
  readonly answers: Record<string, (request: Request) => Response | null>;
  /** Moves the clock of the sessions' checks. */
  advance(ms: number): void;
}

/** An app in front of a service with the schedules 101 and 102, and the records of both. */
async function withRecords(
  env: Record<string, string>,
  test: (visit: Visit) => Promise<void>,
): Promise<void> {
  const service = createTestService({ fileSets: [], runs: { 101: makeRuns(9), 102: makeRuns(9) } });
  const answers: Visit["answers"] = {};
  const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const upstream = Deno.serve(options, (request) => {
    const answer = answers[request.headers.get(HEADER) ?? ""]?.(request);
    const { pathname, search } = new URL(request.url);
    return answer ?? service.fetch(`http://service.example${pathname}${search}`, request);
  });
  const settings = {
    SERVICE_BASE_URL: `http://127.0.0.1:${upstream.addr.port}`,
    OBSERVER_TOKEN: "observer",
  };
  const clock = createTestClock();
  try {
    await withApp({ ...settings, ...env }, async (app) => {
      const { owners, watches, commit, runs, receipts } = app.services.records!;
      await plantIncident(app, { name: "Sales" });
      await plantIncident(app, { name: "Salaries", scheduleId: 102 });
      const actor = { name: "Olga", known: "typed" } as const;
      await owners.save({ name: "Payroll team", quiet: null, changed: 1, actor }, {});
      await watches.change(102, { note: "Payroll team" }, 1);
      const recipients = [{ userId: 7, displayName: "Eve Hidden", emailAddress: "eve@x.example" }];
      const start = Date.now() - MINUTE;
      const run = { ...makeRuns(1)[0], id: 99, status: "success", recipients };
      const put = [{ id: 99, start, run: { ...run, startTime: new Date(start).toISOString() } }];
      await commit(await runs.changeSteps(102, { put }, Date.now()));
      await receipts.count(102);
      await test({ app, answers, advance: (ms) => clock.advance(ms) });
    }, { runtime: clock.runtime });
  } finally {
    await upstream.shutdown();
  }
}

const isHistory = ({ url }: Request) => url.includes("/history");
const RECORDED = /Sales|Salaries|Payroll|Eve Hidden|Olga|x\.example/;
const WITHOUT = "so you see nothing that Docket records";

/** Every page that a person can open, as text, by its path. */
async function pagesOf(app: App, token: string): Promise<ReadonlyMap<string, string>> {
  const person = await signIn(app, ORIGIN, token);
  const pages = new Map<string, string>();
  const paths = pathOfEachRoute().filter((path) => !/^\/(sign|api|metrics)/.test(path));
  for (const path of [...paths, INCIDENT_PATH, "/people?q=eve", "/go?q=sal", "/schedules/102"]) {
    pages.set(path, (await person.get(path)).text);
  }
  return pages;
}

Deno.test("[e2e] records: a token of the service sees none", () =>
  withRecords({}, async ({ app, answers }) => {
    answers.bob = (request) => isHistory(request) ? Response.json([]) : null;
    for (const [path, text] of await pagesOf(app, "bob")) {
      assertEquals(RECORDED.exec(text), null, path);
    }
  }));

Deno.test("[e2e] records: pages of records say in one sentence why a person sees none", () =>
  withRecords({}, async ({ app }) => {
    const ada = await signIn(app, ORIGIN, "ada");
    for (const path of ["/", "/schedules", "/incidents", "/people", "/owners", "/evidence"]) {
      const { text } = await ada.get(path);
      assertStringIncludes(text, `${WITHOUT}: ask whoever runs Docket for a Docket token`, path);
    }
    assertStringIncludes((await ada.get("/")).text, "without records");
  }));

Deno.test("[e2e] records: a Docket token sees all under its name", () =>
  withRecords({}, async ({ app }) => {
    const { tokens, records } = app.services;
    const cem = await tokens!.add("Cem", "operator", new Date());
    const dan = await tokens!.add("Dan", "reader", new Date());
    const [operator, reader] = [await signIn(app, ORIGIN, cem), await signIn(app, ORIGIN, dan)];
    for (const person of [operator, reader]) {
      const today = (await person.get("/incidents")).text;
      assert(today.includes("Sales") && today.includes("Salaries"));
    }
    const act = async (person: typeof operator) => {
      const { status, body } = await person.post(INCIDENT_PATH, { action: "acknowledge" });
      await body?.cancel();
      return status;
    };
    assertEquals([await act(reader), await act(operator)], [403, 303]);
    const acknowledged = (await records!.incidents.allOpen()).map((each) => each.acknowledgedBy);
    assertEquals(acknowledged.filter(Boolean), [{ name: "Cem", known: "token" }]);
    await tokens!.revoke("Dan", new Date());
    assertEquals((await reader.get("/incidents")).status, 303);
  }));

Deno.test("[e2e] records: with RECORDS_READERS=all, whom the service answers is a reader", () =>
  withRecords({ RECORDS_READERS: "all" }, async ({ app, answers, advance }) => {
    answers.bob = (request) => isHistory(request) ? null : new Response("", { status: 403 });
    answers.eve = () => new Response("", { status: 403 });
    const [bob, eve] = [await signIn(app, ORIGIN, "bob"), await signIn(app, ORIGIN, "eve")];
    assertStringIncludes(
      (await bob.get("/incidents")).text,
      "no good answer in the last five minutes",
    );
    await bob.get("/schedules/101");
    assertStringIncludes((await bob.get("/incidents")).text, "Salaries");
    advance(6 * MINUTE);
    assertStringIncludes((await bob.get("/incidents")).text, "Salaries");
    assertEquals((await eve.get("/incidents")).status, 403);
  }));

Deno.test("[e2e] sign-in: who may not read file sets gets in, and File sets says so", () =>
  withRecords({}, async ({ app, answers }) => {
    const enter = async (token: string) => {
      const { status, body } = await (await signIn(app, ORIGIN, "")).post("/sign-in", { token });
      await body?.cancel();
      return status;
    };
    for (const status of [403, 404]) {
      answers.ada = (request) => isHistory(request) ? null : new Response("", { status });
      assertEquals(await enter("ada"), 303);
      const ada = await signIn(app, ORIGIN, "ada");
      const { text } = await ada.get("/filesets");
      assertStringIncludes(text, FILE_SETS[status]);
      assertEquals((await ada.get("/schedules/101")).status, 200);
    }
    answers.bob = () => new Response("", { status: 401 });
    assertEquals(await enter("bob"), 401);
  }));

const FILE_SETS: Readonly<Record<number, string>> = {
  403: "The service does not let you read file sets",
  404: "The service has no file sets",
};

Deno.test("[e2e] sessions: a refused token's ends within five minutes on pages that ask nothing", () =>
  withRecords({}, async ({ app, answers, advance }) => {
    const observer = await signIn(app, ORIGIN, "observer");
    assertEquals((await observer.get("/owners")).status, 200);
    answers.observer = () => new Response("", { status: 401 });
    advance(5 * MINUTE);
    const acted = await observer.post("/owners", { action: "save", owner: "Mine", name: "Mal" });
    assertStringIncludes(acted.headers.get("location")!, "/sign-in");
    assertEquals((await observer.get("/owners")).status, 303);
    assertEquals((await app.services.records!.owners.list()).length, 1);
  }));
