import { assertEquals, assertStringIncludes } from "@std/assert";
import { TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../free_port.ts";
import { runCommand } from "../processes.ts";
import { withOutput } from "../program.ts";
import { withFolder } from "../with_folder.ts";

const ROOT = new URL("../../", import.meta.url);

/** What `deno task dev` needs of the repository. */
const SOURCES = [
  ..."components islands lib public routes server".split(" "),
  ..."deno.json deno.lock dev.ts fresh.config.ts".split(" "),
];

/** Copies the sources into a folder where they may be edited, with all packages. */
async function copySources(folder: string): Promise<void> {
  const copy = async (flags: string, names: readonly string[]) => {
    const paths = names.map((name) => new URL(name, ROOT).pathname);
    return (await runCommand("cp", { args: [flags, ...paths, folder] })).code === 0;
  };
  await copy("-r", SOURCES);
  // Links are quicker than copies, where both folders are on one disk.
  if (!await copy("-al", ["node_modules"])) await copy("-a", ["node_modules"]);
}

/** Runs a test with the development server; gives all that it printed. */
async function withDevelopment(
  folder: string,
  test: (origin: string) => Promise<void>,
): Promise<string> {
  const port = freePort();
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "dev.ts"],
    cwd: folder,
    env: { PORT: String(port), DATA_DIR: `${folder}/data`, SERVICE_TOKEN: TOKEN, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return await withOutput(process, /Local:/, () => test(`http://127.0.0.1:${port}`));
}

Deno.test("[e2e] dev: signs in, and serves an island again once it is edited", () =>
  withFolder(async (made) => {
    const folder = await Deno.realPath(made);
    await copySources(folder);
    let link = "";
    const printed = await withDevelopment(folder, async (origin) => {
      link = `${origin}/sign-in?code=`;
      const ask = async (path: string, init: RequestInit = {}) => {
        const response = await fetch(origin + path, { redirect: "manual", ...init });
        return { response, text: await response.text() };
      };
      const body = new URLSearchParams({ token: TOKEN, next: "/preferences" });
      // Until the sample is there, pages are a 503.
      const { response } = await eventually(async () => {
        const answer = await ask("/sign-in", { method: "POST", body });
        assertEquals(answer.response.status, 303);
        return answer;
      });
      const [cookie] = response.headers.getSetCookie()[0].split(";");
      const page = await eventually(async () => {
        const answer = await ask("/preferences", { headers: { cookie } });
        assertStringIncludes(answer.text, "AutoRefresh");
        return answer;
      });
      assertStringIncludes(page.text, "/@vite/client");
      const island = "islands/AutoRefresh.tsx";
      const before = (await ask(`/${island}`)).text;
      assertStringIncludes(before, "Pause updates");
      // By this, the browser takes a new version without a reload.
      assertStringIncludes(before, "import.meta.hot.accept");
      const code = await Deno.readTextFile(`${folder}/${island}`);
      const edited = code.replace("Pause updates", "Hold updates");
      await Deno.writeTextFile(`${folder}/${island}`, edited);
      await eventually(async () =>
        assertStringIncludes((await ask(`/${island}`)).text, "Hold updates")
      );
    });
    assertStringIncludes(printed, `Sign in within ten minutes, once: ${link}`);
  }));
