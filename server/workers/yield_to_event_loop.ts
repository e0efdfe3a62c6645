/** Makes slow pages wait for each other, so that short requests are answered in between. */
import { setImmediate as turn } from "node:timers/promises";

/** A short request is accepted, read, answered and sent in fewer turns of the event loop. */
const TURNS = 3;

let last: Promise<void> = Promise.resolve();

/** Resolves some turns of the event loop after the previous caller's promise. */
export async function yieldToEventLoop(): Promise<void> {
  last = last.then(async () => {
    for (let count = 0; count < TURNS; count++) await turn();
  });
  await last;
}
