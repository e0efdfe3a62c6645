import { assert, assertEquals, assertObjectMatch } from "@std/assert";
import {
  dropWaiting,
  queueMessage,
  type StoredMessage,
} from "../../../../server/store/records/messages.ts";
import {
  incidentEvent,
  type ScheduleEventKind,
  watchEvent,
} from "../../../../server/store/records/events.ts";
import {
  insertIncident,
  type StoredIncident,
  updateIncident,
} from "../../../../server/store/records/incidents.ts";
import type { ObserverRecords } from "../../../../server/store/records/observer_records.ts";
import { putVerdict } from "../../../../server/store/records/verdicts.ts";
import { dueNow, endOfPoll, MAX_POLLS } from "../../../../server/store/records/polls.ts";
import { requireChannel } from "../../../../server/store/records/owners.ts";
import { sql } from "../../../../server/store/database/sql.ts";
import { readValue } from "../../../../server/store/records/transaction_step.ts";
import { testRecords } from "../on_both.ts";
import { runOn } from "../rows.ts";
import { incident, NOW, verdictOf } from "./stored_rows.ts";
import { ADA, BOB, BY_ADA } from "../../../actors.ts";

type Messages = ObserverRecords["messages"];

async function found(messages: Messages, id: string) {
  return (await messages.list({ limit: 99 })).items.find((each) => each.id === id)!;
}

/** The ids of messages, in their order. */
async function idsOf(messages: Messages, filter: Partial<Parameters<Messages["list"]>[0]> = {}) {
  return (await messages.list({ limit: 99, ...filter })).items.map(({ id }) => id).sort();
}

/** A message that waits to be sent, by default by mail and about no incident. */
function queued(id: string, more: Partial<StoredMessage> = {}) {
  const { created = NOW, due = created } = more;
  const message = { id, outlet: "mail", incidentId: null, event: "{}", created, ...more };
  return queueMessage(message, due!);
}

/** A claim of all that is due by mail. */
const CLAIM = { outlet: "mail", holder: "a", now: NOW, leaseUntil: NOW + 20, max: 9 };
const PLAN = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 0, since: 0 };
const AWAY = { failure: "away", failureKind: "broken" } as const;
const sentAt = (sent: number) => ({ due: null, sent, givenUp: null, error: null });
const failed = (error: string, due: number | null) => ({ due, sent: null, givenUp: null, error });

const test: typeof testRecords = (name, work) => testRecords(`records: ${name}`, work);

test("watches are known before, added once, changed, removed and forgotten", async (records) => {
  const { watches, polls, runs, verdicts, events, commit } = records;
  const known = { source: "found", watched: 0 } as const;
  const add = (ids: number[], name: string) => watches.add(ids, NOW, { name }, undefined, known);
  assertEquals([await add([9, 7, 7], "Sales"), await add([7], "Other")], [[9, 7], []]);
  assertEquals(await watches.get(7), undefined);
  assertEquals([await watches.unwatchedIds(1), await watches.unwatchedIds(9)], [[7], [7, 9]]);
  assertEquals((await polls.claim("a", NOW, NOW + 1)).map(({ watched }) => watched), [0, 0]);
  await commit([putVerdict(verdictOf(7))]);
  assertEquals(await watches.add([7, 8], NOW + 1, { owner: "Ada" }), [7, 8]);
  assertEquals([await watches.add([7], NOW + 2), (await verdicts.get(7))!.holdsUntil], [[], 0]);
  const ids = async (of?: number[]) => (await watches.list(of)).map((watch) => watch.scheduleId);
  assertEquals([await ids(), await ids([9, 5, 7]), await ids([])], [[7, 8], [7], []]);
  assertEquals(await watches.change(7, { plan: PLAN, mutedUntil: NOW + 5 }, NOW + 2), true);
  assertObjectMatch((await watches.get(7))!, {
    ...{ scheduleId: 7, watched: 1, source: "found", name: "Sales", title: "", owner: "Ada" },
    ...{ plans: [PLAN], pauses: [], mutedUntil: NOW + 5, created: NOW + 1, due: NOW + 2 },
    ...{ polled: null, failures: 0, failure: null },
  });
  const unchanged = [() => watches.change(7, () => null, NOW + 1), () => watches.change(70, {}, 1)];
  for (const change of unchanged) assertEquals(await change(), false);
  await records.read(7, runOn(1, 1));
  await watches.forget([7, 70]);
  for (let time = 0; time < 2; time++) await watches.remove([7, 70], BY_ADA);
  const did = (await events.latest(7, 9)).map(({ kind, actor }) => [kind, actor]);
  assertEquals(did, [["no longer watched", ADA]]);
  const [schedule] = (await watches.known([7])).values();
  assertEquals([await watches.get(7), schedule.owner, await runs.count(7)], [undefined, "Ada", 1]);
  await watches.forget([7, 8, 70]);
  const left = [...(await watches.known([7, 8])).keys()];
  assertEquals([left, await runs.count(7)], [[8], 1]);
});

test("plans are kept in order, one for the same times, and none is left to Docket", async ({ watches }) => {
  const planAt = (hour: number, since: number) => ({ ...PLAN, cron: [`0 ${hour} * * *`], since });
  const plans = async () => (await watches.known([7])).get(7)!.plans;
  const [first, second, third] = [planAt(6, 10), planAt(7, 20), planAt(8, 30)];
  await watches.add([7], NOW, { plan: first }, undefined, { watched: 0 });
  await watches.add([7], NOW, { plan: second });
  const changes = [{ scheduleId: 7, settings: { plan: third }, watched: 1 }] as const;
  await watches.saveAll(changes, { source: "file", events: [], now: NOW });
  assertEquals(await plans(), [first, second, third]);
  await watches.change(7, { plan: { ...planAt(8, 40), graceMs: 99 } }, NOW);
  assertEquals(await plans(), [first, second, { ...third, graceMs: 99 }]);
  for (let at = 0; at < 30; at++) await watches.change(7, { plan: planAt(at % 24, 70 + at) }, NOW);
  await watches.remove([7], BY_ADA);
  await watches.add([7], NOW);
  const kept = (await plans()).map(({ since }) => since);
  assertEquals([kept.length, kept[0], kept.at(-1)], [20, 80, 99]);
  await watches.change(7, { plan: null }, NOW);
  assertEquals(await plans(), []);
});

test("saveAll: adds and changes schedules with their events, and judges new plans again", async (records) => {
  const { watches, verdicts, events, commit } = records;
  await watches.add([1, 2], NOW, {}, undefined, { watched: 0 });
  await commit([1, 2].map((id) => putVerdict(verdictOf(id))));
  const event = { scheduleId: 3, incidentId: null, at: NOW, kind: "watched", note: null } as const;
  const changes = [
    { scheduleId: 3, settings: { name: "Sales" }, watched: 1 },
    { scheduleId: 1, settings: { plan: PLAN }, watched: 1 },
    { scheduleId: 2, settings: { owner: "Ada" }, watched: 0 },
  ] as const;
  const how = { source: "file", events: [{ ...event, actor: ADA }], now: NOW + 5 } as const;
  await watches.saveAll(changes, how);
  const known = [...(await watches.known([1, 2, 3])).values()]
    .map(({ watched, name, owner, due, created }) => [watched, name, owner, due, created]);
  assertEquals(known, [
    [1, "", "", NOW + 5, NOW + 5],
    [0, "", "Ada", NOW + 5, NOW],
    [1, "Sales", "", NOW + 5, NOW + 5],
  ]);
  const ends = [await verdicts.get(1), await verdicts.get(2)].map((each) => each?.holdsUntil);
  assertEquals([ends, (await events.latest(3, 1))[0].actor], [[0, NOW + 60], ADA]);
});

test("statuses: what people say wins over the setting, and that over known words", async ({ statuses }) => {
  const meanings = async () => {
    const { done, odd, new: newest } = await statuses.dictionary();
    return [done, odd, newest];
  };
  assertEquals(await meanings(), ["good", undefined, undefined]);
  await statuses.useSetting({ done: "bad", odd: "bad" }, NOW);
  await statuses.say({ ODD: "good" }, { actor: ADA, now: NOW });
  assertEquals(await meanings(), ["bad", "good", undefined]);
  await statuses.say({ odd: "good", new: "pending" }, { actor: BOB, now: NOW + 1 });
  const { said, setting } = await statuses.get();
  assertEquals([said.odd.by, said.odd.at, said.new.at, setting.odd], [ADA, NOW, NOW + 1, "bad"]);
  await statuses.useSetting({}, NOW);
  assertEquals(await meanings(), ["good", "good", "pending"]);
});

test("statuses: a meaning makes the schedules that have it due, and counts them again", async (records) => {
  const { statuses, receipts, watches } = records;
  await watches.add([1, 2], NOW);
  const read = (scheduleId: number, ...some: (string | null)[]) =>
    records.read(scheduleId, ...some.map((status, id) => ({ ...runOn(id, id), status })));
  await read(1, "Archived", "ARCHIVED", "success");
  await read(2, null, "ok");
  for (const id of await receipts.uncounted()) await receipts.count(id);
  const [none, archived] = ["", "ARCHIVED"].map((status) => ({ status, runs: 1, schedules: 1 }));
  assertEquals(await statuses.seen(2), { items: [none, archived], total: 5 });
  const unknown = async (ids?: number[]) =>
    (await statuses.unknown(ids)).map(({ status }) => status);
  assertEquals([await unknown(), await unknown([2])], [[null, "ARCHIVED", "Archived"], [null]]);
  await statuses.say({ archived: "good" }, { actor: ADA, now: NOW + 5 });
  assertEquals((await watches.list()).map(({ due }) => due), [NOW + 5, NOW]);
  assertEquals([await receipts.uncounted(), await unknown()], [[1], [null]]);
});

test("owners are saved with their channels, replaced, renamed and removed", async (records) => {
  const { owners, messages, watches, events, commit } = records;
  const channel = (id: string) => ({
    ...{ id, ownerKey: "finance", kind: "slack" as const },
    ...{ hint: "hooks.slack.com", sealed: "sealed", created: NOW },
  });
  const quiet = { from: "20:00", to: "07:00", zone: "UTC", holdsCritical: false };
  const owner = { name: "Finance", quiet, changed: NOW, actor: ADA };
  await owners.save(owner, { slack: channel("slack-1") });
  await watches.add([1, 2], NOW, { owner: "FINANCE" });
  await watches.add([3], NOW);
  await records.polls.makeDue([1, 2], NOW + 1);
  await commit([
    insertIncident(incident("a", { scheduleId: 1 })),
    queued("d", { outlet: "slack-1", incidentId: "a", due: NOW - 1 }),
    queued("held", { outlet: "slack-1", due: NOW + 9, heldUntil: NOW + 9 }),
  ]);
  const { sealed: _, ...shown } = channel("slack-1");
  assertEquals(await owners.get(" finance "), { ...owner, key: "finance", channels: [shown] });
  const owned = [{ name: "FINANCE", ids: [1, 2], open: 1 }];
  assertEquals([...(await owners.schedules()).values()], owned);
  await owners.save({ ...owner, quiet: null }, { slack: channel("slack-2") });
  assertEquals((await owners.sealedChannels()).map(({ id }) => id), ["slack-2"]);
  assertObjectMatch(await found(messages, "d"), { outlet: "slack-2", due: NOW - 1 });
  assertEquals((await found(messages, "held")).due, NOW);
  const other = { ...channel("slack-3"), ownerKey: "claims" };
  await owners.save({ ...owner, name: "Claims" }, { slack: other });
  const by = { actor: BOB, now: NOW + 1 };
  assertEquals(await owners.rename("Finance", "CLAIMS", by), false);
  assertEquals(await owners.rename("finance", "Money", by), true);
  const money = { actor: BOB, changed: NOW + 1, channels: [{ id: "slack-2" }] };
  assertObjectMatch((await owners.get("money"))!, money);
  for (
    const [id, changed, isDone] of [["slack-1", NOW, false], ["slack-2", NOW + 1, true]] as const
  ) {
    assertEquals(await commit([requireChannel(id, changed)]), isDone);
  }
  assertEquals((await owners.schedules()).get("money")?.ids, [1, 2]);
  assertEquals(await owners.remove("MONEY", by), true);
  const changes = (await events.latest(2, 9)).map(({ note, actor }) => `${note}, ${actor.name}`);
  assertEquals(changes, ["Owner removed: Money, Bob", "Owner: Money, Bob"]);
  assertEquals((await owners.list()).map(({ channels }) => channels.length), [1]);
  assertEquals(await owners.remove("Money", by), false);
  assertEquals((await found(messages, "d")).error, "The channel was removed");
});

test("mutedWithDue and dropWaiting take back what was muted before it was sent", async (records) => {
  const { incidents, messages, polls, watches, commit } = records;
  await watches.add([1], NOW);
  await polls.makeDue(1, NOW + 9);
  const all = ["muted", "sent", "merged", "free", "unwatched"];
  const of = (id: string) => ({
    ...{ scheduleId: id === "unwatched" ? 3 : 1, subject: id },
    ...id !== "free" && { mutedUntil: NOW + 5 },
  });
  const event = JSON.stringify({ type: "incident.opened" });
  await commit(all.flatMap((id) => [
    insertIncident(incident(id, of(id))),
    ...["mail", "slack"].map((outlet) =>
      queued(`${id}-${outlet}`, { incidentId: id, outlet, event })
    ),
  ]));
  const due = async (at: number) =>
    (await incidents.mutedWithDue("mail", at)).map(({ id }) => id).sort();
  assertEquals([await due(NOW), await due(NOW + 5)], [["merged", "muted", "sent"], []]);
  const take = async (id: string) => await commit([dropWaiting(id, NOW)]);
  await messages.claim({ ...CLAIM, outlet: "slack" });
  // Each may be sent at this moment.
  assertEquals(await take("muted"), false);
  await messages.finish("sent-slack", "a", sentAt(NOW));
  await messages.merge("free-slack", ["merged-slack"], "a");
  await messages.release(["muted-slack", "free-slack"], "a");
  const taken = await Promise.all(["muted", "sent", "merged", "free"].map(take));
  assertEquals(taken, [true, false, false, false]);
  assertEquals((await idsOf(messages)).length, 8);
  // What was sent before stays.
  const about = (await messages.about(["sent", "free"])).filter(({ sent }) => sent !== null);
  assertEquals(about.map(({ id }) => id), ["sent-slack"]);
  assertEquals(await commit([dropWaiting("sent", NOW + 1)]), true);
  assertEquals(await idsOf(messages, { incidentId: "sent" }), ["sent-slack"]);
});

test("calendars are for some schedules or for all, and verdicts are made again", async (records) => {
  const { calendars, verdicts, watches, events, commit } = records;
  await watches.add([1, 2], NOW);
  const calendar = { name: "Holidays", days: ["2026-12-25"], changed: NOW, actor: ADA };
  await commit([putVerdict(verdictOf(1))]);
  await calendars.save({ ...calendar, scheduleIds: null, changed: NOW + 1 });
  assertEquals((await watches.list()).map(({ due }) => due), [NOW + 1, NOW + 1]);
  const days = ["2026-12-24", "2026-12-25"];
  await calendars.save({ ...calendar, name: "Shutdown", days, scheduleIds: [1] });
  assertEquals([await calendars.daysFor(1), await calendars.daysFor(2)], [days, ["2026-12-25"]]);
  assertEquals((await verdicts.get(1))?.holdsUntil, 0);
  const remove = () => calendars.remove("holidays", { actor: BOB, now: NOW });
  assertEquals([await remove(), await remove()], [true, false]);
  const notes = (await events.latest(2, 9)).map(({ note, actor }) => `${note}, ${actor.name}`);
  assertEquals(notes, ["Calendar removed: Holidays, Bob", "Calendar: Holidays, Ada"]);
  assertEquals(await calendars.daysFor(1), days);
});

test("attention tells what needs somebody from what is acknowledged and muted", async (records) => {
  const { incidents, watches, commit } = records;
  await watches.add([1], NOW);
  await watches.add([2], NOW, { mutedUntil: NOW + 5 });
  const stored = [
    incident("warning", { scheduleId: 1, code: "slower", severity: "warning" }),
    incident("critical", { scheduleId: 1 }),
    incident("mine", { scheduleId: 1, code: "flaky", acknowledged: 1 }),
    incident("muted", { scheduleId: 3, mutedUntil: NOW + 5 }),
    incident("of-muted", { scheduleId: 2, acknowledged: 1 }),
  ];
  await commit(stored.map(insertIncident));
  const cases = [
    ["needed", NOW, "critical,warning"],
    ["acknowledged", NOW, "mine"],
    ["muted", NOW, "of-muted,muted"],
    ["muted", NOW + 5, ""],
  ] as const;
  for (const [kind, at, ids] of cases) {
    const { items } = await incidents.attention(kind, at, 9);
    assertEquals(items.map(({ id }) => id).join(), ids, kind);
  }
});

test("a watch begins and changes with its events, or not at all", async ({ watches, events }) => {
  const did = watchEvent("watched", { scheduleId: 1, actor: ADA, now: NOW });
  const undone = [did, () => Promise.resolve(false)];
  await watches.add([1], NOW, {}, undone);
  assertEquals([await watches.list(), await events.latest(1, 9)], [[], []]);
  await watches.add([1], NOW);
  assertEquals(await watches.change(1, { name: "Sales" }, NOW, undone), false);
  assertEquals([(await watches.get(1))?.name, await events.latest(1, 9)], ["", []]);
});

test("what is saved at once stays, and so does the end of the watch", async ({ watches, database }) => {
  await watches.add([7], NOW);
  const plans = [PLAN, { ...PLAN, cron: ["0 7 * * *"], since: NOW }];
  const others: Promise<unknown>[] = [];
  const startOthers = () => {
    others.push(watches.change(7, { plan: plans[1] }, NOW), watches.remove([7], BY_ADA));
    return { plan: plans[0] };
  };
  const waiting = sql`SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const letOthersWait = async () => {
    while (database.system === "postgresql" && await readValue<number>(database, waiting) < 2);
  };
  await watches.change(7, startOthers, NOW, [letOthersWait]);
  await Promise.all(others);
  const { watched, plans: kept } = (await watches.known([7])).get(7)!;
  assertEquals([watched, kept], [0, plans]);
});

test("events says who did what, also after the watch", async ({ events, commit }) => {
  const did = (kind: ScheduleEventKind, now: number, more = {}) =>
    watchEvent(kind, { scheduleId: 1, actor: ADA, now }, more);
  await commit([
    did("watched", NOW - 9),
    did("schedule muted", NOW, { note: "until noon" }),
    did("plan confirmed", NOW + 9, { incidentId: "i" }),
    watchEvent("watched", { scheduleId: 2, actor: BOB, now: NOW }),
  ]);
  const kinds = (events: readonly { kind: string }[]) => events.map(({ kind }) => kind);
  assertEquals(kinds(await events.latest(1, 2)), ["plan confirmed", "schedule muted"]);
  const muted = { scheduleId: 1, incidentId: null, at: NOW, kind: "schedule muted" } as const;
  const latest = await events.latest(1, 9, ["schedule muted"]);
  assertEquals(latest, [{ ...muted, actor: ADA, note: "until noon" }]);
  const during = async ({ id = "j", ...more }: Partial<StoredIncident>) =>
    kinds(await events.during(incident(id, { scheduleId: 1, ...more })));
  assertEquals(await during({}), ["schedule muted", "plan confirmed"]);
  assertEquals(await during({ resolved: NOW }), ["schedule muted"]);
  assertEquals(await during({ id: "i", opened: NOW + 10 }), ["plan confirmed"]);
  assertEquals([await during({ scheduleId: null }), await events.timeline("i")], [[], []]);
});

test("a lease ends a poll, unless it ran out or its schedule was changed", async (records) => {
  const { watches, polls, verdicts, commit } = records;
  await watches.add([1, 2], NOW);
  await watches.add([99], NOW + 1000);
  assertEquals([await polls.anyDue(NOW - 1), await polls.anyDue(NOW)], [false, true]);
  const [one, two] = await polls.claim("a", NOW, NOW + 100);
  await commit([endOfPoll(one, { polled: NOW + 5 }, NOW + 900)]);
  assertEquals((await watches.get(one.scheduleId))?.polled, NOW + 5);
  await polls.renew(["a"], NOW + 500);
  await polls.renew([], NOW + 900);
  assertEquals(await polls.claim("b", NOW + 499, NOW + 600), []);
  assertEquals((await polls.claim("b", NOW + 500, NOW + 600)).length, 1);
  assertEquals(await commit([endOfPoll(two, { polled: NOW + 500 }, NOW + 900)]), false);
  const { scheduleId } = two;
  for (const settings of [{ mutedUntil: NOW + 9 }, { pauses: [] }, { plan: PLAN }]) {
    await commit([putVerdict(verdictOf(scheduleId))]);
    const [watch] = await polls.claim("a", NOW + 600, NOW + 700);
    await watches.change(scheduleId, settings, NOW + 1);
    assertEquals(await commit([endOfPoll(watch, { polled: NOW + 2 }, NOW + 500)]), false);
    assertEquals((await watches.get(scheduleId))?.due, NOW + 1);
    assertEquals((await verdicts.get(scheduleId))!.holdsUntil !== 0, "mutedUntil" in settings);
  }
  assertEquals((await watches.get(99))!.due, NOW + 1000);
});

test("schedules are made due: some, any or all, also while they are polled", async (records) => {
  const { watches, polls, commit } = records;
  for (const id of [1, null]) assertEquals(await commit([dueNow(id, NOW)]), false);
  await watches.add([1, 2, 3], NOW);
  await watches.add([4], NOW, {}, undefined, { watched: 0 });
  const claimed = await polls.claim("a", NOW, NOW + 100);
  await polls.makeDue([2, 3, 9], NOW + 10);
  for (const watch of claimed) {
    await commit([endOfPoll(watch, { polled: NOW }, NOW + 500 + watch.scheduleId)]);
  }
  const dues = async () => {
    const known = await watches.known([1, 2, 3, 4]);
    return [1, 2, 3, 4].map((id) => known.get(id)?.due);
  };
  assertEquals(await dues(), [NOW + 501, NOW + 10, NOW + 10, NOW + 504]);
  assertEquals(await polls.nextDue(), NOW + 10);
  await polls.makeDue("watched", NOW + 50);
  assertEquals(await commit([dueNow(2, NOW + 5), dueNow(null, NOW + 4)]), true);
  assertEquals(await dues(), [NOW + 4, NOW + 5, NOW + 50, NOW + 504]);
  assertEquals(await commit([dueNow(4, NOW)]), false);
});

test("polls that fail are counted until one succeeds", async ({ watches, polls, commit }) => {
  // A single failure since an incident opened may be a blip; two in a row are not.
  const isUnread = (opened: number) => polls.anyUnread(["unreadable", "stale"], opened);
  type Outcome = Parameters<typeof endOfPoll>[1];
  /** Polls a schedule that is due then, with an outcome after which it is due again. */
  const poll = async (id: number, at: number, outcome: Outcome, due: number) => {
    const claimed = await polls.claim("a", at, at + 5);
    const watch = claimed.find(({ scheduleId }) => scheduleId === id)!;
    assertEquals(await commit([endOfPoll(watch, outcome, due)]), true);
  };
  const fail = (at: number) => poll(1, at, { failed: at, ...AWAY }, at);
  await watches.add([1, 2], NOW);
  assertEquals(await isUnread(NOW), false);
  await fail(NOW);
  assertEquals([await isUnread(NOW), await isUnread(NOW - 1)], [true, false]);
  await fail(NOW + 10);
  assertObjectMatch((await watches.get(1))!, { failures: 2, failingSince: NOW, failure: "away" });
  await poll(2, NOW + 20, { polled: NOW + 20 }, NOW + 40);
  const spans = [[1, 0, 20, true], [1, 0, 19, false], [1, 20, 99, false], [
    2,
    0,
    99,
    false,
  ]] as const;
  for (const [id, after, by, were] of spans) {
    assertEquals(await polls.wereOthersPolled(id, NOW + after, NOW + by), were);
  }
  assertEquals([await polls.readBefore(1), await polls.readBefore(2)], [2, undefined]);
  assertEquals([await polls.nextDue(), await isUnread(NOW - 1)], [NOW + 10, true]);
  await commit([insertIncident(incident("x", { scheduleId: 1, code: "stale" }))]);
  assertEquals(await isUnread(NOW), false);
  await poll(1, NOW + 50, { polled: NOW + 50 }, NOW + 90);
  assertObjectMatch((await watches.get(1))!, { failures: 0, failingSince: null, failure: null });
});

test("one incident of a family and subject is open for a schedule", async ({ incidents, events, commit }) => {
  const idsOf = (found: readonly StoredIncident[]) => found.map(({ id }) => id);
  assertEquals(await incidents.countOpen(), { critical: 0, warning: 0, info: 0 });
  assertEquals(await commit([insertIncident(incident("a"))]), true);
  const second = insertIncident(incident("b"));
  const opened = { incidentId: "b", at: NOW, kind: "opened", actor: null, note: null } as const;
  assertEquals(await commit([incidentEvent(opened), second]), false);
  assertEquals(await events.timeline("b"), []);
  // About the service as a whole likewise.
  const service = { scheduleId: null, code: "unreadable", family: "unreadable" } as const;
  assertEquals(await commit([insertIncident(incident("s", service))]), true);
  assertEquals(await commit([insertIncident(incident("t", service))]), false);
  assertEquals(idsOf(await incidents.open(null)), ["s"]);
  const resolved = { ...incident("a"), resolved: NOW + 5, reasonEnded: NOW + 5 };
  assertEquals(await commit([updateIncident(resolved), second]), true);
  assertEquals(await incidents.get("a"), { ...resolved, version: 2 });
  assertEquals(idsOf(await incidents.open(7)), ["b"]);
  for (const [after, recent] of [[3_600_000, ["a"]], [3_600_005, []]] as const) {
    const known = await incidents.known(7, NOW + after);
    assertEquals([idsOf(known.open), idsOf(known.recent)], [["b"], recent]);
  }
  const { items, total } = await incidents.list({ limit: 2 });
  assertEquals([idsOf(items), total], [["b", "s"], 3]);
  const filter = {
    scheduleId: 7,
    code: "failing",
    severity: "critical",
    state: "resolved",
  } as const;
  assertEquals(idsOf((await incidents.list({ ...filter, limit: 10 })).items), ["a"]);
  assertEquals(await incidents.countOpen(), { critical: 2, warning: 0, info: 0 });
  const causes = (await incidents.countByCode()).map(({ code, open }) => [code, open]);
  assertEquals(causes, [["failing", 1], ["unreadable", 1]]);
  assertEquals((await incidents.allOpen()).length, 2);
  // None reopens beside an open one; one of another family does.
  const ended = incident("t", { ...service, resolved: NOW });
  const other = incident("c", { scheduleId: 7, code: "overdue", resolved: NOW });
  await commit([ended, other].map(insertIncident));
  const reopen = (each: StoredIncident) => commit([updateIncident({ ...each, resolved: null })]);
  const reopened = [await reopen({ ...resolved, version: 2 }), await reopen(ended)];
  assertEquals([...reopened, await reopen(other)], [false, false, true]);
  assertEquals(await commit([updateIncident(ended)]), true);
});

test("messages are claimed, retried, given up, listed by their state, and sent again", async (records) => {
  const { messages, commit } = records;
  await commit([
    queued("1", { incidentId: "a", created: NOW + 1 }),
    queued("2", { incidentId: "b" }),
    queued("3", { incidentId: "a", outlet: "webhook" }),
    insertIncident(incident("a")),
    insertIncident(incident("b", { code: "late" })),
  ]);
  const claim = (now: number) => messages.claim({ ...CLAIM, now });
  assertEquals((await claim(NOW + 1)).map(({ id, attempts }) => id + attempts), ["21", "11"]);
  await messages.finish("1", "a", sentAt(NOW + 2));
  await messages.finish("2", "a", failed("status 500", NOW + 30));
  assertEquals(await claim(NOW + 29), []);
  const [again] = await claim(NOW + 30);
  assertEquals([again.id, again.attempts, again.error], ["2", 2, "status 500"]);
  await messages.finish("2", "a", { ...failed("gone", null), givenUp: NOW + 31 });
  const filters = [
    [{ state: "waiting" }, "3"],
    [{ state: "sent" }, "1"],
    [{ state: "given-up" }, "2"],
    [{ outlet: "mail" }, "12"],
    [{ outlet: "mail", limit: 1 }, "1"],
    [{ incidentId: "a" }, "13"],
  ] as const;
  for (const [filter, ids] of filters) assertEquals((await idsOf(messages, filter)).join(""), ids);
  for (const [id, is] of [["2", true], ["9", false]] as const) {
    assertEquals(await messages.sendAgain(id, NOW + 60), is);
  }
  assertObjectMatch(await found(messages, "2"), { due: NOW + 60, sent: null, givenUp: null });
  await messages.hold("mail", "b", NOW + 60);
  assertEquals((await found(messages, "2")).due, NOW + 60_060);
});

test("claim: what a round of polls changes waits for its end, at most a minute", async (records) => {
  const { messages, polls, watches, commit } = records;
  await watches.add([1, 2], NOW);
  await commit([
    queued("a", { incidentId: "1" }),
    queued("b", { incidentId: "2" }),
    queued("test"),
  ]);
  const claim = async (now: number) =>
    (await messages.claim({ ...CLAIM, now, leaseUntil: now })).map(({ id }) => id).join();
  assertEquals([await messages.dueOutlets(NOW), await claim(NOW)], [["mail"], "test"]);
  // Another instance polls them.
  await polls.claim("other", NOW, NOW + 9000);
  await polls.makeDue([1, 2], NOW + 86_400_000);
  assertEquals([await claim(NOW + 8999), await claim(NOW + 9000)], ["test", "a,b,test"]);
  await polls.makeDue([1], NOW);
  assertEquals([await claim(NOW + 59_999), await claim(NOW + 60_000)], ["test", "a,b,test"]);
});

test("duties are claimed once, again when due, and after a clock was set back", async ({ duties }) => {
  const three = await Promise.all([1, 2, 3].map(() => duties.claim("beat", NOW, NOW + 60)));
  assertEquals(three.filter((each) => each).length, 1);
  const claims = [[59, 99, false], [60, 120, true], [-60, 0, true], [-59, 1, false]] as const;
  for (const [after, next, isClaimed] of claims) {
    assertEquals(await duties.claim("beat", NOW + after, NOW + next), isClaimed);
  }
  await duties.setDue("beat", 0);
  assertEquals(await duties.claim("beat", NOW - 59, NOW + 1), true);
});

test("facts about the service: the first identity stays, others are replaced", async ({ service }) => {
  const claims = ["one", "another"].map((identity) => service.getOrStore("identity", identity));
  const [claimed, again] = await Promise.all(claims);
  assertEquals(claimed, again);
  await service.store({ origin: "http://a", pausedUntil: 5 });
  await service.store({ origin: "http://b" });
  const { identity, origin, pausedUntil, clockOffsets } = await service.get();
  assertEquals([identity, origin, pausedUntil, clockOffsets], [claimed, "http://b", 5, null]);
  assert((await service.get()).id.length > 30);
});

const HOLDERS = ["a", "b", "c", "d"];
const LEASE_MS = 10;

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
