/** Gives properties the same values in every gate. A test file that runs alone tries new ones. */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(Deno.env.get("SEED") ?? 2026) });
