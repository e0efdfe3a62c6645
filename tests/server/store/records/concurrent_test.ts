/** What the records must hold when several processes use them at once, on every database. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { insertIncident, updateIncident } from "../../../../server/store/records/incidents.ts";
import { queueMessage } from "../../../../server/store/records/messages.ts";
import type { ObserverRecords } from "../../../../server/store/records/observer_records.ts";
import { endOfPoll, MAX_POLLS } from "../../../../server/store/records/polls.ts";
import { ADA } from "../../../actors.ts";
import { testRecords } from "../on_both.ts";
import { incident, NOW } from "./incident.ts";

const HOLDERS = ["a", "b", "c", "d"];
const LEASE_MS = 10;

/** The incident of each queued message, or null, and what becomes of each attempt to send one. */
const outbox = fc.record({
  incidents: fc.array(fc.constantFrom(null, "x", "y"), { minLength: 1, maxLength: 12 }),
  fates: fc.array(fc.constantFrom("sent", "failed", "killed"), { minLength: 1, maxLength: 8 }),
});

/** Queues messages and lets four holders send them; checks each claim, returns what was sent. */
async function sendAll(
  { messages, commit }: ObserverRecords,
  outlet: string,
  { incidents, fates }: { readonly incidents: readonly (string | null)[]; fates: string[] },
): Promise<readonly string[]> {
  const queued = incidents.map((incidentId, at) => ({ id: `${outlet} ${at}`, incidentId }));
  await commit(
    queued.map((each) => queueMessage({ ...each, outlet, event: "{}", created: NOW }, NOW)),
  );
  const sent: string[] = [];
  const leasedUntil = new Map<string, number>();
  /** Whether all earlier messages about the same incident are sent. */
  const isInTurn = (id: string, incidentId: string | null) =>
    incidentId === null ||
    queued.slice(0, queued.findIndex((each) => each.id === id))
      .every((each) => each.incidentId !== incidentId || sent.includes(each.id));
  let attempts = 0;
  for (let now = NOW; sent.length < queued.length; now += LEASE_MS) {
    assert(now < NOW + 200 * LEASE_MS, "some were never claimed");
    await Promise.all(HOLDERS.map(async (holder) => {
      const claim = { outlet, holder, now, leaseUntil: now + LEASE_MS, max: 3 };
      const claimed = await messages.claim(claim);
      for (const { id, incidentId } of claimed) {
        assert((leasedUntil.get(id) ?? 0) <= now, `${id} was claimed twice`);
        leasedUntil.set(id, now + LEASE_MS);
        assert(isInTurn(id, incidentId), `${id} was claimed before its turn`);
      }
      for (const { id } of claimed) {
        // After all of these fates, everything is sent.
        const fate = attempts < 5 * fates.length ? fates[attempts++ % fates.length] : "sent";
        const done = { due: null, sent: now, givenUp: null, error: null };
        // Who has not the lease changes nothing.
        await messages.finish(id, "another", done);
        if (fate === "killed") continue;
        if (fate === "sent") sent.push(id);
        const failed = { ...done, due: now + LEASE_MS, sent: null };
        await messages.finish(id, holder, fate === "sent" ? done : failed);
      }
    }));
    const { items } = await messages.list({ outlet, state: "waiting", limit: 99 });
    for (const { id, incidentId, ...listed } of items) {
      assertEquals(listed.isInTurn, isInTurn(id, incidentId));
    }
  }
  return sent;
}

const test: typeof testRecords = (name, work) => testRecords(`records: ${name}`, work);

test("four holders send each message once and in turn, though some are killed", async (records) => {
  let outlets = 0;
  await fc.assert(
    fc.asyncProperty(outbox, async (plan) => {
      const sent = await sendAll(records, `outlet${++outlets}`, plan);
      assertEquals([sent.length, new Set(sent).size], Array(2).fill(plan.incidents.length));
      assertEquals((await records.messages.list({ state: "waiting", limit: 0 })).total, 0);
    }),
    { numRuns: { sqlite: 25, postgresql: 8 }[records.database.system] },
  );
});

test("four that claim polls at once share what is due, within the limit", async (records) => {
  const { watches, polls, commit } = records;
  await watches.add(Array.from({ length: 3 * MAX_POLLS }, (_, at) => at + 1), NOW);
  const polled = new Set<number>();
  while (await polls.anyDue(NOW)) {
    const claims = await Promise.all(HOLDERS.map((each) => polls.claim(each, NOW, NOW + 100)));
    const claimed = claims.flat();
    assertEquals(claimed.length, MAX_POLLS);
    for (const watch of claimed) {
      assert(!polled.has(watch.scheduleId));
      polled.add(watch.scheduleId);
      assert(await commit([endOfPoll(watch, { polled: NOW }, NOW + 500)]));
    }
  }
  assertEquals(polled.size, 3 * MAX_POLLS);
});

test("of several changes to one version of an incident, one is stored", async ({ incidents, commit }) => {
  await commit([insertIncident(incident("a"))]);
  for (let version = 1; version <= 3; version++) {
    const seen = (await incidents.get("a"))!;
    assertEquals(seen.version, version);
    const acknowledge = (_: string, acknowledged: number) =>
      commit([updateIncident({ ...seen, acknowledged, acknowledgedBy: ADA })]);
    const done = await Promise.all(HOLDERS.map(acknowledge));
    assertEquals(done.filter((isDone) => isDone).length, 1);
  }
});
