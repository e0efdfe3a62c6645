import { assertEquals } from "@std/assert";
import { domainsNow, updateInside } from "../../../server/schedules/recipient_facts.ts";

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

Deno.test("updateInside: the domain of most reports once all is read, unless domains are set", async () => {
  const receipts = { "": 90, "gmail.com": 50, "partner.example": 15, "acme.example": 16 };
  const set = ["own.example"];
  const found = { inside: "acme.example", home: "acme.example", isSet: false };
  const isSet = { inside: "own.example", home: "own.example", isSet: true };
  assertEquals([await insideOf(receipts), await insideOf(receipts, { set })], [found, isSet]);
  // Anybody can get an address there.
  const none = { inside: undefined, home: "", isSet: false };
  assertEquals(await insideOf({ "": 1, "gmail.com": 50 }), none);
  for (const one of [{ counts: { unread: 1 } }, { counts: { uncounted: 1 } }, { outage: true }]) {
    assertEquals(await insideOf(receipts, one), { ...found, inside: undefined });
    assertEquals(await insideOf({}, { ...one, set }), isSet);
  }
  // Another domain takes over with a quarter more reports.
  for (const [reports, inside] of [[124, "a.example"], [125, "new.example"]] as const) {
    const before = { before: ["a.example"] };
    const now = await insideOf({ "a.example": 100, "new.example": reports }, before);
    assertEquals(now.inside, inside);
  }
});
