/** What muting an incident or a schedule keeps from being sent, and what follows when it ends. */
import { assertEquals } from "@std/assert";
import { HOUR, MINUTE } from "../../../lib/time_units.ts";
import { OutletError } from "../../../server/observer/outlets/outlet.ts";
import {
  failOnce,
  outletOf,
  runWell,
  SLACK,
  START,
  watchUntil,
  WEBHOOK,
  withWorld,
  type World,
} from "./world.ts";

/** Ways to mute what is open of a schedule until then: the incident, or the whole schedule. */
const MUTINGS = {
  incident: (world: World, until: number, id: number) => world.act("muted", { of: id, until }),
  schedule: ({ records, now }: World, mutedUntil: number, id: number) =>
    records.watches.change(id, { mutedUntil }, now()),
};

/** The channels that were sent something, in the order of their names. */
const channels = ({ slack }: World) => slack.map(({ url }) => url.slice(SLACK.length)).toSorted();

for (const [which, mute] of Object.entries(MUTINGS)) {
  Deno.test(`queueUnsent: a new channel and a retry wait until the muting of the ${which} ends`, () =>
    withWorld([1, 2], async (world) => {
      await world.own("First", [1]);
      await world.own("Broken", [2]);
      world.answers.set(`${SLACK}Broken`, 500);
      await failOnce(world, [1, 2]);
      for (const id of [1, 2]) {
        for (const hour of [1, 2]) world.run(id, START + hour * HOUR, { status: "failure" });
      }
      await watchUntil(world, START + 5 * MINUTE);
      for (const id of [1, 2]) await mute(world, START + 2 * HOUR, id);
      await world.own("Second", [1]);
      world.answers.clear();
      await watchUntil(world, START + 2 * HOUR - 1);
      assertEquals(channels(world), ["First"]);
      for (const minutes of [3, 30]) {
        await watchUntil(world, START + 2 * HOUR + minutes * MINUTE);
        assertEquals(channels(world), ["Broken", "First", "Second"]);
      }
    }));
}

Deno.test("overSince: a muted end is sent once, later; what a person sends again, at once", () =>
  withWorld([1], async (world) => {
    runWell(world, 1, START - 30 * HOUR, 30);
    await watchUntil(world, START + 10 * MINUTE);
    await world.act("muted", { until: START + 2 * HOUR + 10 * MINUTE });
    const { items: [{ id }] } = await world.records.messages.list({ limit: 1 });
    await world.records.messages.sendAgain(id, world.now());
    for (const late of [20 * MINUTE, HOUR, 2 * HOUR]) world.run(1, START + late);
    await watchUntil(world, START + 30 * MINUTE);
    world.sleepUntil(START + 45 * MINUTE);
    await watchUntil(world, START + 3 * HOUR);
    const sent = world.notified().map((each, at) =>
      `${each} ${Math.round((world.sent[at].at - START) / MINUTE)}`
    );
    assertEquals(sent, ["opened overdue 1 5", "opened overdue 1 10", "resolved overdue 1 130"]);
  }));

Deno.test("createOutbox: what an outlet awaits is sent after muting, a start before its end", () => {
  const sent: string[] = [];
  let refused: readonly number[] = [1];
  const mail = outletOf("mail", ([{ event: { type, data: { schedule } } }]) => {
    if (refused.includes(schedule!.id)) return Promise.reject(new OutletError("No"));
    sent.push(`${type} ${schedule!.id}`);
    return Promise.resolve();
  });
  return withWorld([1, 2], async (world) => {
    await world.observer.share();
    await failOnce(world, [1, 2]);
    await world.act("muted", { until: START + 40.5 * MINUTE });
    refused = [1, 2];
    await world.act("resolved", { of: 2 });
    await watchUntil(world, START + 4 * MINUTE);
    await world.act("reopened", { of: 2 });
    await world.act("muted", { of: 2, until: START + 40.5 * MINUTE });
    refused = [];
    for (const id of [1, 2]) world.run(id, START + 30 * MINUTE);
    await watchUntil(world, START + 40 * MINUTE);
    assertEquals(sent, ["incident.opened 2"]);
    await watchUntil(world, START + 45 * MINUTE);
    for (const id of [1, 2]) {
      const about = sent.filter((each) => each.endsWith(`${id}`));
      assertEquals(about, [`incident.opened ${id}`, `incident.resolved ${id}`]);
    }
  }, { outlets: [outletOf("pager"), mail] });
});

Deno.test("createOutbox: what quiet hours hold waits for a muting, unless it is over then", () =>
  withWorld([1, 2, 3], async (world) => {
    const quiet = { from: "22:00", to: "02:00", zone: "UTC", holdsCritical: true };
    const channels = { slack: `${SLACK}First`, webhook: WEBHOOK };
    await world.own("First", [1, 2], { quiet, channels });
    await world.own("Second", [3], { quiet: { ...quiet, to: "07:00", holdsCritical: false } });
    runWell(world, 3, START - 30 * HOUR, 31);
    runWell(world, 3, START + 2 * HOUR, 9);
    runWell(world, 2, START + HOUR, 9, { status: "failure" });
    runWell(world, 1, START + HOUR, 2, { status: "failure" });
    runWell(world, 1, START + 2.5 * HOUR, 9);
    await failOnce(world, [1, 2]);
    await world.act("muted", { of: 1, until: START + 3 * HOUR });
    // That the third is overdue is critical, and that it has passed is held.
    await watchUntil(world, START + 2 * HOUR + 10 * MINUTE);
    const words = () =>
      world.slack.filter(({ url }) => url === `${SLACK}Second`).map(({ text }) =>
        text.split(" UTC")[0]
      );
    const told = ["Schedule 3: due Tue 10 Mar 01:00"];
    assertEquals(words(), told);
    await world.act("muted", { of: 3, until: START + 9 * HOUR + MINUTE });
    await watchUntil(world, START + 3 * HOUR + 4 * MINUTE);
    // Both channels of the first were sent that of the other schedule.
    const sent = world.slack.flatMap((
      { all },
    ) => [...new Set(all.match(/Schedule [12].*? runs?/g))]);
    assertEquals(sent, ["Schedule 2: failing for 2 runs", "Schedule 2: failing for 2 runs"]);
    await watchUntil(world, START + 9 * HOUR);
    assertEquals(words(), told);
    await watchUntil(world, START + 9 * HOUR + 2 * MINUTE);
    assertEquals(words(), [...told, "Schedule 3: missed the run of Tue 10 Mar 01:00"]);
  }));
