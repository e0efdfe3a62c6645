/** Who sees what Docket records: all of it or nothing. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { createTestClock, makeRuns, type SeenRequest } from "../../lib/testing/mod.ts";
import { MINUTE } from "../../lib/time_units.ts";
import { type App, HEADER, ORIGIN, signIn, withApp } from "../app.ts";
import { INCIDENT_PATH, plantIncident } from "../planted_incident.ts";
import { withServiceOnPort } from "../service_on_port.ts";
import { pathOfEachRoute } from "./route_requests.ts";

interface Visit {
  readonly app: App;
  /** Who may not read what of the service; nothing if they are not named. */
  readonly refusals: Record<string, (subject: "file sets" | "a history") => number | undefined>;
  /** Moves the clock of the sessions' checks. */
  advance(ms: number): void;
}

/** An app in front of a service with the schedules 101 and 102, and the records of both. */
function withRecords(
  env: Record<string, string>,
  test: (visit: Visit) => Promise<void>,
): Promise<void> {
  const refusals: Visit["refusals"] = {};
  const clock = createTestClock();
  const service = {
    fileSets: [],
    runs: { 101: makeRuns(9), 102: makeRuns(9) },
    faults({ headers, url }: SeenRequest) {
      const subject = url.includes("/history") ? "a history" : "file sets";
      const status = refusals[headers[HEADER.toLowerCase()] ?? ""]?.(subject);
      return status ? { kind: "status", status } as const : undefined;
    },
  };
  return withServiceOnPort(
    service,
    (_, SERVICE_BASE_URL) =>
      withApp({ SERVICE_BASE_URL, OBSERVER_TOKEN: "observer", ...env }, async (app) => {
        const { owners, watches, commit, runs, receipts } = app.services.records!;
        await plantIncident(app, { name: "Sales" });
        await plantIncident(app, { name: "Salaries", scheduleId: 102 });
        const actor = { name: "Olga", known: "typed" } as const;
        await owners.save({ name: "Payroll team", quiet: null, changed: 1, actor }, {});
        await watches.change(102, { note: "Payroll team" }, 1);
        const eve = { userId: 7, displayName: "Eve Hidden", emailAddress: "eve@x.example" };
        const start = Date.now() - MINUTE;
        const startTime = new Date(start).toISOString();
        const run = { ...makeRuns(1)[0], id: 99, status: "success", startTime, recipients: [eve] };
        await commit(await runs.changeSteps(102, { put: [{ id: 99, start, run }] }, Date.now()));
        await receipts.count(102);
        await test({ app, refusals, advance: (ms) => clock.advance(ms) });
      }, { runtime: clock.runtime }),
  );
}

const RECORDED = /Sales|Salaries|Payroll|Eve Hidden|Olga|x\.example/;

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

Deno.test("[e2e] records: a token of the service sees none, and pages of records say why", () =>
  withRecords({}, async ({ app }) => {
    const pages = await pagesOf(app, "bob");
    for (const [path, text] of pages) assertEquals(RECORDED.exec(text), null, path);
    const why =
      "so you see nothing that Docket records: ask whoever runs Docket for a Docket token";
    for (const path of ["/", "/schedules", "/incidents", "/people", "/owners", "/evidence"]) {
      assertStringIncludes(pages.get(path)!, why, path);
    }
    assertStringIncludes(pages.get("/")!, "without records");
  }));

Deno.test("[e2e] records: with RECORDS_READERS=all, whom the service answers is a reader", () =>
  withRecords({ RECORDS_READERS: "all" }, async ({ app, refusals, advance }) => {
    refusals.bob = (subject) => subject === "file sets" ? 403 : undefined;
    refusals.eve = () => 403;
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
  withRecords({}, async ({ app, refusals }) => {
    const enter = async (token: string) => {
      const { status, body } = await (await signIn(app, ORIGIN, "")).post("/sign-in", { token });
      await body?.cancel();
      return status;
    };
    const said = { 403: "does not let you read file sets", 404: "has no file sets" };
    for (const status of [403, 404] as const) {
      refusals.ada = (subject) => subject === "file sets" ? status : undefined;
      assertEquals(await enter("ada"), 303);
      const ada = await signIn(app, ORIGIN, "ada");
      const { text } = await ada.get("/filesets");
      assertStringIncludes(text, `The service ${said[status]}`);
      assertEquals((await ada.get("/schedules/101")).status, 200);
    }
    refusals.bob = () => 401;
    assertEquals(await enter("bob"), 401);
  }));

Deno.test("[e2e] sessions: a refused token's ends within five minutes on pages that ask nothing", () =>
  withRecords({}, async ({ app, refusals, advance }) => {
    const observer = await signIn(app, ORIGIN, "observer");
    assertEquals((await observer.get("/owners")).status, 200);
    refusals.observer = () => 401;
    advance(5 * MINUTE);
    const acted = await observer.post("/owners", { action: "save", owner: "Mine", name: "Mal" });
    assertStringIncludes(acted.headers.get("location")!, "/sign-in");
    assertEquals((await observer.get("/owners")).status, 303);
    assertEquals((await app.services.records!.owners.list()).length, 1);
  }));
