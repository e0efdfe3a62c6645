import { assertEquals } from "@std/assert";
import { coreChecks } from "./core/checks.ts";

for (const { name, check } of coreChecks) Deno.test(`core in Deno: ${name}`, check);

Deno.test("core in Node: the same checks pass there", async () => {
  // In a process of its own: the bundler keeps threads, which would look like leaks of the client.
  const bundle = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", new URL("./core/bundle.ts", import.meta.url).pathname],
    stderr: "inherit",
  }).output();
  const node = new Deno.Command("node", {
    args: ["--input-type=module", "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = node.stdin.getWriter();
  await writer.write(bundle.stdout);
  await writer.close();
  const { success, stdout, stderr } = await node.output();
  assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
  const passed = new TextDecoder().decode(stdout).match(/^passed: /gm);
  assertEquals(passed?.length, coreChecks.length);
});
