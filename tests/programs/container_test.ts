import { assert, assertEquals } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { makeRuns } from "../../lib/testing/mod.ts";
import { importFile } from "../../server/store/tasks/import_task.ts";
import { seed } from "../../server/store/tasks/seed_task.ts";
import { token } from "../../server/store/tasks/token_task.ts";
import { runCommand, serveLocally } from "../processes.ts";
import { withTasks } from "../server/store/tasks/task_context.ts";

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

Deno.test("hosting: the tasks that it runs in the container do so with its words", async () => {
  const hosting = await Deno.readTextFile(new URL("../../docs/hosting.md", import.meta.url));
  const commands = [...hosting.matchAll(/^podman exec .*?docket deno task (\w+) (.*)$/gm)];
  const tasks = { token, import: importFile, seed };
  assertEquals(commands.map(([, task]) => task), Object.keys(tasks));
  await withTasks(async ({ dataDir, run }) => {
    // In place of standard input.
    const file = `${dataDir}/runs.json`;
    await Deno.writeTextFile(file, JSON.stringify(makeRuns(3)));
    for (const [line, task, words] of commands) {
      const args = words.replace(/ < .*/, ` ${file}`).match(/"[^"]*"|\S+/g)!
        .map((word) => word.replaceAll('"', ""));
      const { code, reported } = await run(tasks[task as keyof typeof tasks], ...args);
      assertEquals(code, 0, `${line}: ${reported}`);
    }
  });
});
