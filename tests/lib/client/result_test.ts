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
