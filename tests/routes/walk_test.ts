import { assertEquals } from "@std/assert";
import { createClient } from "../../lib/client/client.ts";
import { withServer } from "../app.ts";

Deno.test("[e2e] client: a walk over the app returns exactly the store's rows", () =>
  withServer({}, async ({ services, origin, token }) => {
    const { fileSets, reportSchedules } = services.store!;
    const client = createClient({ baseUrl: origin, token });
    const walked = await Array.fromAsync(client.fileSets.search());
    const stored = [];
    for (let offset = 0; offset < 5000; offset += 1000) {
      stored.push(...(await fileSets.search({}, { limit: 1000, offset })).fileSets);
    }
    assertEquals(walked, stored);
    const runs = await Array.fromAsync(client.reportSchedules.history(101));
    assertEquals(runs, [...await reportSchedules.history(101, { limit: 1000 })]);
  }));
