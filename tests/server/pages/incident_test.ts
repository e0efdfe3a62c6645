import { assertEquals } from "@std/assert";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import { makeRuns } from "../../../lib/testing/mod.ts";
import { loadIncident } from "../../../server/pages/incident.ts";
import { TOKEN } from "../../app.ts";
import { pollAll } from "../../browser/sample_watches.ts";
import { withAppInFront } from "../../upstream.ts";

Deno.test("loadIncident: says when it lists only the newest runs", async () => {
  for (const failed of [19, 25]) {
    const runs = makeRuns(30).map((run, at) => ({
      ...run,
      status: at < failed ? "failure" : "success",
    }));
    await withAppInFront({ runs: { 101: runs } }, async ({ services }) => {
      await services.records!.watches.add([101], Date.now());
      await pollAll(services);
      const [{ id }] = await services.records!.incidents.open(101);
      const state = {
        services,
        preferences: { zone: "UTC" },
        backend: services.backendFor("token", { requestId: "r-1" }),
      };
      const statuses = defaultStatusDictionary();
      const { isCut, timeline } = await loadIncident({ ...state, statuses }, id);
      const listed = timeline.filter(({ run, isBad }) => run && isBad).length;
      assertEquals([isCut, listed], [failed > 20, Math.min(failed, 20)]);
    }, { OBSERVER_TOKEN: TOKEN });
  }
});
