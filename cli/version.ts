/** The package's version, as deno.json says it too: a published module can't read that file. */
export const VERSION = "0.1.0";
