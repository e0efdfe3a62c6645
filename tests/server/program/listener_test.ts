import { assertEquals } from "@std/assert";
import { createDraining } from "../../../server/program/listener.ts";

const request = () => new Request("http://localhost/");
const turnAway = () => Promise.resolve(new Response("ending", { status: 503 }));

Deno.test("createDraining: requests in flight finish, new ones are turned away", async () => {
  const answers: PromiseWithResolvers<Response>[] = [];
  const { fetch, drain } = createDraining(() => {
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  }, turnAway);
  const first = fetch(request());
  const second = fetch(request());
  let drained = false;
  const done = drain().then(() => drained = true);
  const late = await fetch(request());
  assertEquals([late.status, late.headers.get("connection")], [503, "close"]);
  answers[0].resolve(new Response("one"));
  assertEquals(await (await first).text(), "one");
  assertEquals(drained, false);
  answers[1].resolve(new Response("two"));
  assertEquals(await (await second).text(), "two");
  await done;
});

Deno.test("createDraining: those who watch the program are answered all the same", async () => {
  const draining = createDraining(
    () => Promise.resolve(new Response("still here")),
    turnAway,
  );
  await draining.drain();
  const response = await draining.fetch(new Request("http://localhost/healthz"));
  assertEquals(await response.text(), "still here");
});

Deno.test("createDraining: a request that fails is no longer in flight", async () => {
  const { fetch, drain } = createDraining(() => Promise.reject(new Error("failed")), turnAway);
  await fetch(request()).catch(() => {});
  await drain();
});
