import { assertEquals, assertMatch } from "@std/assert";
import { evidenceKey } from "../../../../server/observer/tasks/evidence_key_task.ts";
import { withTasks } from "../../store/tasks/task_context.ts";

Deno.test("evidence-key: exports the key, retires it, and lists what is public", () =>
  withTasks(async ({ run }) => {
    const { printed: key } = await run(evidenceKey, "export");
    assertMatch(key, /^-----BEGIN PRIVATE KEY-----\n[^-]+\n-----END PRIVATE KEY-----$/);
    assertEquals((await run(evidenceKey, "export")).printed, key);
    const { printed: first } = await run(evidenceKey, "list");
    assertEquals((await run(evidenceKey, "retire")).code, 0);
    const { printed: both } = await run(evidenceKey, "list");
    assertEquals(both.match(/BEGIN PUBLIC KEY/g)!.length, 2);
    assertEquals(both.split(/, retired .*Z\n/)[1], first.slice(first.indexOf("\n") + 1));
    assertEquals((await run(evidenceKey, "export")).printed === key, false);
    assertEquals((await run(evidenceKey)).code, 2);
  }));
