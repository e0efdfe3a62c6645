import { assertEquals } from "@std/assert";
import { rolldown } from "rolldown";
import { coreChecks } from "./core/checks.ts";

for (const { name, check } of coreChecks) Deno.test(`core in Deno: ${name}`, check);

// The bundler keeps threads of its own, which are none of the client's.
const options = { sanitizeOps: false, sanitizeResources: false };

Deno.test("core in Node: the same checks pass there", options, async () => {
  const input = new URL("./core/node.ts", import.meta.url).pathname;
  const bundle = await rolldown({ input, platform: "node" });
  const { output: [{ code }] } = await bundle.generate({ format: "esm" });
  await bundle.close();
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
