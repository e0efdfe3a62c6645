import { assertEquals, assertThrows } from "@std/assert";
import type { Backend } from "../../../../lib/client/backend.ts";
import { ConfigurationError } from "../../../../lib/errors.ts";
import { makeFileSets, makeRuns } from "../../../../lib/testing/mod.ts";
import { walkFileSets, walkHistory } from "../../../../lib/client/walks/lists.ts";

/** A backend that is not a client, as a store is. */
function store(asked: unknown[] = []): Backend {
  const fileSets = makeFileSets(25);
  const runs = makeRuns(25);
  return {
    fileSets: {
      search: (body, { limit = 100, offset = 0 } = {}) => {
        asked.push({ body, limit, offset });
        return Promise.resolve({
          fileSets: fileSets.slice(offset, offset + limit),
          pageContext: { offset, limit, total: fileSets.length },
        });
      },
    },
    reportSchedules: {
      history: (id, { limit = 100, skip = 0 } = {}) => {
        asked.push({ id, limit, skip });
        return Promise.resolve(runs.slice(skip, skip + limit));
      },
    },
  };
}

Deno.test("walkFileSets: every file set of any backend, with its search", async () => {
  const asked: unknown[] = [];
  const body = { fieldSort: [{ field: "name" }] };
  const walk = walkFileSets(store(asked), body, { limit: 10, offset: 5, prefetch: 2 });
  assertEquals(await Array.fromAsync(walk), makeFileSets(20, 5));
  assertEquals(asked, [5, 15, 25].map((offset) => ({ body, limit: 10, offset })).slice(0, 3));
  assertEquals(await Array.fromAsync(walkFileSets(store())), makeFileSets(25));
});

Deno.test("walkHistory: every run of any backend", async () => {
  const asked: unknown[] = [];
  const walk = walkHistory(store(asked), 101, { limit: 20 });
  assertEquals(await Array.fromAsync(walk), makeRuns(25));
  assertEquals(asked, [0, 20, 25].map((skip) => ({ id: 101, limit: 20, skip })));
});

Deno.test("walkFileSets: a search that can't be used is refused before anything is asked", () => {
  const asked: unknown[] = [];
  assertThrows(
    () => walkFileSets(store(asked), { filters: [{ field: "" }] }),
    ConfigurationError,
    "filters[0].field",
  );
  assertEquals(asked, []);
});
