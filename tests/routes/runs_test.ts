/** Runs: their pages during an outage, searches by a form, exports, and what is not shown. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { parse } from "@std/csv";
import { DAY, MINUTE } from "../../lib/time_units.ts";
import type { ReportRun } from "../../lib/types.ts";
import { makeRuns } from "../../lib/testing/mod.ts";
import { pollAll } from "../browser/sample_watches.ts";
import { type App, signIn, withApp, withPerson } from "../app.ts";
import { plantIncident } from "../planted_incident.ts";
import { sampleReason } from "../sample_reasons.ts";
import { withAppInFront } from "../service_on_port.ts";
import { answering, SCHEDULE, withUpstream } from "../upstream.ts";

async function allRuns({ services }: App, scheduleId: number): Promise<readonly ReportRun[]> {
  return await services.store!.reportSchedules.history(scheduleId, { limit: 1000 });
}

Deno.test("[e2e] pages of runs: SERVICE_ZONE is the zone of times that name none; downloads stay", () => {
  const times = { startTime: "2026-06-01 06:00:00", endTime: "2026-06-01 06:01:00" };
  const options = { runs: { 101: [{ id: 1, status: "success", ...times }] } };
  return withAppInFront(options, async (app) => {
    const { get } = await signIn(app);
    const page = (await get("/schedules/101")).text;
    assertMatch(page, /<time title="2026-06-01T04:00:00Z">Mon 1 Jun 04:00</);
    const day = "q=started:2026-06-01T04:00:00Z..2026-06-01T04:00:01Z";
    const exported = (await get(`/schedules/101/export?format=csv&${day}`)).text;
    assertMatch(exported, /,2026-06-01 06:00:00,/);
  }, { SERVICE_ZONE: "Europe/Berlin" });
});

Deno.test("[e2e] pages of a schedule: show what was read, in an outage too, and ask nothing", () =>
  withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl, OBSERVER_TOKEN: "observer" }, async (app) => {
      const { watches } = app.services.records!;
      const neverRan = SCHEDULE + 1;
      upstream.service.runs.set(neverRan, []);
      await watches.add([SCHEDULE, neverRan], Date.now());
      await pollAll(app.services);
      const token = await app.services.tokens!.add("Cem", "operator", new Date());
      const { get } = await signIn(app, token);
      const paths = ["", "/plan", "/recipients", `/runs/${makeRuns(600)[0].id}`];
      const look = () => Promise.all(paths.map((path) => get(`/schedules/${SCHEDULE}${path}`)));
      const asked = upstream.asked.length;
      for (const { status, text } of await look()) {
        assertEquals([status, text.includes("read this schedule")], [200, false]);
      }
      assertEquals(upstream.asked.length, asked);
      upstream.behave(answering(500));
      await watches.remove(SCHEDULE);
      await watches.add([SCHEDULE], Date.now());
      await pollAll(app.services);
      const banner = /<main.*Can't read this schedule since .*\(.*500\)\..*Showing what was read/s;
      for (const { text } of await look()) assertMatch(text, banner);
      assertEquals((await get(`/schedules/${neverRan}`)).status, 200);
      assertEquals(upstream.asked.length, asked + 1);
      assertEquals((await get("/")).status, 200);
      const reason = sampleReason("unreadable", { failure: "status 500" });
      await plantIncident(app, { name: "", scheduleId: null, reason });
      const ofService = /<main.*Can't read the service since .*Showing what was read/s;
      for (const { text } of await look()) assertMatch(text, ofService);
    })
  ));

Deno.test("[e2e] plan: nothing is overdue that the verdict on few runs excuses", () =>
  withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl, OBSERVER_TOKEN: "observer" }, async (app) => {
      // Five Tuesdays in a row, but not yesterday.
      const tuesdays = [8, 15, 22, 29, 36].map((days) => Date.now() - days * DAY);
      const runs = tuesdays.map((start, id) => ({
        id,
        status: "success",
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + MINUTE).toISOString(),
      }));
      upstream.service.runs.set(SCHEDULE, runs);
      await app.services.records!.watches.add([SCHEDULE], Date.now());
      await pollAll(app.services);
      const token = await app.services.tokens!.add("Cem", "operator", new Date());
      const { get } = await signIn(app, token);
      const { text } = await get(`/schedules/${SCHEDULE}/plan`);
      assertEquals([text.includes("No run expected"), text.includes("Overdue")], [true, false]);
    })
  ));

Deno.test("[e2e] pages of a schedule: show no stored runs to whom the service refuses them", () =>
  withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl, OBSERVER_TOKEN: "observer" }, async (app) => {
      await app.services.records!.watches.add([SCHEDULE], Date.now());
      await pollAll(app.services);
      const { get } = await signIn(app, "of-a-user");
      upstream.behave(answering(403));
      for (const path of ["", "/plan", `/runs/${makeRuns(600)[0].id}`]) {
        const asked = upstream.asked.length;
        const { status, text } = await get(`/schedules/${SCHEDULE}${path}`);
        assertEquals([status, upstream.asked.length > asked], [403, true], path);
        assertEquals(text.includes("Showing what was read"), false);
      }
      assertEquals((await get(`/schedules/${SCHEDULE}/recipients`)).status, 403);
    })
  ));

Deno.test("[e2e] page of a schedule that is only known: says when it was read", () =>
  withUpstream((upstream) =>
    withApp({ SERVICE_BASE_URL: upstream.baseUrl, OBSERVER_TOKEN: "observer" }, async (app) => {
      const { watches } = app.services.records!;
      const token = await app.services.tokens!.add("Cem", "operator", new Date());
      const { get } = await signIn(app, token);
      const note = /Not watched, read once a day: last <time[^>]*>[^<]* ago/;
      assertEquals(note.test((await get(`/schedules/${SCHEDULE}`)).text), false);
      await watches.add([SCHEDULE], Date.now(), {}, undefined, { watched: 0 });
      await pollAll(app.services);
      assertMatch((await get(`/schedules/${SCHEDULE}`)).text, note);
    })
  ));

Deno.test("[e2e] pages: what is no id, or of nothing, is a 404 that says so", () =>
  withPerson(async ({ get }) => {
    const missing = {
      "/schedules/abc": "A schedule id is a whole number from 0 to 9007199254740991.",
      "/schedules/1e3?x=": "A schedule id is a whole number from 0 to 9007199254740991.",
      "/schedules/999": "There is no report schedule 999",
      "/schedules/102/runs/x": "A run id is a whole number of at most 9007199254740991",
      "/schedules/102/runs/1": "Schedule 102 has no run 1",
      "/filesets/nothing": "No file set has the id “nothing”",
    };
    for (const [path, words] of Object.entries(missing)) {
      const { status, text } = await get(path);
      assertEquals([path, status, text.includes(words)], [path, 404, true]);
    }
  }));

Deno.test("[e2e] schedule page: finds a recipient by name or address, not in links", () =>
  withPerson(async ({ app, post }) => {
    const search = (q: string) => post("/schedules/102", { q });
    const [{ recipients }] = await allRuns(app, 102);
    const { userId, displayName, emailAddress } = recipients![0];
    for (const recipient of [displayName!, emailAddress!.toUpperCase(), String(userId)]) {
      const { status, headers } = await search(`recipient:"${recipient}"`);
      const found = `/schedules/102?q=recipient:${userId}#runs`;
      assertEquals([status, headers.get("location")], [303, found]);
    }
    const unknown = await search("recipient:nobody@example.com");
    assertEquals(unknown.status, 400);
    assertMatch(await unknown.text(), /No loaded run went to this address/);
    // An address without a field is no text to put into a link.
    const bare = await (await search(emailAddress!)).text();
    assertMatch(bare, new RegExp(`href="\\?q=recipient:${userId}#runs">Did you mean`));
  }));

Deno.test("[e2e] schedule page: columns chosen in the form are remembered, those of a link are not", () =>
  withPerson(async ({ post, fetch }) => {
    const { headers } = await post("/schedules/102", { "new-form": "1", "new-column": "ownerId" });
    assertEquals(headers.get("location"), "/schedules/102?columns=startTime,ownerId#runs");
    assertMatch(headers.getSetCookie().join(), /ownerId/);
    const link = await fetch("/schedules/102?new-form=1&new-column=ownerId");
    assertEquals([link.status, link.headers.getSetCookie()], [303, []]);
  }));

Deno.test("[e2e] GET export: all matching runs of the history, in each format, addresses masked", () =>
  withPerson(async ({ app, fetch, get }) => {
    const failed = (await allRuns(app, 102)).filter(({ status }) => status === "failure");
    const path = "/schedules/102/export?q=status:failure&format=";
    const csv = await fetch(`${path}csv&columns=status,duration`);
    const disposition = /filename="schedule-102-runs-\d{4}-\d\d-\d\d\.csv"/;
    assertMatch(csv.headers.get("content-disposition")!, disposition);
    const rows: Record<string, string>[] = parse(await csv.text(), { skipFirstRow: true });
    assertEquals(rows.map(({ startTime }) => startTime), failed.map(({ startTime }) => startTime));
    assertEquals(Object.keys(rows[0]), ["startTime", "status", "duration"]);

    const json: ReportRun[] = JSON.parse((await get(`${path}json`)).text);
    const lines = (await get(`${path}ndjson`)).text.trimEnd().split("\n");
    assertEquals(lines.map((line) => JSON.parse(line)), json);
    assertEquals(json.map(({ id }) => id), failed.map(({ id }) => id));
    assertEquals(json[0].recipients!.length, failed[0].recipients!.length);
    const addresses = json.flatMap(({ recipients }) =>
      recipients!.map((each) => each.emailAddress!)
    );
    assert(addresses.every((address) => /^.…@/.test(address)));
    for (const wrong of ["102/export?format=xml", "102/export?format=csv&q=x:EQUALS:1"]) {
      assertEquals((await get(`/schedules/${wrong}`)).status, 400);
    }
    assertEquals((await get("/schedules/999/export?format=csv")).status, 404);
  }));

Deno.test("[e2e] GET export: an error after the first run aborts the download", () =>
  withAppInFront({
    runs: { 101: makeRuns(2500) },
    faults: ({ offset }) => offset >= 1000 ? { kind: "status", status: 400 } : undefined,
  }, async (app) => {
    const { fetch } = await signIn(app);
    const response = await fetch("/schedules/101/export?format=csv");
    assertEquals(response.status, 200);
    await assertRejects(() => response.text());
  }));

Deno.test("[e2e] pages of runs: show no address until asked", () =>
  withPerson(async ({ app, get }) => {
    const [run, before] = await allRuns(app, 104);
    const address = run.recipients![0].emailAddress!;
    const compared = `runs/${run.id}?with=${before.id}`;
    for (const path of ["", `runs/${run.id}`, "recipients", compared]) {
      assertEquals((await get(`/schedules/104/${path}`)).text.includes(address), false, path);
    }
    assert((await get("/schedules/104/recipients?addresses=shown")).text.includes(address));
  }));

Deno.test("[e2e] a run: compared with another by its id, however old, or the id is named", () =>
  withAppInFront({ runs: { 101: makeRuns(2500) } }, async (app) => {
    const { get } = await signIn(app);
    const [newest, ...others] = makeRuns(2500).toSorted((a, b) =>
      b.startTime! < a.startTime! ? -1 : 1
    );
    const oldest = others.at(-1)!;
    assertEquals((await get(`/schedules/101/runs/${oldest.id}`)).status, 200);
    const compared = await get(`/schedules/101/runs/${newest.id}?with=${oldest.id}`);
    assertMatch(compared.text, /Earlier run.*This run/s);
    for (
      const [id, status, words] of [
        ["x", 400, "must be a whole number."],
        ["999999", 404, "was not found: Schedule 101 has no run 999999."],
      ] as const
    ) {
      const { status: answered, text } = await get(`/schedules/101/runs/${newest.id}?with=${id}`);
      assertEquals([id, answered], [id, status]);
      assert(text.includes(`✕ Compare with run id ${words}`), `${text.match(/✕[^<]*/g)}`);
      assert(text.includes(`value="${id}"`));
    }
  }));
