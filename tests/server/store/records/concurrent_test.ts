/** What the records must hold when several processes use them at once, on every database. */
import { assert, assertEquals } from "@std/assert";
import { insertIncident, updateIncident } from "../../../../server/store/records/incidents.ts";
import { queueMessage } from "../../../../server/store/records/messages.ts";
import { endOfPoll, MAX_POLLS } from "../../../../server/store/records/polls.ts";
import { ADA } from "../../../actors.ts";
import { testRecords } from "../on_both.ts";
import { incident, NOW } from "./incident.ts";

const HOLDERS = ["a", "b", "c", "d"];
const LEASE_MS = 10;

const test: typeof testRecords = (name, work) => testRecords(`records: ${name}`, work);

test("four holders send each message once and in turn, though some are killed", async (records) => {
  const { messages, commit } = records;
  const outlet = "mail";
  // About one incident, another one, and none.
  const queued = Array.from({ length: 12 }, (_, at) => ({
    id: String(at),
    incidentId: ["x", "y", null][at % 3],
  }));
  const event = { outlet, event: "{}", created: NOW };
  await commit(queued.map((each) => queueMessage({ ...each, ...event }, NOW)));
  const sent: string[] = [];
  /** Whether all earlier messages about the same incident are sent. */
  const isInTurn = (
    { id, incidentId }: { readonly id: string; readonly incidentId: string | null },
  ) =>
    queued.slice(0, Number(id)).every((earlier) =>
      incidentId === null || earlier.incidentId !== incidentId || sent.includes(earlier.id)
    );
  let attempts = 0;
  for (let now = NOW; sent.length < queued.length; now += LEASE_MS) {
    assert(now < NOW + 50 * LEASE_MS, "some were never claimed");
    const claim = { outlet, now, leaseUntil: now + LEASE_MS, max: 3 };
    const claims = await Promise.all(HOLDERS.map((holder) => messages.claim({ ...claim, holder })));
    const ids = claims.flat().map(({ id }) => id);
    assertEquals(new Set(ids).size, ids.length, "one was claimed twice");
    assertEquals(claims.flat().filter((each) => !isInTurn(each)), []);
    for (const [at, claimed] of claims.entries()) {
      for (const { id } of claimed) {
        const done = { due: null, sent: now, givenUp: null, error: null };
        // Who has not the lease changes nothing.
        await messages.finish(id, "another", done);
        const fate = ["failed", "sent", "killed", "sent"][attempts++ % 4];
        if (fate === "sent") sent.push(id);
        const outcome = fate === "sent" ? done : { ...done, due: now + LEASE_MS, sent: null };
        if (fate !== "killed") await messages.finish(id, HOLDERS[at], outcome);
      }
    }
    for (const each of (await messages.list({ outlet, state: "waiting", limit: 99 })).items) {
      assertEquals(each.isInTurn, isInTurn(each));
    }
  }
  assertEquals(new Set(sent).size, queued.length);
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
