import { assertEquals, assertStringIncludes } from "@std/assert";
import { signInByForm, TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { freePort, outputOfCommand } from "../processes.ts";
import { withProcess } from "../program.ts";
import { withFolder } from "../with_folder.ts";

/** What `deno task dev` needs of the repository, besides its packages. */
const SOURCES =
  "components islands lib public routes server deno.json deno.lock dev.ts fresh.config.ts";

Deno.test("[e2e] dev: signs in, and serves an island again once it is edited", () =>
  withFolder(async (made) => {
    const folder = await Deno.realPath(made);
    // Links are quicker than copies, where both folders are on one disk.
    const packages = `cp -al node_modules ${folder} || cp -a node_modules ${folder}`;
    await outputOfCommand("sh", {
      args: ["-c", `cp -r ${SOURCES} ${folder} && (${packages})`],
      cwd: new URL("../../", import.meta.url),
    });
    const port = String(freePort());
    const origin = `http://127.0.0.1:${port}`;
    const options = {
      args: ["run", "-A", "dev.ts"],
      cwd: folder,
      env: { PORT: port, DATA_DIR: `${folder}/data`, SERVICE_TOKEN: TOKEN, NO_COLOR: "1" },
    };
    await withProcess([Deno.execPath(), options], /Local:/, async ({ printed }) => {
      const ask = async (path: string, words: string, headers: HeadersInit = {}) => {
        const text = await (await fetch(origin + path, { headers })).text();
        assertStringIncludes(text, words);
        return text;
      };
      // Until the sample is there, pages are a 503.
      const { cookie } = await eventually(() =>
        signInByForm((path, init) => fetch(origin + path, init))
      );
      const page = await eventually(() => ask("/preferences", "AutoRefresh", { cookie }));
      assertStringIncludes(page, "/@vite/client");
      const island = "islands/AutoRefresh.tsx";
      const before = await ask(`/${island}`, "Pause updates");
      // By this, the browser takes a new version without a reload.
      assertStringIncludes(before, "import.meta.hot.accept");
      const code = await Deno.readTextFile(`${folder}/${island}`);
      const edited = code.replace("Pause updates", "Hold updates");
      await Deno.writeTextFile(`${folder}/${island}`, edited);
      await eventually(() => ask(`/${island}`, "Hold updates"));
      const link = `Sign in within ten minutes, once: ${origin}/sign-in?code=`;
      assertStringIncludes(printed(), link);
      assertEquals(printed().includes(TOKEN), false);
    });
  }));
