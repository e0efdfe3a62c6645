import { assertEquals } from "@std/assert";
import { domainsNow, updateInside } from "../../../server/schedules/domains.ts";

interface Case {
  /** HOME_DOMAINS. */
  readonly set?: readonly string[];
  /** What was inside until now. */
  readonly before?: readonly string[];
  readonly counts?: { readonly unread?: number; readonly uncounted?: number };
  readonly outage?: boolean;
}

/** What is inside, and what pages take as the home, where domains receive so many reports. */
async function insideOf(receipts: Readonly<Record<string, number>>, one: Case = {}) {
  let inside = one.before ?? null;
  const domains = Object.entries(receipts)
    .map(([domain, receipts]) => ({ domain: domain || null, receipts, first: 0 }));
  const counts = { unread: 0, uncounted: 0, failing: 1, ...one.counts };
  const records = {
    people: {
      countUnread: () => Promise.resolve(counts),
      byDomain: () => Promise.resolve(domains),
    },
    service: {
      get: () => Promise.resolve({ inside }),
      storeInside: (found: readonly string[]) => Promise.resolve(void (inside = found)),
    },
    incidents: { open: () => Promise.resolve(one.outage ? [{ code: "unreadable" }] : []) },
  } as unknown as Parameters<typeof updateInside>[0] & Parameters<typeof domainsNow>[0];
  const settings = { homeDomains: one.set ?? [] };
  const { home, isSet } = await domainsNow(records, settings, 0);
  await updateInside(records, settings, 0);
  return { inside: inside?.join(), home: home.join(), isSet };
}

const RECEIPTS = { "": 90, "gmail.com": 50, "partner.example": 15, "acme.example": 16 };
const FOUND = { inside: "acme.example", home: "acme.example", isSet: false };
const SET = { inside: "own.example", home: "own.example", isSet: true };

Deno.test("updateInside: the domain of most reports, but none where anybody can get an address", async () => {
  assertEquals(await insideOf(RECEIPTS), FOUND);
  const none = { inside: undefined, home: "", isSet: false };
  assertEquals(await insideOf({ "": 1, "gmail.com": 50 }), none);
  assertEquals(await insideOf(RECEIPTS, { set: ["own.example"] }), SET);
});

Deno.test("updateInside: waits until all is read, unless the domains are set", async () => {
  for (const one of [{ counts: { unread: 1 } }, { counts: { uncounted: 1 } }, { outage: true }]) {
    assertEquals(await insideOf(RECEIPTS, one), { ...FOUND, inside: undefined });
    assertEquals(await insideOf({}, { ...one, set: ["own.example"] }), SET);
  }
});

Deno.test("updateInside: another domain takes over with a quarter more reports", async () => {
  const after = (other: number) =>
    insideOf({ "a.example": 100, "new.example": other }, { before: ["a.example"] });
  const stays = { inside: "a.example", home: "a.example", isSet: false };
  assertEquals(await after(124), stays);
  assertEquals(await after(125), { ...stays, inside: "new.example" });
});
