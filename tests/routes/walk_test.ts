import { assertEquals } from "@std/assert";
import { createClient } from "../../lib/client/client.ts";
import { fillWithSample } from "../../server/store/sample/fill.ts";
import { withServer } from "../app.ts";

for (const count of [0, 1, 99, 100, 101, 5000]) {
  Deno.test(`[e2e] client: a walk over the app returns exactly the store's ${count} file sets`, () =>
    withServer({}, async ({ services, origin, token }) => {
      const store = services.store!;
      await store.clear();
      await fillWithSample(store, { fileSets: count, schedules: 1, runs: 1 });
      const client = createClient({ baseUrl: origin, token });
      const walked = await Array.fromAsync(client.fileSets.search());
      assertEquals(walked.length, count);
      const stored = [];
      for (let offset = 0; offset < count; offset += 1000) {
        const { fileSets } = await store.fileSets.search({}, { limit: 1000, offset });
        stored.push(...fileSets);
      }
      assertEquals(walked, stored);
    }));
}

for (const count of [1, 100, 101, 400]) {
  Deno.test(`[e2e] client: a walk over the app returns exactly the store's ${count} runs`, () =>
    withServer({}, async ({ services, origin, token }) => {
      const store = services.store!;
      await store.clear();
      await fillWithSample(store, { fileSets: 0, schedules: 1, runs: count });
      const client = createClient({ baseUrl: origin, token });
      const walked = await Array.fromAsync(client.reportSchedules.history(101));
      assertEquals(walked.length, count);
      assertEquals(walked, [...await store.reportSchedules.history(101, { limit: 1000 })]);
    }));
}
