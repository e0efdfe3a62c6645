import { assertEquals } from "@std/assert";
import { createKnownCopies } from "../../../../server/observer/looking/known_copies.ts";

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
  const known = await copies.of({ scheduleId: 7, looked: null });
  copies.keep(7, 100, known);
  assertEquals(await copies.of({ scheduleId: 7, looked: 100 }), known);
  assertEquals(read, [7]);
  // Another instance looked meanwhile, or the schedule was watched anew.
  for (const looked of [160, null, 100]) await copies.of({ scheduleId: 7, looked });
  assertEquals(read, [7, 7, 7, 7]);
});

Deno.test("createKnownCopies: so many characters are kept, and the oldest given up first", async () => {
  const { copies, read } = copiesOf(25);
  for (const scheduleId of [1, 2, 3]) {
    copies.keep(scheduleId, 5, await copies.of({ scheduleId, looked: null }));
  }
  for (const scheduleId of [3, 2, 1]) await copies.of({ scheduleId, looked: 5 });
  assertEquals(read, [1, 2, 3, 1]);
});
