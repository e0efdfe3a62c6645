import type { Actor } from "../lib/actor.ts";

/** People who typed their names. */
export const ADA: Actor = { name: "Ada", known: "typed" };
export const BOB: Actor = { name: "Bob", known: "typed" };
