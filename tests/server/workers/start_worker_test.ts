import { assertEquals } from "@std/assert";
import { setImmediate } from "node:timers/promises";
import { runCommand } from "../../processes.ts";
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
  for (let turn = 0; turn < 2; turn++) await setImmediate();
  assertEquals(events, ["other work", "asked 0", "asked 1", "answered 2"]);
  worker.postMessage(2);
  worker.terminate();
  for (let turn = 0; turn < 2; turn++) await setImmediate();
  assertEquals(events.length, 4);
});

Deno.test("lowerPriority: others on Linux come before a worker that judges", async () => {
  const url = new URL("../../../server/workers/lower_priority.ts", import.meta.url);
  const program = `import { getPriority } from "node:os"; import { lowerPriority } from "${url}";
    lowerPriority(); console.log(getPriority(0));`;
  const { out } = await runCommand(Deno.execPath(), { args: ["eval", program] });
  assertEquals(out, Deno.build.os === "linux" ? "10\n" : "0\n");
});
