/** Development: `deno task dev` serves with hot reload, `deno task build` writes `.output`. */
import { resolve } from "node:path";
import { createBuilder, createServer } from "vite";
import config from "./fresh.config.ts";
import { readEnvironment } from "./server/config/environment.ts";
import { readSettings } from "./server/config/settings.ts";

if (Deno.args[0] === "build") {
  // Fresh never removes the types of deleted routes, which would fail to check.
  await Deno.remove(".fresh/types", { recursive: true }).catch(() => {});
  const builder = await createBuilder(config);
  await builder.buildApp();
} else {
  const { host, port, dataDir } = readSettings(readEnvironment());
  // Vite's watcher stops working if files change as often as while a database is filled.
  const watch = { ignored: [`${resolve(dataDir)}/**`] };
  const server = await createServer({ ...config, logLevel: "info", server: { host, port, watch } });
  await server.listen();
  const { local, network } = server.resolvedUrls!;
  const url = [...local, ...network][0];
  await waitUntilLoaded(url);
  server.printUrls();
  // The first page opens the services, which print how to sign in.
  await (await fetch(new URL("/sign-in", url))).body?.cancel();
}

/** Waits until Nitro has loaded the app; until then it answers with errors. */
async function waitUntilLoaded(url: string): Promise<void> {
  // Nitro waits 3 s before such an error. If the app itself is broken, its error comes at once.
  for (let attempt = 0; attempt < 20; attempt++) {
    const response = await fetch(new URL("/healthz", url));
    await response.body?.cancel();
    if (response.ok) return;
  }
}
