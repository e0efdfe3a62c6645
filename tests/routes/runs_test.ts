/** Runs: their pages during an outage, searches by a form, exports, and what is not shown. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { BY_ADA } from "../actors.ts";
import { parse } from "@std/csv";
import { DAY, MINUTE } from "../../lib/time_units.ts";
import type { ReportRun } from "../../lib/types.ts";
import { makeRuns } from "../../lib/testing/mod.ts";
import { loadStoredFile } from "../../server/pages/schedule.ts";
import { storeChanges } from "../../server/store/runs/store_runs.ts";
import { type App, assertAnswer, signIn, withPerson } from "../app.ts";
import { plantIncident } from "../planted_incident.ts";
import { sampleReason } from "../sample_reasons.ts";
import { answering, SCHEDULE, withAppInFront, withOperator } from "../upstream.ts";

const runsOf = ({ services }: App) => services.store!.reportSchedules.history(102, { limit: 1000 });

Deno.test("[e2e] pages of runs: SERVICE_ZONE is the zone of times that name none; downloads stay", () => {
  const times = { startTime: "2026-06-01 06:00:00", endTime: "2026-06-01 06:01:00" };
  const options = { runs: { 101: [{ id: 1, status: "success", ...times }] } };
  return withAppInFront(options, async (app) => {
    const { get } = await signIn(app);
    const page = (await get("/schedules/101")).text;
    assertMatch(page, /<span title="2026-06-01T04:00:00Z">Mon 1 Jun 04:00</);
    const day = "q=started:2026-06-01T04:00:00Z..2026-06-01T04:00:01Z";
    const exported = (await get(`/schedules/101/export?format=csv&${day}`)).text;
    assertMatch(exported, /,2026-06-01 06:00:00,/);
  }, { SERVICE_ZONE: "Europe/Berlin" });
});

Deno.test("[e2e] pages of a schedule: show what was read, in an outage too, and ask nothing", () =>
  withOperator(async ({ app, records, upstream, poll, get, fetch }) => {
    const neverRan = SCHEDULE + 1;
    upstream.service.runs.set(neverRan, []);
    await poll([SCHEDULE, neverRan]);
    const paths = ["", "/plan", "/recipients", `/runs/${makeRuns(600)[0].id}`];
    const visitAll = () => Promise.all(paths.map((path) => get(`/schedules/${SCHEDULE}${path}`)));
    const before = upstream.requests.length;
    for (const { status, text } of await visitAll()) {
      assertEquals([status, text.includes("read this schedule")], [200, false]);
    }
    assertEquals(upstream.requests.length, before);
    upstream.behave(answering(500));
    await records.watches.remove([SCHEDULE], BY_ADA);
    await poll([SCHEDULE]);
    const banner = /<main.*Can't read this schedule since .*\(.*500\)\..*Showing what was read/s;
    for (const { text } of await visitAll()) assertMatch(text, banner);
    const file = await fetch(`/schedules/${SCHEDULE}/export?format=ndjson`);
    assertMatch(file.headers.get("content-disposition")!, /runs-stored-[-\d]+\.ndjson/);
    assertEquals((await file.text()).match(/\n/g)?.length, 600);
    const { runs, readAt } = (await loadStoredFile(app, SCHEDULE))!;
    await runs.next();
    const changes = { put: [], removed: [makeRuns(600)[1].id] };
    await records.commit([storeChanges(SCHEDULE, changes, readAt + 1)]);
    await assertRejects(() => Array.fromAsync(runs), Error, "meanwhile");
    for (const path of ["/", `/schedules/${neverRan}`]) assertAnswer(await get(path), 200);
    assertEquals(upstream.requests.length, before + 1);
    const reason = sampleReason("unreadable", { failure: "status 500" });
    await plantIncident(app, { name: "", scheduleId: null, reason });
    const ofService = /<main.*Can't read the service since .*Showing what was read/s;
    for (const { text } of [...await visitAll(), await get("/schedules")]) {
      assertMatch(text, ofService);
    }
  }));

Deno.test("[e2e] a schedule that could never be read: says what its incident says", () =>
  withOperator(async ({ upstream, poll, get }) => {
    upstream.behave((request) =>
      /\/102\//.test(request.url) ? answering(403)(request) : upstream.service.fetch(request)
    );
    await poll([SCHEDULE, 102]);
    for (const path of ["", "/plan", "/recipients"]) {
      const { status, text } = await get(`/schedules/102${path}`);
      assertEquals([status, /[Hh]ealthy|never run|Reload/.test(text)], [200, false]);
      assertMatch(text, /<main.*Can't read this schedule since .*OBSERVER_TOKEN.* \(status 403\)/s);
    }
  }));

Deno.test("[e2e] plan: nothing is overdue that the verdict on few runs excuses", () =>
  withOperator(async ({ upstream, poll, get }) => {
    // Five Tuesdays in a row, but not yesterday.
    const tuesdays = [8, 15, 22, 29, 36].map((days) => Date.now() - days * DAY);
    const runs = tuesdays.map((start, id) => ({
      ...{ id, status: "success", startTime: new Date(start).toISOString() },
      endTime: new Date(start + MINUTE).toISOString(),
    }));
    upstream.service.runs.set(SCHEDULE, runs);
    await poll([SCHEDULE]);
    const { text } = await get(`/schedules/${SCHEDULE}/plan`);
    assertEquals(text.match(/Not expected|Overdue/g), ["Not expected"]);
  }));

Deno.test("[e2e] pages of a schedule: show no stored runs to whom the service refuses them", () =>
  withOperator(async ({ app, upstream, poll }) => {
    await poll([SCHEDULE]);
    const { get } = await signIn(app, "of-a-user");
    upstream.behave(answering(403));
    for (const path of ["", "/plan", `/runs/${makeRuns(600)[0].id}`]) {
      const before = upstream.requests.length;
      const { status, text } = await get(`/schedules/${SCHEDULE}${path}`);
      assertEquals([status, upstream.requests.length > before], [403, true], path);
      assertEquals(text.includes("Showing what was read"), false);
    }
    assertAnswer(await get(`/schedules/${SCHEDULE}/recipients`), 403);
  }));

Deno.test("[e2e] page of a schedule that is only known: says when it was read", () =>
  withOperator(async ({ records: { watches }, poll, get }) => {
    const note = /Not watched, read once a day: last <time[^>]*>[^<]* ago/;
    const isSaid = async () => note.test((await get(`/schedules/${SCHEDULE}`)).text);
    assertEquals(await isSaid(), false);
    const people = await get(`/schedules/${SCHEDULE}/recipients`);
    assertAnswer(people, 200, "Docket does not read this schedule");
    await watches.add([SCHEDULE], Date.now(), {}, undefined, { watched: 0 });
    await poll([]);
    assertEquals(await isSaid(), true);
  }));

Deno.test("[e2e] schedule page: finds a recipient by name or address, not in links", () =>
  withPerson(async ({ app, post }) => {
    const search = (q: string) => post("/schedules/102", { q });
    const [{ recipients }] = await runsOf(app);
    const { userId, displayName, emailAddress } = recipients![0];
    for (const recipient of [displayName!, emailAddress!.toUpperCase(), String(userId)]) {
      const { to } = await search(`recipient:"${recipient}"`);
      assertEquals(to, `/schedules/102?q=recipient:${userId}#runs`);
    }
    const unknown = await search("recipient:nobody@example.com");
    assertAnswer(unknown, 400, "No loaded run went to this address");
    // An address without a field is no text to put into a link.
    assertAnswer(await search(emailAddress!), 400, "Write recipient: before an address");
  }));

Deno.test("[e2e] schedule page: columns chosen in the form are remembered, those of a link are not", () =>
  withPerson(async ({ post, fetch }) => {
    const form = { "new-form": "1", "new-column": "ownerId" };
    const { headers, to } = await post("/schedules/102", form);
    assertEquals(to, "/schedules/102?columns=startTime,ownerId#runs");
    assertMatch(headers.getSetCookie().join(), /ownerId/);
    const link = await fetch("/schedules/102?new-form=1&new-column=ownerId");
    assertEquals([link.status, link.headers.getSetCookie()], [303, []]);
    assertEquals((await fetch("/filesets?new-form=1&new-column=owner")).status, 303);
  }));

Deno.test("[e2e] GET export: all matching runs of the history, in each format, addresses masked", () =>
  withPerson(async ({ app, fetch, get }) => {
    const failed = (await runsOf(app)).filter(({ status }) => status === "failure");
    const path = "/schedules/102/export?q=status:failure&format=";
    const csv = await fetch(`${path}csv&columns=status,startTime,duration`);
    const disposition = /filename="schedule-102-runs-\d{4}-\d\d-\d\d\.csv"/;
    assertMatch(csv.headers.get("content-disposition")!, disposition);
    const text = await csv.text();
    assertMatch(text, /^\ufeff?startTime,status,duration\r\n/);
    const rows: Record<string, string>[] = parse(text, { skipFirstRow: true });
    assertEquals(rows.map(({ startTime }) => startTime), failed.map(({ startTime }) => startTime));
    const { startTime, endTime } = failed.at(-1)!;
    const seconds = (Date.parse(endTime!) - Date.parse(startTime!)) / 1000;
    assertEquals(Number(rows.at(-1)!.duration), seconds);

    const json: ReportRun[] = JSON.parse((await get(`${path}json`)).text);
    const lines = (await get(`${path}ndjson`)).text.trimEnd().split("\n");
    assertEquals(lines.map((line) => JSON.parse(line)), json);
    assertEquals(json.map(({ id }) => id), failed.map(({ id }) => id));
    assertEquals(json[0].recipients!.length, failed[0].recipients!.length);
    const addresses = json.flatMap(({ recipients }) => recipients!).map((each) =>
      each.emailAddress!
    );
    assert(addresses.every((address) => /^.…@/.test(address)));
  }));

Deno.test("[e2e] a run: is found however old, beside the run before", () =>
  withAppInFront(
    { runs: { 101: makeRuns(2500), 102: [...makeRuns(1), { id: 9 }] } },
    async (app) => {
      const { get, read } = await signIn(app);
      const others = makeRuns(2500).toSorted((a, b) => b.startTime! < a.startTime! ? -1 : 1);
      const oldest = others.at(-1)!;
      assertAnswer(await get(`/schedules/101/runs/${oldest.id}`), 200);
      // A good one is a success itself, and the latest.
      const good = others.find(({ status }) => status === "success")!;
      assertMatch((await get(`/schedules/101/runs/${good.id}`)).text, /Earlier run.*This run/s);
      const more =
        'older runs that were not loaded. <a href="?load=10000#runs">Load up to 10,000 runs<';
      assertAnswer(await get("/schedules/101"), 200, more);
      // A run without a start is neither before nor after another.
      const pages = await Promise.all([1, 9].map((id) => read(`/schedules/102/runs/${id}`)));
      assertEquals(pages.filter((text) => /Previous run|Next run|Earlier run/.test(text)), []);
    },
  ));
