import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { ConfigurationError } from "../../../../lib/errors.ts";
import { makeFileSets } from "../../../../lib/testing/mod.ts";
import type { Checkpoint, Walk } from "../../../../lib/client/walks/walk.ts";
import { setUp, TOKEN } from "../client_setup.ts";

async function take<Item>(walk: Walk<unknown, Item>, count: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of walk) {
    items.push(item);
    if (items.length === count) break;
  }
  return items;
}

Deno.test("checkpoint: JSON with version, position, query hash and last page's ids", async () => {
  const { client } = setUp();
  const walk = client.fileSets.search({}, { limit: 10, offset: 3 }).walk();
  const items = await take(walk, 25);
  const checkpoint = walk.checkpoint();
  const { query, last, ...rest } = checkpoint;
  assertEquals(rest, { version: 1, position: 28, start: 3, count: 25, total: 250 });
  assertEquals(last, items.slice(15).map(({ id }) => id));
  assertMatch(query, /^\d+\.-?\d+$/);
  assertEquals(JSON.stringify(checkpoint).includes(TOKEN), false);
  const again = client.fileSets.search({}, { limit: 10 }).walk({ resume: checkpoint });
  assertEquals(again.checkpoint(), checkpoint);
  // By page, it is after the whole page.
  for await (const _ of again.pages()) break;
  assertEquals(again.checkpoint().position, 38);
});

Deno.test("checkpoint: rows of the page before are known after resuming in the next one", async () => {
  const { client, service } = setUp();
  const result = client.fileSets.search({}, { limit: 10 });
  const first = result.walk();
  const before = await take(first, 21);
  service.fileSets.unshift(...makeFileSets(5, 9000));
  const second = result.walk({ resume: first.checkpoint() });
  const after = await take(second, 999);
  const ids = [...before, ...after].map(({ id }) => id);
  assertEquals([ids.length, new Set(ids).size, second.report.items], [250, 250, 250]);
  assertEquals(second.report.drift.map(({ kind }) => kind), ["total", "repeated", "short"]);
});

Deno.test("checkpoint: with verify, a change between stop and resume is noticed", async () => {
  const { client, service } = setUp();
  const result = client.reportSchedules.history(101, { limit: 10 });
  const first = result.walk({ verify: true });
  await take(first, 15);
  service.runs.get(101)!.splice(0, 2);
  const second = result.walk({ verify: true, resume: first.checkpoint() });
  await take(second, 999);
  assertEquals(second.report.drift.map(({ kind }) => kind), ["shifted"]);
});

Deno.test("checkpoint: of another query or service, or a damaged one, it is refused", async () => {
  const { client } = setUp();
  const body = { filters: [{ field: "owner", value: ["ann"] }] };
  const walk = client.fileSets.search(body, { limit: 10 }).walk();
  await take(walk, 15);
  const resume = walk.checkpoint();
  const other = setUp({}, { baseUrl: "https://other.example" }).client;
  const changes = [{ version: 2 }, { position: -1 }, { count: 1.5 }, { start: undefined }];
  const wrong = [...changes, { total: "9" }, { last: [{}] }].map((each) => ({
    ...resume,
    ...each,
  }));
  for (const damaged of [null, "text", {}, ...wrong]) {
    const start = () => client.fileSets.search(body).walk({ resume: damaged as Checkpoint });
    const error = assertThrows(start, ConfigurationError) as ConfigurationError;
    assertEquals(error.parameter, "resume", JSON.stringify(damaged));
  }
  const walks = [
    () => client.fileSets.search().walk({ resume }),
    () =>
      client.fileSets.search({ filters: [{ field: "owner", value: ["bob"] }] }).walk({ resume }),
    () => client.reportSchedules.history(101).walk({ resume }),
    () => other.fileSets.search(body).walk({ resume }),
  ];
  for (const start of walks) {
    const error = assertThrows(start, ConfigurationError) as ConfigurationError;
    assertEquals(error.parameter, "resume");
    assertStringIncludes(error.message, "of the same query");
  }
  const rest = await take(client.fileSets.search(body, { limit: 7 }).walk({ resume }), 999);
  assertEquals(rest.length, 69);
});
