import { assertEquals } from "@std/assert";
import { createDraining } from "../../../server/program/listener.ts";

const request = (path = "") => new Request(`http://localhost/${path}`);
const turnAway = () => Promise.resolve(new Response("ending", { status: 503 }));

Deno.test("createDraining: requests in flight finish; new ones but health checks are turned away", async () => {
  const answers: PromiseWithResolvers<Response>[] = [];
  const { fetch, drain } = createDraining(() => {
    answers.push(Promise.withResolvers<Response>());
    return answers.at(-1)!.promise;
  }, turnAway);
  const first = fetch(request());
  const second = fetch(request());
  let drained = false;
  const done = drain().then(() => drained = true);
  const late = await fetch(request());
  assertEquals([late.status, late.headers.get("connection")], [503, "close"]);
  answers[0].resolve(new Response("one"));
  assertEquals([await (await first).text(), drained], ["one", false]);
  // One that fails is no longer in flight.
  answers[1].reject(new Error("failed"));
  await second.catch(() => {});
  await done;
  const health = fetch(request("healthz"));
  answers[2].resolve(new Response("still here"));
  assertEquals(await (await health).text(), "still here");
});
