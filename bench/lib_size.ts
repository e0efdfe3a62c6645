/** The size of the client alone as a page would load it: minified and gzipped. */

import { fileURLToPath } from "node:url";
import { build } from "vite";
import { type Bench, figureOf } from "./bench.ts";

const entry = "\0client";
const lib = fileURLToPath(new URL("../lib/mod.ts", import.meta.url));

/** How many bytes the client may have; decimal, as others give sizes. */
const ALLOWED = 9000;

const bench: Bench = async () => {
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [{
      name: "client-alone",
      resolveId: (id: string) => id === entry ? id : undefined,
      // A page uses what it names; everything else must be dropped.
      load: (id: string) =>
        id === entry
          ? `export { createClient, isDocketError } from ${JSON.stringify(lib)};`
          : undefined,
    }],
    build: {
      write: false,
      minify: true,
      target: "esnext",
      rollupOptions: { input: entry, preserveEntrySignatures: "strict" },
    },
  });
  const bundle = (Array.isArray(built) ? built[0] : built) as unknown as {
    readonly output: readonly [{ readonly code: string }];
  };
  const stream = new Blob([bundle.output[0].code]).stream();
  const gzip = stream.pipeThrough(new CompressionStream("gzip"));
  const { length } = await new Response(gzip).bytes();
  return [figureOf(
    "size of the client alone, minified and gzipped, against 9 KB",
    { measured: length, baseline: ALLOWED },
    (bytes) => `${(bytes / 1000).toFixed(1)} KB`,
    "≤ 1",
  )];
};

export default bench;
