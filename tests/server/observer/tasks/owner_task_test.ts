import { assertEquals, assertMatch } from "@std/assert";
import { calendar } from "../../../../server/observer/tasks/calendar_task.ts";
import { owner } from "../../../../server/observer/tasks/owner_task.ts";
import { watchIn, withTasks } from "../../store/tasks/task_context.ts";
import { withReceiver } from "../receiver.ts";

async function withFile(text: string, work: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, text);
    await work(path);
  } finally {
    await Deno.remove(path);
  }
}

const URL = "https://hooks.slack.com/services/T0/B0/planted";

Deno.test("owner: adds, lists and removes, and never shows a secret", () =>
  withTasks(({ dataDir, run }) =>
    withFile(`${URL}\n`, async (path) => {
      await watchIn(dataDir, [101]);
      const added = await run(
        owner,
        ...["add", "Finance", "--slack", path, "--schedules", "101,102"],
        ...["--quiet", "20:00-07:00", "--zone", "Europe/Berlin"],
      );
      assertEquals([added.printed, added.reported], [
        "Saved Finance",
        "Not watched, so without this owner: 102",
      ]);
      assertEquals((await run(owner, "list")).printed.split("\n"), [
        "NAME     CHANNELS                 QUIET HOURS",
        "Finance  slack (hooks.slack.com)  20:00-07:00 Europe/Berlin",
      ]);
      const { printed } = await run(owner, "list", "--json");
      assertMatch(printed, /"holdsCritical":false.*"kind":"slack","hint":"hooks.slack.com"/);
      assertEquals(printed.includes("planted"), false);
      const wrong = await run(owner, "add", "Finance", "--slack", "/none", "--mail", "x");
      assertEquals([wrong.code, wrong.reported], [2, "There is no file /none"]);
      const off = await run(owner, "add", "finance", "--slack", "off", "--teams", path);
      assertMatch(off.reported, /^--teams must be a Workflows webhook's URL: https/);
      assertEquals((await run(owner, "add", "Finance", "--slack", "off")).code, 0);
      await run(owner, "add", "Claims");
      const rename = (...args: string[]) => run(owner, "rename", ...args);
      assertEquals((await rename("Nobody", "Some")).code, 1);
      for (
        const [args, words] of [
          [["Finance", "claims"], "The new name must be a name that no other owner has"],
          [["Finance"], "The new name must be a name of 1 to 100 characters"],
        ] as const
      ) assertEquals((await rename(...args)).reported, words);
      assertEquals(
        (await run(owner, "test", "a", "b")).reported,
        'Too many arguments: "b"; see --help',
      );
      assertEquals((await rename("finance", "FINANCE")).printed, "Renamed Finance to FINANCE");
      assertEquals((await rename("finance", "Money")).printed, "Renamed FINANCE to Money");
      await rename("Money", "Finance");
      for (
        const [args, words] of [
          [
            ["add", "Finance", "--zone", "Europe/Berlin"],
            "--zone and --hold-critical need --quiet",
          ],
          [["add", "Finance", "--hold-critical"], "--zone and --hold-critical need --quiet"],
          [["list", "Finance"], "list takes no id"],
        ] as const
      ) assertEquals((await run(owner, ...args)).reported, words);
      const none = await run(owner, "test", "Finance");
      assertEquals([none.code, none.reported], [1, "Finance has no channels"]);
      assertEquals((await run(owner, "remove", "FINANCE")).printed, "Removed Finance");
      assertEquals((await run(owner, "remove", "Finance")).code, 1);
    })
  ));

Deno.test("owner test: sends a test by each channel, and says why one failed", () => {
  let status = 204;
  return withReceiver(
    () => new Response(null, { status }),
    (origin, received) =>
      withTasks(
        ({ run }) =>
          withFile(`${origin}/hook whsec_${btoa("k".repeat(32))}`, async (path) => {
            await run(owner, "add", "Finance", "--webhook", path);
            const sent = await run(owner, "test", "Finance");
            assertEquals([sent.code, sent.printed], [0, "Sent a test by webhook"]);
            assertEquals(received.map(({ path }) => path), ["/hook"]);
            status = 410;
            const failed = await run(owner, "test", "Finance");
            assertEquals([failed.code, failed.printed], [1, ""]);
            assertMatch(failed.reported, /^The test by webhook failed: .*410/);
          }),
        { WEBHOOK_HOSTS: new globalThis.URL(origin).host },
      ),
  );
});

Deno.test("calendar: adds from a file or dates, lists and removes, and says what is wrong", () =>
  withTasks(({ run }) =>
    withFile(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261225\nEND:VEVENT\nEND:VCALENDAR\n",
      (path) =>
        withFile("x".repeat(1_000_001), async (large) => {
          const added = await run(calendar, "add", "de-holidays", "--file", path);
          assertEquals(added.printed, "Saved de-holidays: 1 day, 2026-12-25 to 2026-12-25");
          const event = "BEGIN:VEVENT\nDTSTART:20261224T140000Z\nEND:VEVENT\n";
          const file = await Deno.readTextFile(path);
          await Deno.writeTextFile(path, file.replace("END:VCALENDAR", `${event}$&`));
          assertEquals(
            (await run(calendar, "add", "de-holidays", "--file", path)).printed,
            "Saved de-holidays: 1 day, 2026-12-25 to 2026-12-25; skipped 1 event that is no whole day",
          );
          const dates = ["--dates", "2026-12-29, 2026-12-28", "--schedules", "101"];
          await run(calendar, "add", "shutdown", ...dates);
          assertEquals((await run(calendar, "list")).printed.split("\n"), [
            "NAME         DAYS  FROM        TO          SCHEDULES",
            "de-holidays  1     2026-12-25  2026-12-25  all",
            "shutdown     2     2026-12-28  2026-12-29  101",
          ]);
          const wrong = async (...args: string[]) =>
            (await run(calendar, "add", "x", ...args)).reported;
          assertMatch(await wrong("--dates", "2026-02-30"), /"2026-02-30" is not a day$/);
          assertMatch(await wrong("--file", large), /too large: it may have at most 1 MB$/);
          await Deno.truncate(large, 1_000_000);
          assertEquals(/too large/.test(await wrong("--file", large)), false);
          assertMatch(await wrong(), /either --file or --dates/);
          assertEquals((await run(calendar, "remove", "SHUTDOWN")).printed, "Removed SHUTDOWN");
          assertEquals((await run(calendar, "remove", "shutdown")).code, 1);
        }),
    )
  ));
