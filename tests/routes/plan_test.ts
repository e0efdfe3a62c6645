/** The page of a schedule's plan: preview, confirm, and back to the inferred one. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Answer, assertAnswer, type Person, withPerson } from "../app.ts";
import { actorText } from "../../lib/actor.ts";
import { watchEvent } from "../../server/store/records/events.ts";
import { BOB } from "../actors.ts";

const PATH = "/schedules/101/plan";
const FIELDS = {
  cron: "30 5 * * 1-5\n0 9 * * 6",
  zone: "Europe/Berlin",
  grace: "45",
  weeks: "1",
  weeksFrom: "",
  pauses: "2026-12-24 to 2027-01-01\n2027-05-01",
  // None of the sample's runs starts then.
  anyway: "yes",
};
const ADA = { name: "Ada" };

/** A person who is signed in, and sends the form of a plan. */
function withPlan(
  test: (
    person: Person & {
      send(form: Record<string, string>): Promise<Answer>;
      /** The address of a preview. */
      preview(form: Record<string, string>): string;
    },
  ) => Promise<void>,
): Promise<void> {
  return withPerson((person) =>
    test({
      ...person,
      send: (form) => person.post(PATH, { ...FIELDS, ...ADA, action: "confirm", ...form }),
      preview: (form) => `${PATH}?${new URLSearchParams({ ...FIELDS, ...form })}`,
    })
  );
}

Deno.test("[e2e] GET /schedules/:id/plan: once it is confirmed, nobody is asked", () =>
  withPlan(async ({ records, get }) => {
    const path = "/schedules/102/plan";
    assertAnswer(await get(path), 200, "Failed, started on time", "Confirm the plan");
    const times = { cron: ["30 5 * * *"], zone: "UTC", graceMs: 300_000, since: Date.now() };
    const plan = { ...times, confirmed: Date.UTC(2026, 1, 3) };
    await records.watches.add([102], Date.now(), { plan });
    // Confirmed with the times of the inferred plan, it judges what was before.
    const said = (await get(path)).text.match(
      /Confirm the plan|before this plan|notice warning|class="change" open|>[^<]*3 Feb[^<]*/g,
    );
    assertEquals(said, [">Tue 3 Feb 00:00"]);
  }));

Deno.test("[e2e] GET /schedules/:id/plan: a preview says which incidents another plan would open", () =>
  withPlan(async ({ get, post, preview }) => {
    const other = { cron: "15 4 1 * *", grace: "5", zone: "UTC", pauses: "" };
    // The button sends a name with it, which gets into no URL.
    const named = await post("/schedules/101/plan", { ...other, name: "Ada", backtest: "yes" });
    assertAnswer(named, 200, "Watching the last 400 runs with it", ' value="Ada"');
    assertEquals(named.text.match(/formmethod="get"/g), null);
    const misfit = '<p class="notice warning">Does the plan fit? ';
    assertAnswer(await get(preview(other)), 200, '<details class="change" open>', misfit);
    // Nothing is due on the days that the form skips.
    const daily = { ...other, cron: "15 4 * * *" };
    const skipped = await get(preview({ ...daily, pauses: "2020-01-01 to", backtest: "yes" }));
    assertAnswer(skipped, 200, "would have opened 0 incidents, and with the present plan");
    // Where no plan stands, there is none to compare with.
    const unplanned = preview({ ...other, backtest: "yes" }).replace("/101/", "/107/");
    assertMatch((await get(unplanned)).text, /would have opened \d+ incidents?\./);
    const minutely = await get(preview({ cron: "* * * * *", backtest: "yes" }));
    assertAnswer(minutely, 200, "The plan is due too often for a backtest");
  }));

Deno.test("[e2e] GET /schedules/:id/runs/:run: a run is due by the plan that held then", () =>
  withPlan(async ({ app, records: { watches }, get, read }) => {
    const runs = await app.services.store!.reportSchedules.history(102, { limit: 52 });
    const [second, first] = [runs[25], runs[51]];
    // The first run was due a little before its plan was confirmed, a thousand planned runs ago.
    const since = Date.parse(first.startTime!);
    const plan = { cron: ["30 * * * *"], zone: "UTC", graceMs: 300_000, since };
    await watches.add([102], Date.now(), { plan });
    const later = { cron: ["30 5,17 * * *"], since: Date.parse(second.startTime!) - 3_600_000 };
    for (const changed of [later, { cron: ["0 9 * * *"], since: Date.now() }]) {
      await watches.change(102, { plan: { ...plan, ...changed } }, Date.now());
    }
    for (const [{ id }, words] of [[first, "hourly"], [second, "daily at 05:30"]] as const) {
      const due = `Due [\\w ]+ 05:30 \\(${words}[\\w: ]*, confirmed\\), started on time\\.`;
      assertMatch(await read(`/schedules/102/runs/${id}`), new RegExp(due));
    }
    assertAnswer(await get("/schedules/102/plan"), 200, "0 9 * * *");
  }));

Deno.test("[e2e] pages of a schedule: a button confirms the plan that they show", () =>
  withPerson(
    async ({ records: { watches }, get, post }) => {
      for (const [id, page] of [[104, ""], [102, "/recipients"]] as const) {
        const path = `/schedules/${id}/plan`;
        const { text } = await get(`/schedules/${id}${page}`);
        const [form] = text.match(/<form(?:(?!<form).)*?>Confirm the plan<.*?<\/form>/s)!;
        assertStringIncludes(form, `action="${path}"`);
        const fields = [...form.matchAll(/name="(\w+)"[^>]* value="([^"]*)"/g)]
          .map(([, name, value]) => [name, value]);
        assertAnswer(await post(path, [...fields, ["name", "Ada"]]), 303);
        assertEquals((await watches.get(id))!.plans.length, 1);
      }
    },
    {},
    { isWatched: true },
  ));

Deno.test("[e2e] POST /schedules/:id/plan: a plan that fits no run is saved only with a tick", () =>
  withPlan(async ({ records: { watches }, send, post }) => {
    const { anyway: _, ...untold } = { ...FIELDS, ...ADA };
    const odd = { cron: "15 23 * * *" };
    const refused = await post(PATH, { ...untold, ...odd, action: "confirm" });
    assertAnswer(refused, 400, "none of the latest runs fits this plan", 'name="anyway"');
    assertEquals(await watches.list(), []);
    assertAnswer(await send(odd), 303);
  }));

Deno.test("[e2e] GET /schedules/:id/plan: opens whatever plan was saved", () =>
  withPlan(async ({ records, get }) => {
    const crowded = ["* * * * *", "* * * * *"];
    const plan = { cron: crowded, zone: "UTC", graceMs: 600_000, since: Date.now() - 3_600_000 };
    await records.watches.add([101], Date.now(), { plan });
    for (const page of [PATH, "/schedules/101", "/"]) assertAnswer(await get(page), 200);
  }));

Deno.test("[e2e] POST /schedules/:id/plan: confirms a plan, which pages then use, and undoes it", () =>
  withPlan(async ({ records: { watches, events }, get, send, post }) => {
    const confirmed = await send({ name: "Ada Lovelace" });
    assertEquals(confirmed.to, PATH);
    assertStringIncludes(confirmed.headers.getSetCookie().join(), "docket_name=name=Ada+Lovelace");
    const { plans: [{ confirmed: _, ...plan }], pauses } = (await watches.get(101))!;
    const cron = ["30 5 * * 1-5", "0 9 * * 6"];
    assertEquals(plan, { cron, zone: "Europe/Berlin", graceMs: 45 * 60_000, since: plan.since });
    assertEquals(pauses.length, 2);
    const words = "Weekdays at 04:30; Saturdays at 08:00 (planned in Europe/Berlin)";
    assertAnswer(await get("/schedules/101"), 200, "plan confirmed", words);
    const done = watchEvent("watch changed", { scheduleId: 101, actor: BOB, now: Date.now() });
    for (let times = 0; times < 25; times++) await watches.change(101, {}, Date.now(), [done]);
    assertMatch(
      (await get(PATH)).text,
      /<dt>Confirmed<\/dt>.{1,200}Ada Lovelace \(not verified\)/s,
    );

    assertAnswer(await post(PATH, { name: "Bob", action: "infer" }), 303);
    assertEquals((await watches.get(101))!.plans, []);
    assertMatch((await get(PATH)).text, /not confirmed.{1,60}from 400 runs.*Changes<\/h2>.*Bob/s);
    assertAnswer(await post(PATH, { action: "other" }), 400);
    const kinds = ["plan left to Docket", "plan confirmed"] as const;
    const changes = await events.latest(101, 9, kinds);
    assertEquals(changes.map(({ kind, actor, note }) => [kind, actor && actorText(actor), note]), [
      ["plan left to Docket", "Bob (not verified)", null],
      [
        "plan confirmed",
        "Ada Lovelace (not verified)",
        "weekdays at 05:30; Saturdays at 09:00, Europe/Berlin; grace 45 min; " +
        "days without runs: 2026-12-24 to 2027-01-01, 2027-05-01",
      ],
    ]);
  }));

Deno.test("[e2e] POST /schedules/:id/plan: overwrites no plan saved meanwhile", () =>
  withPlan(async ({ records, get, post, send, preview }) => {
    const grace = async () => (await records.watches.get(101))!.plans[0].graceMs / 60_000;
    const seenIn = (text: string) => /name="seen" value="(\w+)"/.exec(text)![1];
    const seen = seenIn((await get(PATH)).text);
    assertAnswer(await send({ name: "Bob", grace: "44", seen }), 303);
    assertEquals(seenIn((await get(preview({ grace: "34", seen }))).text), seen);
    let after = "";
    for (const action of ["confirm", "infer"]) {
      const { status, text } = await send({ grace: "33", seen, action });
      assertMatch(text, /somebody else has changed the plan.*grace 44 min.*value="33"/s);
      assertEquals([status, await grace()], [409, 44]);
      after = seenIn(text);
    }
    await send({ grace: "33", seen: after });
    assertEquals(await grace(), 33);
    // Nor that of a schedule which is no longer watched.
    await post("/schedules/watch", { action: "unwatch", id: "101", next: "/" });
    assertAnswer(await send({ grace: "22", seen }), 409);
  }));
