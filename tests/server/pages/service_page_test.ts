import { assertEquals, assertMatch, assertObjectMatch } from "@std/assert";
import { makeRuns } from "../../../lib/testing/mod.ts";
import { createSearchAnswers } from "../../../server/backend/search_answers.ts";
import { loadService } from "../../../server/pages/service_page.ts";
import type { Services } from "../../../server/program/services.ts";
import { pollAll } from "../../browser/sample_watches.ts";
import { TOKEN } from "../../app.ts";
import { withAppInFront } from "../../upstream.ts";

const load = (services: Services) => loadService({ services, preferences: { zone: "UTC" } });

Deno.test("loadService: names the schedules that can't be read, with the cause, and scans", () =>
  withAppInFront({ runs: { 101: makeRuns(3) } }, async ({ services }) => {
    const { watches, scans } = services.records!;
    await watches.add([101, 7, 8], Date.now());
    await pollAll(services);
    const pausedUntil = Date.now() + 60_000;
    await services.records!.service.store({ pausedUntil });
    await scans.begin({ from: 1, to: 9, rate: 1, started: Date.now() });
    const page = await load(services);
    const known = { known: 3, unread: 2, whyNot: null, takesData: false };
    assertObjectMatch(page, { ...known, failingSince: null, pausedUntil });
    const failure = "The service has no such schedule, or hides it (status 404)";
    assertObjectMatch(page.failures[0], { failure, schedules: 2, first: 7 });
    assertEquals([page.search.taken, page.search.unasked.length], [[], 10]);
    assertMatch(page.scans[0], /^scan of ids 1 to 9 started on .*, none so far$/);
  }, { OBSERVER_TOKEN: TOKEN }));

Deno.test("createSearchAnswers: what is refused is not taken any more, until it is taken again", async () => {
  const { watch, onRefused, get } = createSearchAnswers(() => 0);
  const body = { filters: [{ field: "name", operator: "LIKE", value: ["x"] }] };
  const take = () => watch(body, Promise.resolve({ fileSets: [], pageContext: {} }));
  const said = () => [get().taken, get().refused.map(({ name }) => name)];
  await take();
  onRefused("LIKE", 10);
  assertEquals(said(), [[], ["LIKE"]]);
  await take();
  assertEquals(said(), [["LIKE"], []]);
});
