/** The version in deno.json, which a published module can't read. */
export const VERSION = "0.1.0";
