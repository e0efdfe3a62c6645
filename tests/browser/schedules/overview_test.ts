import { assert, assertEquals } from "@std/assert";
import { watchSample } from "../sample_watches.ts";
import { openSignedIn, untilLive, withPage } from "../visit.ts";

Deno.test("[browser] today: on 390 px, shows the answer, the day and what needs somebody first", () =>
  withPage({ width: 390 }, async (visit) => {
    const { page } = visit;
    await watchSample(visit.services);
    await openSignedIn(visit, "/");
    const day = page.getByRole("img", { name: /^Today's runs: / });
    for (const shown of [day, page.getByRole("article").first()]) {
      const box = (await shown.boundingBox())!;
      assert(box.y + box.height <= 800, `${box.y} ${box.height}`);
    }
  }));

Deno.test("[browser] overview: refreshes itself with its filter, but not while somebody types", () =>
  withPage({}, async (visit) => {
    const { page, services } = visit;
    await watchSample(services);
    await page.clock.install({ time: Date.now() });
    await openSignedIn(visit, "/?state=failing");
    await untilLive(page);
    await page.getByRole("button", { name: "Pause updates" }).waitFor();
    await services.records!.watches.add([300], Date.now());
    await page.clock.runFor(29_000);
    await page.getByLabel("Filter by name, owner or id").fill("Ada");
    await page.clock.runFor(5_000);
    assertEquals(await page.getByRole("link", { name: "Unknown 1" }).count(), 0);
    await page.clock.runFor(10_000);
    await page.getByText(/^Updated \d\d:\d\d UTC$/).waitFor();
    await page.getByRole("link", { name: "Unknown 1" }).waitFor();
    assertEquals(await page.getByLabel("Filter by name, owner or id").inputValue(), "Ada");
    assertEquals(
      await page.getByRole("region", { name: "Schedules", exact: true }).getByRole("row").count(),
      2,
    );
  }));
