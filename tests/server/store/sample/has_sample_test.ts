import { assertEquals } from "@std/assert";
import type { Backend } from "../../../../lib/backend.ts";
import { hasSample } from "../../../../server/store/sample/has_sample.ts";
import { STORIES } from "../../../../server/store/sample/stories.ts";

Deno.test("hasSample: where the newest run of the first sample schedule has its title", async () => {
  const has = (history: () => Promise<readonly { readonly reportTitle: string }[]>) =>
    hasSample({ reportSchedules: { history } } as never as Backend);
  const [{ title }] = STORIES;
  assertEquals(await has(() => Promise.resolve([{ reportTitle: title }])), true);
  assertEquals(await has(() => Promise.resolve([{ reportTitle: "Payroll" }])), false);
  assertEquals(await has(() => Promise.resolve([])), false);
  assertEquals(await has(() => Promise.reject(new Error("no such schedule"))), false);
});
