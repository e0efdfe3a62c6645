import { assertEquals } from "@std/assert";
import { setImmediate } from "node:timers/promises";
import { workerInThisThread } from "../../../server/workers/start_worker.ts";

Deno.test("workerInThisThread: answers after other work, and nothing once it is ended", async () => {
  const events: string[] = [];
  const worker = workerInThisThread<number>((question) => {
    events.push(`asked ${question}`);
    return question === 0 ? undefined : question + 1;
  });
  worker.onmessage = ({ data }) => void events.push(`answered ${data}`);
  for (const question of [0, 1]) worker.postMessage(question);
  events.push("other work");
  await setImmediate();
  await setImmediate();
  assertEquals(events, ["other work", "asked 0", "asked 1", "answered 2"]);
  worker.postMessage(2);
  worker.terminate();
  await setImmediate();
  await setImmediate();
  assertEquals(events.length, 4);
});
