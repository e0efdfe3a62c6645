import { assert, assertEquals } from "@std/assert";
import { signIn, violationsOf, withPage } from "./visit.ts";

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 360]) {
    Deno.test(`[browser] pages: axe finds nothing, ${colorScheme}, ${width} px`, () =>
      withPage({ colorScheme, width }, async (visit) => {
        const { page } = visit;
        await page.goto("/sign-in");
        assertEquals(await violationsOf(page), [], "/sign-in");
        await signIn(visit);
        const [run] = await visit.services.store!.reportSchedules.history(101, { limit: 1 });
        const paths = [
          "/filesets",
          "/filesets?filter=!permission:EQUALS:READ&sort=updated:DESC&limit=25",
          "/filesets?filter=name:EQUALS:nothing",
          "/filesets?filter=colour:EQUALS:red",
          "/filesets/nothing",
          "/schedules",
          "/schedules?id=one",
          "/schedules?ids=101,102,103,107,112,999,x",
          "/schedules/statuses?status=paused",
          "/schedules/102",
          "/schedules/106?trigger=automated&min-seconds=60#runs",
          "/schedules/103?text=nothing+says+this",
          "/schedules/107",
          "/schedules/112/recipients",
          "/schedules/107/recipients",
          "/schedules/105/check",
          "/schedules/101/check",
          "/schedules/104/compare",
          "/schedules/104/compare?before=1&after=2",
          "/schedules/999",
          `/schedules/101/runs/${run.id}`,
          "/preferences",
          "/sign-out",
          "/nowhere",
        ];
        for (const path of paths) {
          await page.goto(path);
          assertEquals(await violationsOf(page), [], path);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
          assert(overflow <= width, `${path} is ${overflow} px wide`);
        }
      }));
  }
}
