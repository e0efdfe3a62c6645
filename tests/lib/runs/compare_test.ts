import { assertEquals } from "@std/assert";
import { compareRuns } from "../../../lib/mod.ts";

Deno.test("compareRuns: another address of the same user is a change, and nobody came or went", () => {
  const ada = (emailAddress?: string) => ({ userId: 7, displayName: "Ada", emailAddress });
  const compared = (before?: string, after?: string) => {
    const { added, dropped, kept, changedAddresses } = compareRuns(
      { id: 1, recipients: [ada(before), { userId: 8 }] },
      { id: 2, recipients: [ada(after), { userId: 8 }] },
    );
    assertEquals([added, dropped, kept], [[], [], 2]);
    return changedAddresses;
  };
  assertEquals(compared("ada@example.com", "ada@private.example"), [
    { before: ada("ada@example.com"), after: ada("ada@private.example") },
  ]);
  assertEquals(compared("ada@example.com", "Ada@Example.com"), []);
  assertEquals(compared("ada@example.com", undefined), []);
});

Deno.test("compareRuns: without a list, addresses are not known", () => {
  assertEquals(compareRuns({ id: 1 }, { id: 2, recipients: [] }).changedAddresses, null);
});
