/** Writes a program of the core checks to standard output, as one module without types. */

import { rolldown } from "rolldown";

const [name] = Deno.args;
const bundle = await rolldown({
  input: new URL(name, import.meta.url).pathname,
  platform: "browser",
});
const { output: [{ code }] } = await bundle.generate({ format: "esm" });
await bundle.close();
await new Blob([code]).stream().pipeTo(Deno.stdout.writable);
