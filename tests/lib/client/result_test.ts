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

Deno.test("Result: withResponse gives the page and its response, for one request", async () => {
  const { client, service } = setUp({ latencyMs: 7 });
  const result = client.fileSets.search({}, { limit: 10 });
  const { data, response, unexpectedAnswers } = await result.withResponse();
  assertEquals(data, await result);
  assertEquals([response.status, response.ms, response.attempt], [200, 7, 1]);
  assertEquals(response.headers["content-type"], "application/json");
  assertEquals([unexpectedAnswers, service.requests.length], [[], 1]);
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

Deno.test("Result: the methods of a page are not part of its data", async () => {
  const { client, service } = setUp();
  const page = await client.fileSets.search({}, { limit: 1 });
  assertEquals(Object.keys(page), ["fileSets", "pageContext"]);
  assertEquals(JSON.parse(JSON.stringify(page)).fileSets, [service.fileSets[0]]);
});
