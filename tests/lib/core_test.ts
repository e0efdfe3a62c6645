import { assertEquals } from "@std/assert";
import { bundled } from "./core/bundled.ts";
import { coreChecks } from "./core/checks.ts";

for (const { name, check } of coreChecks) Deno.test(`core in Deno: ${name}`, check);

Deno.test("core in Node: the same checks pass there", async () => {
  const code = await bundled("node.ts", "node");
  const node = new Deno.Command("node", {
    args: ["--input-type=module", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = node.stdin.getWriter();
  await writer.write(new TextEncoder().encode(code));
  await writer.close();
  const { success, stdout, stderr } = await node.output();
  assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
  const passed = new TextDecoder().decode(stdout).match(/^passed: /gm);
  assertEquals(passed?.length, coreChecks.length);
});
