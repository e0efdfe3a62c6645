import { assert, assertEquals } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { runCommand, serveLocally } from "../processes.ts";

const container = await Deno.readTextFile(new URL("../../Containerfile", import.meta.url));

/** The words of an instruction in its exec form, which no shell reads. */
function wordsOf(instruction: string): string[] {
  const [, words] = new RegExp(`^${instruction}.*? (\\[.*\\])$`, "m").exec(container)!;
  return JSON.parse(words);
}

Deno.test("Containerfile: starts as the start task, without rights, on the Deno that README names", async () => {
  assertEquals(wordsOf("ENTRYPOINT").join(" "), denoConfig.tasks.start.command);
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const [, version] = /npx -y deno@(\S+) task start/.exec(readme)!;
  assert(container.includes(`FROM docker.io/denoland/deno:${version}\n`));
  assert(/^USER deno$/m.test(container));
  for (const [path] of container.matchAll(/(?<= )[\w/]+(?:\.ts|\/\*\.ts)(?=\s)/g)) {
    // Throws if it does not exist.
    Deno.statSync(new URL(`../../${path.replace("*.ts", "")}`, import.meta.url));
  }
  assert(Object.values(denoConfig.deploy).join().includes(`deno@${version} `));
});

Deno.test("Containerfile: its check of health asks the port that is listened on", async () => {
  const server = serveLocally((request) =>
    new Response(null, { status: request.url.endsWith("/healthz") ? 200 : 404 })
  );
  const [, ...args] = wordsOf("HEALTHCHECK");
  const env = { PORT: String(server.addr.port) };
  const check = async () => (await runCommand(Deno.execPath(), { args, env })).code;
  assertEquals(await check(), 0);
  await server.shutdown();
  assertEquals(await check(), 1);
});
