import { assertEquals } from "@std/assert";
import { setUp } from "./client_setup.ts";

Deno.test("Result: sends nothing before it is awaited, and one request however often it is", async () => {
  const { client, service } = setUp();
  const result = client.fileSets.search({}, { limit: 10 });
  await new Promise((done) => setTimeout(done, 0));
  assertEquals(service.requests.length, 0);
  const [first, second] = await Promise.all([result, result]);
  assertEquals(first, second);
  assertEquals((await result).pageContext.total, 250);
  assertEquals(service.requests.length, 1);
});

Deno.test("Result: iterated, it is every row, and each iteration asks anew", async () => {
  const { client, service } = setUp();
  const result = client.fileSets.search({ filters: [{ field: "owner", value: ["ann"] }] });
  assertEquals((await Array.fromAsync(result)).length, 84);
  service.fileSets.pop();
  service.fileSets.splice(0, 3);
  assertEquals((await Array.fromAsync(result)).length, 82);
});

Deno.test("Result: iterated from an offset, it is every row from there", async () => {
  const { client } = setUp();
  const rows = await Array.fromAsync(client.fileSets.search({}, { offset: 240, limit: 3 }));
  assertEquals(rows.map(({ name }) => name).at(0), "File set 240");
  assertEquals(rows.length, 10);
  const runs = await Array.fromAsync(client.reportSchedules.history(101, { skip: 100 }));
  assertEquals(runs.length, 20);
});

Deno.test("Result: catch and finally work as a promise's", async () => {
  const { client } = setUp({ faults: () => ({ kind: "status", status: 404 }) });
  let ended = false;
  const result = client.reportSchedules.history(999);
  assertEquals(await result.catch((error) => (error as { kind: string }).kind), "http");
  await result.finally(() => {
    ended = true;
  }).catch(() => {});
  assertEquals(ended, true);
});

Deno.test("Result: with the response that it came in, for one request", async () => {
  const { client, service } = setUp({ latencyMs: 7 });
  const result = client.fileSets.search({}, { limit: 10 });
  const { data, response, unexpectedAnswers } = await result.withResponse();
  assertEquals(data, await result);
  assertEquals([response.status, response.ms, response.attempt], [200, 7, 1]);
  assertEquals(response.headers["content-type"], "application/json");
  assertEquals([unexpectedAnswers, service.requests.length], [[], 1]);
});

Deno.test("Result: with the response, the fields that were left out", async () => {
  const text = `[{"id":1,"ownerId":"7"}]`;
  const { client } = setUp({ faults: [{ kind: "text", text }] }, { shape: "report" });
  const { data, unexpectedAnswers } = await client.reportSchedules.history(101).withResponse();
  assertEquals([...data], [{ id: 1 }]);
  assertEquals(unexpectedAnswers, [{ path: "[].ownerId", expected: "an integer", count: 1 }]);
});

Deno.test("Result: an awaited page can be iterated, and asked for the next one", async () => {
  const { client, service } = setUp();
  const ids: (string | number)[] = [];
  const sizes: number[] = [];
  for (let page = await client.fileSets.search({}, { limit: 100 }); page;) {
    for (const { id } of page) ids.push(id);
    sizes.push(page.fileSets.length);
    const next = await page.nextPage();
    if (!next) break;
    page = next;
  }
  assertEquals(ids, service.fileSets.map(({ id }) => id));
  assertEquals(sizes, [100, 100, 50]);
  const runs = await client.reportSchedules.history(101, { limit: 100, skip: 10 });
  assertEquals([...runs].length, 100);
  const rest = await runs.nextPage();
  assertEquals([rest?.length, await rest?.nextPage()], [10, undefined]);
});

Deno.test("Result: what a page can do is no part of its data", async () => {
  const { client, service } = setUp();
  const page = await client.fileSets.search({}, { limit: 1 });
  assertEquals(Object.keys(page), ["fileSets", "pageContext"]);
  assertEquals(JSON.parse(JSON.stringify(page)).fileSets, [service.fileSets[0]]);
});
