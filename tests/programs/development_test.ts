import { assert, assertStringIncludes } from "@std/assert";
import { signInByForm, TOKEN } from "../app.ts";
import { eventually } from "../eventually.ts";
import { freePort } from "../processes.ts";
import { withProcess } from "../program.ts";
import { withFolder } from "../with_folder.ts";

Deno.test("[e2e] dev: signs in, and serves islands that browsers replace once they are edited", () =>
  withFolder(async (folder) => {
    const port = String(freePort());
    const origin = `http://127.0.0.1:${port}`;
    const options = {
      args: ["run", "-A", "dev.ts"],
      cwd: new URL("../../", import.meta.url),
      env: { PORT: port, DATA_DIR: folder, SERVICE_TOKEN: TOKEN, NO_COLOR: "1" },
    };
    await withProcess([Deno.execPath(), options], /Local:/, async ({ printed }) => {
      const ask = async (path: string, words: string, headers: HeadersInit = {}) => {
        const text = await (await fetch(origin + path, { headers })).text();
        assertStringIncludes(text, words);
      };
      // Until the sample is there, pages are a 503.
      const { cookie } = await eventually(() =>
        signInByForm((path, init) => fetch(origin + path, init))
      );
      await eventually(() => ask("/preferences", "AutoRefresh", { cookie }));
      await ask("/islands/AutoRefresh.tsx", "import.meta.hot.accept");
      const link = `Sign in within ten minutes, once: ${origin}/sign-in?code=`;
      assertStringIncludes(printed(), link);
      assert(!printed().includes(TOKEN));
    });
  }));
