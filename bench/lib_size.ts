/** Size of the client alone as a page would load it: minified and gzipped. */

import { fileURLToPath } from "node:url";
import { build } from "vite";

const entry = "\0client";
const lib = fileURLToPath(new URL("../lib/mod.ts", import.meta.url));

const output = await build({
  configFile: false,
  logLevel: "error",
  plugins: [{
    name: "client-alone",
    resolveId: (id: string) => id === entry ? id : undefined,
    // What a page names it uses; everything else must fall away.
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
const bundle = (Array.isArray(output) ? output[0] : output) as unknown as {
  output: [{ code: string }];
};
const [{ code }] = bundle.output;
const stream = new Blob([code]).stream();
const gzipped = await new Response(stream.pipeThrough(new CompressionStream("gzip"))).bytes();
const size = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
console.log(`lib_size: the client alone`);
console.log(
  `  minified ${size(code.length)}, ` +
    `gzipped ${size(gzipped.length)} (wanted: at most 8 KB)`,
);
