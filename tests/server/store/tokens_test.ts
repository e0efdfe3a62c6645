import { assertEquals } from "@std/assert";
import { MINUTE, SECOND } from "../../../lib/time_units.ts";
import type { Engine } from "../../../server/store/engine.ts";
import { tokensOf } from "../../../server/store/tokens.ts";

Deno.test("tokensOf: a token in use is written once a minute, however often it is used", async () => {
  const written: unknown[] = [];
  const engine = {
    rows: () => Promise.resolve([[written.at(-1) ?? null, "ci", "reader"]]),
    writeIfFree: ({ values }: { values: readonly unknown[] }) =>
      Promise.resolve(void written.push(values[0])),
  } as unknown as Engine;
  const tokens = tokensOf(engine);
  for (const at of [0, 1, 59, 60, 119]) {
    const found = await tokens.find("a-token", new Date(at * SECOND));
    assertEquals(found, { name: "ci", role: "reader" });
  }
  assertEquals(written, [0, MINUTE]);
});
