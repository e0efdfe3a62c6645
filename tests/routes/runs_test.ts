import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { ReportRun } from "../../lib/types.ts";
import { createTestService, makeRuns } from "../../lib/testing/mod.ts";
import { parse } from "@std/csv";
import { pollAll } from "../browser/sample_watches.ts";
import { type App, ORIGIN, sessionCookie, signIn, withApp } from "../app.ts";

/** Gets paths, or sends forms to them, as a person who is signed in. */
async function visitor(app: App) {
  const cookie = await sessionCookie(app, ORIGIN);
  return (path: string, form?: Readonly<Record<string, string>>) =>
    app.fetch(
      new Request(ORIGIN + path, {
        headers: { cookie },
        ...(form && { method: "POST", body: new URLSearchParams(form) }),
      }),
    );
}

async function allRuns({ services }: App, scheduleId: number): Promise<readonly ReportRun[]> {
  return await services.store!.reportSchedules.history(scheduleId, { limit: 1000 });
}

/** Runs a test with the app before an upstream. */
async function withUpstream(
  service: ReturnType<typeof createTestService>,
  env: Readonly<Record<string, string>>,
  test: (app: App) => Promise<void>,
): Promise<void> {
  const upstream = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) =>
      await service.fetch(request.url, {
        method: request.method,
        headers: request.headers,
        ...(request.method === "POST" ? { body: await request.text() } : {}),
      }),
  );
  try {
    const SERVICE_BASE_URL = `http://127.0.0.1:${upstream.addr.port}`;
    await withApp({ SERVICE_BASE_URL, ...env }, test);
  } finally {
    await upstream.shutdown();
  }
}

Deno.test("[e2e] pages of runs: SERVICE_ZONE is the zone of times that name none; downloads stay", () => {
  const times = { startTime: "2026-06-01 06:00:00", endTime: "2026-06-01 06:01:00" };
  const recipients = [{
    userId: 7,
    displayName: "ann@example.com",
    emailAddress: "ann@example.com",
  }];
  const service = createTestService({
    runs: { 101: [{ id: 1, status: "success", recipients, ...times }] },
  });
  return withUpstream(service, { SERVICE_ZONE: "Europe/Berlin" }, async (app) => {
    const get = await visitor(app);
    const page = await (await get("/schedules/101")).text();
    assertMatch(page, /<time title="2026-06-01T04:00:00Z">Mon 1 Jun 04:00</);
    const day = "q=started:2026-06-01T04:00:00Z..2026-06-01T04:00:01Z";
    const exported = await (await get(`/schedules/101/export?format=csv&${day}`)).text();
    assertMatch(exported, /,2026-06-01 06:00:00,/);
  });
});

Deno.test("[e2e] pages of a schedule: during an outage, show what was read", () => {
  const service = createTestService({ runs: { 101: makeRuns(60) } });
  let isDown = false;
  const failing = {
    ...service,
    async fetch(...asked: Parameters<typeof service.fetch>) {
      const answer = isDown ? new Response("", { status: 500 }) : await service.fetch(...asked);
      // The tests' clock is not the machine's.
      const headers = new Headers(answer.headers);
      headers.set("date", new Date().toUTCString());
      return new Response(answer.body, { status: answer.status, headers });
    },
  };
  return withUpstream(failing, { OBSERVER_TOKEN: "observer-token-123" }, async (app) => {
    await app.services.records!.watches.add([101], Date.now());
    await pollAll(app.services);
    const token = await app.services.tokens!.add("Cem", "operator", new Date());
    const { get } = await signIn(app, ORIGIN, token);
    isDown = true;
    const [run] = makeRuns(60);
    for (const path of ["/schedules/101", "/schedules/101/plan", `/schedules/101/runs/${run.id}`]) {
      const { status, text } = await get(path);
      assertEquals(status, 200, path);
      assertMatch(text, /<main.*Can't read the service \(status 500\)\..*Showing what was read/s);
    }
    assertEquals((await get("/")).status, 200);
  });
});

Deno.test("[e2e] schedule page: reports what is no id, also from a form with empty fields", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    for (const path of ["/schedules/abc", "/schedules/abc?q=", "/schedules/1e3?x="]) {
      const response = await get(path);
      assertEquals([path, response.status], [path, 404]);
      assertMatch(
        await response.text(),
        /A schedule id is a whole number from 0 to 9007199254740991\./,
      );
    }
    const redirect = await get("/schedules/101", { q: "" });
    assertEquals(redirect.headers.get("location"), "/schedules/101#runs");
  }));

Deno.test("[e2e] schedule page: finds a recipient by name or address, not in links", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const [{ recipients }] = await allRuns(app, 102);
    const { userId, displayName, emailAddress } = recipients![0];
    for (const recipient of [displayName!, emailAddress!.toUpperCase(), String(userId)]) {
      const response = await get("/schedules/102", { q: `recipient:"${recipient}"` });
      assertEquals(
        [response.status, response.headers.get("location")],
        [303, `/schedules/102?q=recipient:${userId}#runs`],
      );
    }
    const unknown = await get("/schedules/102", { q: "recipient:nobody@example.com" });
    assertEquals(unknown.status, 400);
    assertMatch(await unknown.text(), /No loaded run went to this address/);
    // An address without a field is no text to put into a link.
    const bare = await (await get("/schedules/102", { q: emailAddress! })).text();
    assertMatch(bare, new RegExp(`href="\\?q=recipient:${userId}#runs">Did you mean`));
  }));

Deno.test("[e2e] schedule page: columns chosen in the form are remembered, those of a link are not", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const response = await get("/schedules/102", { "new-form": "1", "new-column": "ownerId" });
    assertEquals(response.headers.get("location"), "/schedules/102?columns=startTime,ownerId#runs");
    assertMatch(response.headers.getSetCookie().join(), /ownerId/);
    const link = await get("/schedules/102?new-form=1&new-column=ownerId");
    assertEquals([link.status, link.headers.getSetCookie()], [303, []]);
  }));

Deno.test("[e2e] GET export: all matching runs of the history, in each format, addresses masked", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const runs = await allRuns(app, 102);
    const failed = runs.filter(({ status }) => status === "failure");
    const path = "/schedules/102/export?q=status:failure&format=";
    const csv = await get(`${path}csv&columns=status,duration`);
    assertMatch(
      csv.headers.get("content-disposition") ?? "",
      /filename="schedule-102-runs-\d{4}-\d\d-\d\d\.csv"/,
    );
    const rows: Record<string, string>[] = parse(await csv.text(), { skipFirstRow: true });
    assertEquals(rows.map(({ startTime }) => startTime), failed.map(({ startTime }) => startTime));
    assertEquals(Object.keys(rows[0]), ["startTime", "status", "duration"]);
    const ended = failed.findIndex(({ endTime }) => endTime);
    const ms = Date.parse(failed[ended].endTime!) - Date.parse(failed[ended].startTime!);
    assertEquals(rows[ended].duration, String(ms / 1000));

    const json: ReportRun[] = await (await get(`${path}json`)).json();
    const ndjson = (await (await get(`${path}ndjson`)).text()).trimEnd().split("\n");
    assertEquals(ndjson.map((line) => JSON.parse(line)), json);
    assertEquals(json.map(({ id }) => id), failed.map(({ id }) => id));
    assertEquals(json[0].recipients!.length, failed[0].recipients!.length);
    assert(
      json.every(({ recipients }) =>
        recipients!.every(({ emailAddress }) => /^.…@/.test(emailAddress!))
      ),
    );
    assertEquals((await get(`${path}xml`)).status, 400);
    assertEquals((await get("/schedules/102/export?format=csv&q=x:EQUALS:1")).status, 400);
    assertEquals((await get("/schedules/999/export?format=csv")).status, 404);
  }));

Deno.test("[e2e] GET export: an error after the first run aborts the download", () => {
  const service = createTestService({
    runs: { 101: makeRuns(2500) },
    faults: ({ offset }) => offset >= 1000 ? { kind: "status", status: 400 } : undefined,
  });
  return withUpstream(service, {}, async (app) => {
    const response = await (await visitor(app))("/schedules/101/export?format=csv");
    assertEquals(response.status, 200);
    await assertRejects(() => response.text());
  });
});

Deno.test("[e2e] pages of runs: show no address until asked", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const [run, before] = await allRuns(app, 104);
    const address = run.recipients![0].emailAddress!;
    const paths = [
      "/schedules/104",
      `/schedules/104/runs/${run.id}`,
      "/schedules/104/recipients",
      `/schedules/104/runs/${run.id}?with=${before.id}`,
      "/schedules",
    ];
    for (const path of paths) {
      assertEquals((await (await get(path)).text()).includes(address), false, path);
    }
    assert(
      (await (await get("/schedules/104/recipients?addresses=shown")).text()).includes(address),
    );
  }));

Deno.test("[e2e] a run: compared with the previous one, the last success, or another by its id", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const [run, before] = await allRuns(app, 102);
    const path = `/schedules/102/runs/${run.id}`;
    const wrong = await get("/schedules/102/runs/x");
    assertEquals(wrong.status, 404);
    assertMatch(await wrong.text(), /A run id is a whole number of at most 9007199254740991/);
    const previous = await (await get(path)).text();
    assertMatch(previous, /7 people did not get it\..*Last success.*This run/s);
    const compared = await (await get(`${path}?with=${before.id}`)).text();
    assertMatch(compared, /Earlier run.*This run/s);
    for (
      const [id, status, words] of [
        ["x", 400, "must be the id of a run, a whole number of at most 9007199254740991."],
        ["1", 404, "was not found: Schedule 102 has no run 1."],
      ] as const
    ) {
      const response = await get(`${path}?with=${id}`);
      const html = await response.text();
      assertEquals([id, response.status], [id, status]);
      assert(html.includes(`✕ Compare with run id ${words}`), `${html.match(/✕[^<]*/g)}`);
      assert(html.includes(`value="${id}"`));
    }
  }));

Deno.test("[e2e] a run, compared or not: older runs are loaded where they are asked for", () => {
  const service = createTestService({ runs: { 101: makeRuns(2500) } });
  return withUpstream(service, {}, async (app) => {
    const get = await visitor(app);
    const runs = makeRuns(2500);
    const oldest = runs.reduce((a, b) => a.startTime! < b.startTime! ? a : b);
    const newest = runs.reduce((a, b) => a.startTime! > b.startTime! ? a : b);
    const compared = await get(`/schedules/101/runs/${newest.id}?with=${oldest.id}`);
    assertEquals(compared.status, 200);
    await compared.body?.cancel();
    const run = await get(`/schedules/101/runs/${oldest.id}`);
    assertEquals(run.status, 200);
    await run.body?.cancel();
  });
});
