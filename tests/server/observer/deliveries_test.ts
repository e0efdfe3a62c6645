/** What each receiver is sent of incidents, whatever schedules, people and receivers do meanwhile. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { HOUR, MINUTE, SECOND } from "../../../lib/time_units.ts";
import type { IncidentAction } from "../../../server/actions/act_on_incident.ts";
import { isProblemError } from "../../../server/http/problem.ts";
import type { OutletEvent } from "../../../server/observer/event.ts";
import { createOutletRegistry } from "../../../server/observer/outlet_registry.ts";
import { type Outlet, OutletError } from "../../../server/observer/outlets/outlet.ts";
import { queueUnsent } from "../../../server/observer/queue_unsent.ts";
import { ADA } from "../../actors.ts";
import { SYSTEMS } from "../store/on_both.ts";
import { HOOK, outletOf, START, WEBHOOK, withWorld, type World } from "./world.ts";

const IDS = [1, 2, 3];
/** Incidents of a schedule without an owner are sent by the default outlets. */
const OWNERS = ["Finance", "Sales", ""];
const OFTEN = [
  ...["fails", "succeeds", "muted", "schedule muted"] as const,
  ...["changed", "unreachable", "reachable"] as const,
];
const SELDOM = ["acknowledged", "resolved", "reopened", "owned", "removed"] as const;

/** Something that happens to a schedule or the receiver of an owner, and how long until the next. */
interface Step {
  readonly what: typeof OFTEN[number] | typeof SELDOM[number];
  readonly id: number;
  readonly owner: string;
  readonly minutes: number;
}

/** Most happens to one schedule and one owner. */
const anySteps = fc.constantFrom(0, 1, 2).chain((at): fc.Arbitrary<readonly Step[]> => {
  const step = fc.record({
    what: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...OFTEN) },
      fc.constantFrom(...SELDOM),
    ),
    id: fc.constantFrom(...IDS, IDS[at], IDS[at]),
    owner: fc.constantFrom(...OWNERS, OWNERS[at], OWNERS[at]),
    minutes: fc.integer({ min: 1, max: 60 }),
  });
  return fc.array(step, { minLength: 8, maxLength: 20 });
});

/** It ends, gets another owner, and is open again: who knows of its end is sent nothing more. */
const AGAIN = (["fails", "resolved", "owned", "reopened", "acknowledged"] as const)
  .map((what) => ({ what, id: 1, owner: "Sales", minutes: 5 }));

/** From the second one on there are quiet hours: what they hold is replaced by the next message. */
const HELD = (["succeeds", "fails", "succeeds"] as const)
  .map((what) => ({ what, id: 1, owner: "Finance", minutes: 60 }));

/** What an unreachable channel was not sent, and is muted then, is sent once that ends. */
const MUTED = (["fails", "unreachable", "succeeds", "schedule muted", "reachable"] as const)
  .map((what) => ({ what, id: 1, owner: "Finance", minutes: 5 }));

/** An owner without a channel is no dead end. */
const REMOVED = (["removed", "fails"] as const)
  .map((what) => ({ what, id: 1, owner: "Finance", minutes: 4 }));

/** The quiet hours of each owner. */
const QUIET = { from: "01:00", to: "03:00", zone: "UTC", holdsCritical: true };
const isQuiet = (at: number) => at >= START + HOUR && at < START + 3 * HOUR;

/** A world, and a model of what its receivers know. */
function createModel(world: World, outlets: Outlet[]) {
  const { records, now, answers } = world;
  const owners = new Map<number, string>();
  /** The present channel of each owner; mail for none. One that is changed is another. */
  const receivers = new Map<string, string>();
  /** Those that could not be reached for a while: what waits is sent to those that replace them. */
  const broken = new Set<string>();
  const replaced = new Map<string, readonly string[]>();
  /** Until when schedules and incidents are muted. */
  const muted = new Map<unknown, number>();
  /** Schedules whose last run failed, and of those the ones whose incident somebody resolved. */
  const failing = new Set<number>();
  const settled = new Set<number>();
  /** Receivers with the schedules whose incidents went to them at some time. */
  const routed = new Set<string>();
  /** Receivers with the incidents that are open as far as they know. */
  const known = new Set<string>();
  let mail = "";
  let delivered: { readonly at: number; readonly to: string; readonly event: OutletEvent }[] = [];

  /** The outlet that has this receiver. */
  function outletTo(name: string, to: string): Outlet {
    const { groupOf, send } = outletOf(name, (messages) => {
      if (answers.has(to)) return Promise.reject(new OutletError("away"));
      delivered.push(...messages.map(({ event }) => ({ at: now(), to, event })));
      return Promise.resolve();
    });
    return { name, receiver: to, groupOf, send };
  }
  outlets.push(outletTo("webhook", "webhook"));

  async function run({ id }: Step, status: "success" | "failure"): Promise<void> {
    if (status === "failure") failing.add(id);
    else for (const each of [failing, settled]) each.delete(id);
    world.run(id, now() - MINUTE, { status });
    await records.polls.makeDue(id, now());
  }

  /** Does something with the latest incident of a schedule, if its state allows it. */
  async function act(kind: IncidentAction["kind"], { id, minutes }: Step): Promise<void> {
    const { items: [latest] } = await records.incidents.list({ scheduleId: id, limit: 1 });
    if (!latest) return;
    const until = kind === "muted" ? now() + minutes * MINUTE : undefined;
    try {
      await world.act(kind, { of: id, until });
      if (until) muted.set(latest.id, until);
      if (kind === "resolved") settled.add(id);
      if (kind === "reopened") settled.delete(id);
    } catch (error) {
      if (!isProblemError(error)) throw error;
    }
  }

  const happenings: Readonly<Record<Step["what"], (step: Step) => unknown>> = {
    fails: (step) => run(step, "failure"),
    succeeds: (step) => run(step, "success"),
    muted: (step) => act("muted", step),
    "schedule muted": ({ id, minutes }) => {
      const mutedUntil = now() + minutes * MINUTE;
      muted.set(id, mutedUntil);
      return records.watches.change(id, { mutedUntil }, now());
    },
    unreachable({ owner }) {
      const to = receivers.get(owner) ?? "";
      broken.add(to);
      answers.set(to, 500);
    },
    reachable: () => answers.clear(),
    acknowledged: (step) => act("acknowledged", step),
    resolved: (step) => act("resolved", step),
    reopened: (step) => act("reopened", step),
    owned({ id, owner }) {
      owners.set(id, owner);
      // The name counts whatever its case.
      return records.watches.change(id, { owner: owner.toUpperCase() }, now());
    },
    async changed({ owner }) {
      const before = receivers.get(owner);
      // Mail that was removed comes back as it was.
      const to = owner === "" && !before && mail ||
        `${owner ? HOOK : "mail"}${crypto.randomUUID()}`;
      if (before && broken.has(before)) {
        replaced.set(to, [before, ...replaced.get(before) ?? []]);
      }
      receivers.set(owner, to);
      const channels = { webhook: WEBHOOK.replace(HOOK, to) };
      if (owner) return await world.own(owner, [], { channels, quiet: QUIET });
      outlets.splice(1, 1, outletTo("mail", to));
      mail = to;
    },
    async removed({ owner, minutes }) {
      receivers.delete(owner);
      if (!owner) outlets.splice(1);
      else if (minutes % 2) await records.owners.remove(owner, { actor: ADA, now: now() });
      else await world.own(owner, [], { channels: { webhook: null } });
    },
  };

  /** Who is sent a schedule's incidents: its owner, or without a channel of theirs the default outlets. */
  function receiversOf(id: number): (string | undefined)[] {
    const owner = owners.get(id) ?? "";
    const channel = receivers.get(owner);
    return owner && channel ? [channel] : ["webhook", receivers.get("")];
  }

  /** All that was delivered since this was called. */
  function takeDelivered() {
    const byChannels = world.slack.splice(0).flatMap(({ at, url: to, all }) => {
      const { data, ...rest } = JSON.parse(all);
      const changes: readonly unknown[] = [data, ...data.others ?? []];
      const events = data.events ?? changes.map((data) => ({ ...rest, data }));
      return events.map((event: OutletEvent) => ({ at, to, event }));
    });
    const all = [...delivered, ...byChannels];
    delivered = [];
    return all;
  }

  /** Lets time pass; nothing is delivered that is muted, held by quiet hours, or not in turn. */
  async function pass(until: number): Promise<void> {
    // Two processes do it at once.
    await Promise.all([1, 2].map(async () => {
      await createOutletRegistry({ ...world.services, outlets, now }).refresh();
      await queueUnsent(world.services, now());
    }));
    for (const id of IDS) for (const to of receiversOf(id)) routed.add(`${to} ${id}`);
    await world.until(until);
    const digest = new Set<string>();
    for (
      const { at, to, event: { type, timestamp, data: { incident, schedule } } } of takeDelivered()
    ) {
      const said = `${type} of ${incident.id} to ${to}`;
      const key = (receiver: string) => `${receiver} ${incident.id}`;
      for (const each of [incident.id, schedule?.id]) {
        assert(at >= (muted.get(each) ?? 0), `${said}, which is muted`);
      }
      assert(!schedule || routed.has(`${to} ${schedule.id}`), `${said}, whom it is no matter of`);
      const isOpen = type === "incident.opened"
        ? known.has(key(to))
        : [to, ...replaced.get(to) ?? []].some((each) => known.has(key(each)));
      if (to.startsWith(HOOK) && isQuiet(Date.parse(timestamp))) {
        // What is held is replaced by the next message about its incident.
        assert(!isQuiet(at) && !digest.has(key(to)), `${said}, who has quiet hours`);
        digest.add(key(to));
      } else if (schedule !== null || type !== "incident.opened") {
        // More channels may fail than it knows: then that is opened again for it.
        assertEquals(isOpen, type !== "incident.opened", said);
      }
      if (type === "incident.resolved") known.delete(key(to));
      else known.add(key(to));
    }
  }

  /** In the end, what fails is open, everybody knows that, and nobody takes for open what is over. */
  async function assertKnown(): Promise<void> {
    for (const id of IDS) {
      const open = (await records.incidents.open(id)).filter(({ code }) => code === "failing");
      assertEquals(open.length, failing.has(id) && !settled.has(id) ? 1 : 0, `${id} fails`);
    }
    const { items } = await records.incidents.list({ limit: 99 });
    for (const { id, scheduleId, resolved } of items) {
      const present = receiversOf(scheduleId!);
      for (const to of ["webhook", ...receivers.values()]) {
        const isKnown = known.has(`${to} ${id}`);
        if (resolved !== null) assertEquals(isKnown, false, `${id} is over for ${to}`);
        // That a channel fails is sent by others.
        else if (present.includes(to) && scheduleId) assert(isKnown, `${id} is open for ${to}`);
      }
    }
  }
  return { happenings, pass, assertKnown };
}

function play(steps: readonly Step[], database: World["database"]): Promise<void> {
  const outlets: Outlet[] = [];
  return withWorld(IDS, async (world) => {
    const { happenings, pass, assertKnown } = createModel(world, outlets);
    const begin = IDS.flatMap((id, at) =>
      (["changed", "owned"] as const).map((what) => ({ what, id, owner: OWNERS[at], minutes: 0 }))
    );
    for (const step of [...begin, ...steps]) {
      await happenings[step.what](step);
      await pass(world.now() + 3 * SECOND);
      await pass(world.now() + step.minutes * MINUTE);
    }
    world.answers.clear();
    await pass(Math.max(world.now(), START + 3 * HOUR) + 5 * HOUR);
    await assertKnown();
  }, { plans: () => null, everyMs: HOUR, outlets, database });
}

for (const [system, withDatabase] of Object.entries(SYSTEMS)) {
  Deno.test(`observer: each receiver knows once, in turn and in time what is open (${system})`, () =>
    fc.assert(
      fc.asyncProperty(anySteps, (steps) => withDatabase((database) => play(steps, database))),
      {
        numRuns: system === "SQLite" ? 40 : 3,
        endOnFailure: true,
        examples: [[AGAIN], [HELD], [MUTED], [REMOVED]],
      },
    ));
}
