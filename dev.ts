/** Development: `deno task dev` serves with hot reload, `deno task build` writes `.output`. */
import { createBuilder, createServer } from "vite";
import config from "./fresh.config.ts";

if (Deno.args[0] === "build") {
  const builder = await createBuilder(config);
  await builder.buildApp();
  // The manifest names every source file; only the build itself needs it.
  await Deno.remove(".output/public/.vite", { recursive: true });
} else {
  const server = await createServer({
    ...config,
    logLevel: "info",
    server: {
      host: Deno.env.get("HOST") ?? "127.0.0.1",
      port: Number(Deno.env.get("PORT") ?? 8000),
    },
  });
  await server.listen();
  server.printUrls();
}
