import type { Actor } from "../lib/actor.ts";
import type { Acting } from "../server/store/records/events.ts";

/** People who typed their names. */
export const ADA: Actor = { name: "Ada", known: "typed" };
/** She, at a time long ago. */
export const BY_ADA: Acting = { actor: ADA, now: 9 };
export const BOB: Actor = { name: "Bob", known: "typed" };
