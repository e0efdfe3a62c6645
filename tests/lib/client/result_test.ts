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
