import { assertEquals } from "@std/assert";
import { createKnownCopies } from "../../../../server/observer/polling/known_copies.ts";

/** Copies of which each is a text of ten characters; reading them is counted. */
function copiesOf(most?: number) {
  const read: number[] = [];
  const copies = createKnownCopies({
    newestTexts(scheduleId) {
      read.push(scheduleId);
      return Promise.resolve([{ id: 1, start: 1, text: "0123456789" }]);
    },
    count: () => Promise.resolve(1),
  }, most);
  return { copies, read };
}

Deno.test("createKnownCopies: copies are read again once another look is recorded", async () => {
  const { copies, read } = copiesOf();
  const known = await copies.of({ scheduleId: 7, polled: null });
  copies.keep(7, 100, known);
  assertEquals(await copies.of({ scheduleId: 7, polled: 100 }), known);
  assertEquals(read, [7]);
  // Another instance polled meanwhile, or the schedule was watched anew.
  for (const polled of [160, null, 100]) await copies.of({ scheduleId: 7, polled });
  assertEquals(read, [7, 7, 7, 7]);
});

Deno.test("createKnownCopies: if not all fit, those that are kept stay while they are looked at", async () => {
  const { copies, read } = copiesOf(25);
  async function lookAt(scheduleIds: readonly number[], before: number | null, polled: number) {
    read.length = 0;
    for (const scheduleId of scheduleIds) {
      copies.keep(scheduleId, polled, await copies.of({ scheduleId, polled: before }));
    }
    return [...read];
  }
  assertEquals(await lookAt([1, 2, 3], null, 5), [1, 2, 3]);
  assertEquals(await lookAt([1, 2, 3], 5, 6), [3]);
  // The first is not watched any more.
  const later = 2 * 24 * 3_600_000;
  await lookAt([2, 3], 6, later);
  assertEquals(await lookAt([2, 3], later, later + 1), []);
});
