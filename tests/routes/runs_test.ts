import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { unpackRuns } from "../../components/runs/run_row.ts";
import type { ReportRun } from "../../lib/types.ts";
import { createTestService, makeRuns } from "../../lib/testing.ts";
import { parse } from "@std/csv";
import { type App, TOKEN, withApp } from "../app.ts";

const ORIGIN = "http://localhost:8000";

/** Gets paths as a person who signed in with the token. */
async function visitor({ fetch }: App) {
  const response = await fetch(
    new Request(`${ORIGIN}/sign-in`, {
      method: "POST",
      body: new URLSearchParams({ token: TOKEN }),
    }),
  );
  const cookie = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
  return (path: string) => fetch(new Request(ORIGIN + path, { headers: { cookie } }));
}

async function allRuns({ services }: App, scheduleId: number): Promise<readonly ReportRun[]> {
  return await services.store!.reportSchedules.history(scheduleId, { limit: 1000 });
}

Deno.test("[e2e] GET rows: every loaded run, and nobody's name or address", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const text = await (await get("/schedules/104/rows")).text();
    const rows = unpackRuns(JSON.parse(text));
    const runs = await allRuns(app, 104);
    assertEquals(rows.map(({ id }) => id), runs.map(({ id }) => id));
    assertEquals(
      rows.map(({ recipients }) => recipients?.map(({ userId }) => userId)),
      runs.map(({ recipients }) => recipients?.map(({ userId }) => userId)),
    );
    assertEquals(text.includes("@"), false);
    assertEquals(text.includes(runs[0].recipients![0].displayName!), false);
    assertEquals((await get("/schedules/999/rows")).status, 404);
    assertEquals((await get("/schedules/x/rows")).status, 404);
  }));

Deno.test("[e2e] GET recipients.csv: a row for each run and recipient, masked unless asked for", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const runs = await allRuns(app, 112);
    const read = async (query: string) => {
      const response = await get(`/schedules/112/recipients.csv${query}`);
      assertEquals(response.headers.get("content-type"), "text/csv; charset=utf-8");
      assertMatch(
        response.headers.get("content-disposition") ?? "",
        /filename="schedule-112-recipients.csv"/,
      );
      const rows: Record<string, string>[] = parse(await response.text(), { skipFirstRow: true });
      return rows;
    };
    const shown = await read("?addresses=shown");
    assertEquals(shown.length, runs.reduce((sum, run) => sum + run.recipients!.length, 0));
    const [{ userId, displayName, emailAddress }] = runs[0].recipients!;
    assertEquals(shown[0].id, String(runs[0].id));
    assertEquals(shown[0].userId, String(userId));
    assertEquals([shown[0].displayName, shown[0].emailAddress], [displayName, emailAddress]);
    const masked = await read("");
    assertEquals(masked.length, shown.length);
    assert(masked.every((row) => /^.…@/.test(row.emailAddress)));
    assertEquals((await get("/schedules/999/recipients.csv")).status, 404);
  }));

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

Deno.test("[e2e] GET recipients.csv: a fault amid the runs breaks the download off", () => {
  const service = createTestService({
    runs: { 101: makeRuns(600) },
    // The sign-in asks first, then come the pages.
    faults: ({ offset }) => offset >= 250 ? { kind: "status", status: 400 } : undefined,
  });
  return withUpstream(service, {}, async (app) => {
    const get = await visitor(app);
    const response = await get("/schedules/101/recipients.csv");
    assertEquals(response.status, 200);
    await assertRejects(() => response.text());

    // A page that judges keeps what came, and says that it is not all.
    const page = await (await get("/schedules/101")).text();
    assertMatch(page, /250 runs; .*there may be older ones\. The service failed before/);
  });
});

Deno.test("[e2e] pages of runs: SERVICE_ZONE is the zone of times that name none; downloads stay", () => {
  const times = { startTime: "2026-06-01 06:00:00", endTime: "2026-06-01 06:01:00" };
  const recipients = [{ userId: 7, displayName: "Ann", emailAddress: "ann@example.com" }];
  const service = createTestService({
    runs: { 101: [{ id: 1, status: "success", recipients, ...times }] },
  });
  return withUpstream(service, { SERVICE_ZONE: "Europe/Berlin" }, async (app) => {
    const get = await visitor(app);
    const page = await (await get("/schedules/101")).text();
    assertMatch(page, /<time datetime="2026-06-01T04:00:00Z"[^>]*>2026-06-01 04:00</i);
    const [run] = unpackRuns(await (await get("/schedules/101/rows")).json());
    assertEquals(run.startTime, "2026-06-01T04:00:00.000Z");
    assertMatch(await (await get("/schedules/101/recipients.csv")).text(), /,2026-06-01 06:00:00,/);
  });
});

Deno.test("[e2e] schedule page: what is no id is told as that, also by a form that sends empty fields", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    for (const path of ["/schedules/abc", "/schedules/abc?text=", "/schedules/1e3?x="]) {
      const response = await get(path);
      assertEquals([path, response.status], [path, 404]);
      assertMatch(await response.text(), /A schedule id is a whole number\./);
    }
    const redirect = await get("/schedules/101?text=");
    assertEquals(redirect.headers.get("location"), "/schedules/101");
  }));

Deno.test("[e2e] schedule page: charts don't depend on the page size, each point a link in words", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const chartsIn = async (path: string) => {
      const html = await (await get(path)).text();
      return [...html.matchAll(/<figure class="(?:chart|strip)">.*?<\/figure>/gs)]
        .map(([figure]) => figure);
    };
    const charts = await chartsIn("/schedules/106");
    // The number of recipients never changes here, which is a line of text.
    assertEquals(charts.length, 3);
    const changing = await chartsIn("/schedules/104");
    assertEquals(changing.length, 4);
    assertEquals(await chartsIn("/schedules/106?limit=5&skip=50&trigger=manual"), charts);
    for (const chart of [...charts, ...changing]) {
      const links = chart.match(/<a href="\/[^>]*>/g) ?? [];
      const named = chart.match(/<a href="\/[^>]*><title>[^<]+<\/title>/g) ?? [];
      assert(links.length > 0);
      assertEquals(named.length, links.length);
      assertEquals(chart.includes("<script"), false);
      assertEquals(/ style="/.test(chart), false);
    }
    const durations = charts.find((chart) => chart.includes('id="durations"'))!;
    assertMatch(durations, /p50 37 s/);
    assertMatch(durations, /from the median of 400 runs \(11 in total\)/);
    // Six of the eleven slow runs are among the 200 that are drawn.
    assertEquals(durations.match(/, outlier</g)?.length, 6);
  }));

Deno.test("[e2e] pages of runs: an address is on none of them before it is asked for", () =>
  withApp({}, async (app) => {
    const get = await visitor(app);
    const [run, before] = await allRuns(app, 104);
    const address = run.recipients![0].emailAddress!;
    const paths = [
      "/schedules/104",
      `/schedules/104/runs/${run.id}`,
      "/schedules/104/recipients",
      "/schedules/104/check",
      `/schedules/104/compare?before=${before.id}&after=${run.id}`,
      "/schedules?ids=104",
    ];
    for (const path of paths) {
      assertEquals((await (await get(path)).text()).includes(address), false, path);
    }
    assert(
      (await (await get("/schedules/104/recipients?addresses=shown")).text()).includes(address),
    );
  }));
