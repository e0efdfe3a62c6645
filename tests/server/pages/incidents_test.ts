/** What pages say of incidents: lists, one of them, what is silent, and Today. */
import { assertEquals } from "@std/assert";
import type { Silence } from "../../../lib/judgement/incidents/incident.ts";
import { DAY, HOUR } from "../../../lib/time_units.ts";
import { decideRecipient } from "../../../server/actions/decide_recipient.ts";
import { loadIncident } from "../../../server/pages/incident.ts";
import {
  loadIncidentRows,
  loadNeeded,
  loadOutsiders,
  MAX_OUTSIDERS,
} from "../../../server/pages/incidents.ts";
import { loadIncidentSilence, loadSilences } from "../../../server/pages/silences.ts";
import { loadToday } from "../../../server/pages/today.ts";
import { incidentEvent, watchEvent } from "../../../server/store/records/events.ts";
import { insertIncident, type StoredIncident } from "../../../server/store/records/incidents.ts";
import { ADA, BOB, BY_ADA } from "../../actors.ts";
import { sampleReason } from "../../sample_reasons.ts";
import { openCodes, runWell, START, withWorld } from "../observer/world.ts";
import { incident, NOW } from "../store/records/stored_rows.ts";
import { pageState } from "./page_state.ts";

Deno.test("loadOutsiders: finds who still receives it among any number who no longer do", () =>
  withWorld([1], async (world) => {
    const person = (userId: number) => ({ userId, emailAddress: `${userId}@partner.example` });
    const many = Array.from({ length: 1001 }, (_, at) => person(at + 1));
    world.run(1, START - DAY, { recipients: many });
    world.run(1, START - HOUR, { recipients: [person(2000)] });
    await world.until(START + 1);
    const reason = sampleReason("outside-recipient", { domain: "partner.example" });
    const about = incident("outside", { scheduleId: 1, reason });
    const find = async () => await loadOutsiders(world.records, about, START);
    assertEquals((await find()).map(({ recipient }) => recipient.userId), [2000]);
    world.run(1, START, { recipients: many });
    await world.poll(START + HOUR);
    const [{ id: personId }] = await find();
    const decision = { personId, expected: false, on: 1, note: "", until: null };
    await decideRecipient(world, decision, BY_ADA);
    // One more than the page lists, so that it says that it cuts.
    const decided = (await find()).map(({ isDecided }) => isDecided);
    assertEquals(decided, [true, ...Array(MAX_OUTSIDERS).fill(false)]);
  }));

Deno.test("loadIncidentRows: says who was notified, what is muted, and which run is unknown", () =>
  withWorld([1, 2, 3], async (world) => {
    const statuses = ["failure", "odd", "failure"];
    for (const [at, status] of statuses.entries()) world.run(at + 1, START, { status });
    await world.until(START + HOUR);
    const open = await world.records.incidents.allOpen();
    await world.records.watches.change(3, { mutedUntil: world.now() + HOUR }, world.now());
    const rows = await loadIncidentRows(world.records, open, { now: world.now(), zone: "UTC" });
    // Its schedule is muted.
    const silent = rows.flatMap(({ scheduleId, silences }) =>
      silences.map(({ kind }) => `${scheduleId} ${kind}`)
    );
    assertEquals(silent, ["3 muted"]);
    const said = rows.map(({ code, sent, unsent, run }) =>
      `${code} ${sent.map(({ outlet }) => outlet)} ${unsent} ${run?.scheduleId ?? ""}`.trim()
    );
    const failing = "failing webhook";
    assertEquals(said.toSorted(), [failing, failing, "unknown-status webhook  2"]);
  }));

Deno.test("loadNeeded: a group counts each schedule once, and stands where its first incident would", () =>
  withWorld([1], async ({ records }) => {
    const some = (code: StoredIncident["code"], ...scheduleIds: number[]) =>
      scheduleIds.map((scheduleId, at) =>
        incident(`${code} ${at}`, {
          ...{ scheduleId, subject: `${at}`, code, severity: "warning" },
          // Of the others, nobody knows when they began.
          reason: sampleReason("failing", { since: code === "missed" ? NOW - at : null }),
        })
      );
    const planted = [
      ...[...some("missed", 1, 2, 3, 1), ...some("flaky", 1, 2, 3)],
      ...[...some("late", 1, 2), incident("failing", {})],
    ];
    const load = async (more: readonly StoredIncident[]) => {
      await records.commit(more.map((each) => insertIncident(each)));
      return await loadNeeded(records, { now: START, zone: "UTC" });
    };
    assertEquals((await load(planted.slice(0, 8))).items.filter(({ group }) => group), []);
    const { items, total } = await load(planted.slice(8));
    const named = [1, 2, 3].map((scheduleId) => ({ scheduleId, name: `Schedule ${scheduleId}` }));
    const missed = { code: "missed", count: 4, schedules: 3, since: NOW - 3, named };
    const flaky = { code: "flaky", count: 3, schedules: 3, since: null, named };
    const rows = items.map(({ code, group }) => group ?? code);
    assertEquals([rows, total], [["failing", missed, flaky, "late", "late"], 10]);
  }));

Deno.test("loadIncident: says when it lists only the newest runs", async () => {
  for (const failed of [19, 25]) {
    await withWorld([1], async (world) => {
      runWell(world, 1, START - 30 * HOUR, 30 - failed);
      runWell(world, 1, START - failed * HOUR, failed, { status: "failure" });
      await world.until(START);
      const [{ id }] = await world.records.incidents.open(1);
      const { isCut, timeline } = await loadIncident(pageState(world.records), id);
      const listed = timeline.filter(({ run, isBad }) => run && isBad).length;
      assertEquals([isCut, listed], [failed > 20, Math.min(failed, 20)]);
    });
  }
});

Deno.test("silences: say who muted a schedule or an incident, or expects no runs, and why", () =>
  withWorld([], async ({ records }) => {
    const by = (actor: typeof ADA) => ({ scheduleId: 7, actor, now: NOW });
    const of = { incidentId: "a", at: NOW };
    await records.commit([
      watchEvent("plan confirmed", by(ADA), { note: "0 6 * * *" }),
      watchEvent("no runs expected", by(BOB), { note: "from 2026-03-10T00:00Z on; holidays" }),
      watchEvent("schedule muted", by(BOB), { note: "until 2026-03-11T00:00Z; a migration" }),
      incidentEvent({ ...of, kind: "muted", actor: ADA, note: "known" }),
      incidentEvent({ ...of, kind: "muted", actor: BOB, note: "longer" }),
      incidentEvent({ ...of, kind: "noted", actor: ADA, note: "still" }),
    ]);
    const muted = { scheduleId: 7, mutedUntil: NOW + DAY, pauses: [] };
    const days = { from: NOW - DAY, to: NOW + DAY };
    const said = (silences: readonly Silence[]) =>
      silences.map(({ kind, person, note }) => `${kind}: ${person}, ${note}`).join();
    const ofSchedule = async (more: Partial<Parameters<typeof loadSilences>[1][number]>) =>
      said((await loadSilences(records, [{ ...muted, ...more }], NOW)).get(7)!);
    const ofIncident = async (more: Parameters<typeof incident>[1]) =>
      said(await loadIncidentSilence(records, incident("a", { ...muted, ...more }), NOW));
    const open = { from: NOW, to: null };
    assertEquals(await ofSchedule({}), "muted: Bob (not verified), a migration");
    const paused = (pause: typeof days | typeof open) =>
      ofSchedule({ mutedUntil: null, pauses: [pause] });
    assertEquals(await paused(days), "paused: Ada (not verified), ");
    assertEquals(await paused(open), "paused: Bob (not verified), holidays");
    assertEquals(await ofIncident({}), "muted: Bob (not verified), longer");
    const over = [await ofIncident({ mutedUntil: NOW }), await ofIncident({ resolved: NOW })];
    assertEquals(over, ["", ""]);
  }));

Deno.test("loadToday: without a plan, an unknown status is a trouble, and nothing else", () =>
  withWorld([1, 2], async (world) => {
    const { records } = world;
    const troubles = async () => {
      const { watched } = await loadToday(pageState(records), new URLSearchParams());
      return watched!.summary.troubles.map((each) => [each.scheduleId, each.headline]);
    };
    world.run(1, START - 2 * HOUR);
    world.run(2, START - 2 * HOUR, { status: "odd" });
    await world.until(START + HOUR);
    assertEquals(await troubles(), [[2, "unknown"]]);
    // Also after somebody resolved the incident that asks for its meaning.
    await world.act("resolved", { of: null });
    assertEquals([await openCodes(world, null), await troubles()], [[], [[2, "unknown"]]]);
    // An outage is the service's.
    world.refuse(500);
    await world.until(START + 2 * HOUR);
    assertEquals(await troubles(), [[2, "unknown"]]);
  }, { plans: () => null }));
