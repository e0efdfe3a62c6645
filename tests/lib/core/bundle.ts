/** Writes the core checks for Node to standard output, as one module without types. */

import { rolldown } from "rolldown";

const input = new URL("./node.ts", import.meta.url).pathname;
const bundle = await rolldown({ input, platform: "node" });
const { output: [{ code }] } = await bundle.generate({ format: "esm" });
await bundle.close();
await new Blob([code]).stream().pipeTo(Deno.stdout.writable);
