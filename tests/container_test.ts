import { assert, assertEquals } from "@std/assert";
import denoConfig from "../deno.json" with { type: "json" };

const container = await Deno.readTextFile(new URL("../Containerfile", import.meta.url));

/** The words of an instruction in its exec form, which no shell reads. */
function wordsOf(instruction: string): string[] {
  const [, words] = new RegExp(`^${instruction}.*? (\\[.*\\])$`, "m").exec(container)!;
  return JSON.parse(words);
}

Deno.test("Containerfile: the program has the start task's permissions, and no others", () => {
  const [, flags] = /&& deno run (.*) main\.ts$/.exec(denoConfig.tasks.start.command)!;
  const granted = flags.replaceAll("$FOLDER", "/data").replaceAll('"', "").split(" ");
  assertEquals(wordsOf("ENTRYPOINT"), ["deno"]);
  assertEquals(wordsOf("CMD"), ["run", "--cached-only", ...granted, "main.ts"]);
});

Deno.test("Containerfile: it has a user without rights, and the Deno that README names", async () => {
  const readme = await Deno.readTextFile(new URL("../README.md", import.meta.url));
  const [, version] = /npx -y deno@(\S+) task start/.exec(readme)!;
  assert(container.includes(`FROM docker.io/denoland/deno:${version}\n`));
  assert(/^USER deno$/m.test(container));
  assert(Object.values(denoConfig.deploy).join().includes(`deno@${version} `));
});

Deno.test("Containerfile: its check of health asks the port that is listened on", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => new Response(null, { status: request.url.endsWith("/healthz") ? 200 : 404 }),
  );
  const [, ...args] = wordsOf("HEALTHCHECK");
  const check = async (port: number) => {
    const env = { PORT: String(port) };
    const command = new Deno.Command(Deno.execPath(), { args, env, stderr: "null" });
    return (await command.output()).code;
  };
  const { port } = server.addr;
  assertEquals(await check(port), 0);
  await server.shutdown();
  assertEquals(await check(port), 1);
});
