/** Lets pages that arrive together go on one after the other, so that others are answered between. */
import { setImmediate as turn } from "node:timers/promises";

/** A short request is accepted, read, answered and sent in fewer turns of the event loop. */
const TURNS = 3;

let last: Promise<void> = Promise.resolve();

/** Resolves some turns of the event loop after the caller before. */
export async function takeTurn(): Promise<void> {
  last = last.then(async () => {
    for (let count = 0; count < TURNS; count++) await turn();
  });
  await last;
}
