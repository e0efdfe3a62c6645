import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { compareRuns } from "../../../lib/mod.ts";
import { anyRun } from "./arbitrary.ts";

Deno.test("compareRuns: another address of the same user is a change, and nobody came or went", () => {
  const ada = (emailAddress?: string) => ({ userId: 7, displayName: "Ada", emailAddress });
  const compared = (before?: string, after?: string) => {
    const { added, dropped, inBoth, changedAddresses } = compareRuns(
      { id: 1, recipients: [ada(before), { userId: 8 }] },
      { id: 2, recipients: [ada(after), { userId: 8 }] },
    );
    assertEquals([added, dropped, inBoth], [[], [], 2]);
    return changedAddresses;
  };
  assertEquals(compared("ada@example.com", "ada@private.example"), [
    { before: ada("ada@example.com"), after: ada("ada@private.example") },
  ]);
  assertEquals(compared("ada@example.com", "Ada@Example.com"), []);
  assertEquals(compared("ada@example.com", undefined), []);
  // Without a list, addresses are not known.
  assertEquals(compareRuns({ id: 1 }, { id: 2, recipients: [] }).changedAddresses, null);
});

Deno.test("compareRuns: a run does not differ from itself, and both ways mirror each other", () =>
  fc.assert(fc.property(anyRun, anyRun, (a, b) => {
    const same = compareRuns(a, a);
    assertEquals([same.changes, same.added ?? [], same.dropped ?? []], [[], [], []]);
    const there = compareRuns(a, b);
    const back = compareRuns(b, a);
    assertEquals(there.added, back.dropped);
    assertEquals(there.inBoth, back.inBoth);
    assertEquals(there.changes.length, back.changes.length);
  })));
