import { assertEquals } from "@std/assert";
import { domainsNow, updateInside } from "../../../server/schedules/domains.ts";

type Receipts = Readonly<Record<string, number>>;

interface Case {
  readonly unread?: number;
  readonly uncounted?: number;
  readonly outage?: boolean;
  /** HOME_DOMAINS. */
  readonly set?: readonly string[];
  /** What was inside until now. */
  readonly before?: readonly string[];
}

/** Records of people at domains, each of which has so many receipts. */
function recordsWith(receipts: Receipts, one: Case = {}) {
  const { unread = 0, uncounted = 0, outage = false } = one;
  let inside = one.before ?? null;
  const domains = Object.entries(receipts)
    .map(([domain, receipts]) => ({ domain: domain || null, receipts, first: 0 }));
  return {
    people: {
      countUnread: () => Promise.resolve({ unread, failing: 1, uncounted }),
      byDomain: () => Promise.resolve(domains),
    },
    service: {
      get: () => Promise.resolve({ inside }),
      storeInside: (found: readonly string[]) => Promise.resolve(void (inside = found)),
    },
    incidents: { open: () => Promise.resolve(outage ? [{ code: "unreadable" }] : []) },
  } as unknown as Parameters<typeof updateInside>[0];
}

async function insideAfter(receipts: Receipts, one: Case = {}) {
  const records = recordsWith(receipts, one);
  await updateInside(records, { homeDomains: one.set ?? [] }, 0);
  return (await records.service.get()).inside;
}

const RECEIPTS = { "": 90, "gmail.com": 50, "partner.example": 15, "acme.example": 16 };

Deno.test("updateInside: the domain of most reports, but none where anybody can get an address", async () => {
  assertEquals(await insideAfter(RECEIPTS), ["acme.example"]);
  assertEquals(await insideAfter({ "": 1, "gmail.com": 50 }), null);
  const known = async (homeDomains: string[]) => {
    const { home, isSet } = await domainsNow(recordsWith(RECEIPTS), { homeDomains }, 0);
    return [...home, isSet];
  };
  assertEquals(await known([]), ["acme.example", false]);
  assertEquals(await known(["own.example"]), ["own.example", true]);
});

Deno.test("updateInside: waits until all is read, unless the domains are set", async () => {
  for (const one of [{ unread: 1 }, { uncounted: 1 }, { outage: true }]) {
    assertEquals(await insideAfter(RECEIPTS, one), null);
    assertEquals(await insideAfter({}, { ...one, set: ["own.example"] }), ["own.example"]);
  }
});

Deno.test("updateInside: another domain takes over with a quarter more reports", async () => {
  const after = (other: number) =>
    insideAfter({ "a.example": 100, "new.example": other }, { before: ["a.example"] });
  assertEquals([await after(124), await after(125)], [["a.example"], ["new.example"]]);
});
