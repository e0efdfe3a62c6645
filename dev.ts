/** Development: `deno task dev` serves with hot reload, `deno task build` writes `.output`. */
import { createBuilder, createServer } from "vite";
import config from "./fresh.config.ts";
import { readEnvironment } from "./server/config/environment.ts";
import { readSettings } from "./server/config/settings.ts";

if (Deno.args[0] === "build") {
  const builder = await createBuilder(config);
  await builder.buildApp();
} else {
  const { host, port } = readSettings(readEnvironment());
  const server = await createServer({ ...config, logLevel: "info", server: { host, port } });
  await server.listen();
  server.printUrls();
}
