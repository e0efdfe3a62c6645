import { assertEquals } from "@std/assert";
import { domainsNow, updateInside } from "../../../server/schedules/domains.ts";
import type { ServiceFacts } from "../../../server/store/records/service_facts.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";

/** Records of people at domains, and how many receipts each domain has. */
function recordsWith(
  receipts: Readonly<Record<string, number>>,
  { unread = 0, outage = false } = {},
) {
  const facts = { inside: null as readonly string[] | null };
  const people = {
    countUnread: () => Promise.resolve({ unread, failing: 1, uncounted: 0 }),
    byDomain: () =>
      Promise.resolve(
        Object.entries(receipts).map(([domain, receipts]) => ({
          ...{ domain: domain || null, receipts, people: 1, stopped: 0, first: 0 },
        })),
      ),
  } as Pick<ObserverRecords["people"], "countUnread" | "byDomain">;
  const service = {
    get: () => Promise.resolve(facts as ServiceFacts),
    storeInside: (inside: readonly string[]) => Promise.resolve(void (facts.inside = inside)),
  } as Pick<ObserverRecords["service"], "get" | "storeInside">;
  const incidents = { open: () => Promise.resolve(outage ? [{ code: "unreadable" }] : []) };
  const records = { people, service, incidents } as unknown as Parameters<typeof updateInside>[0];
  return { facts, records };
}

/** What is inside after an update, with a setting and a domain that was inside before. */
async function insideAfter(
  receipts: Readonly<Record<string, number>>,
  { unread = 0, outage = false, set = [] as string[], before = null as readonly string[] | null } =
    {},
) {
  const { facts, records } = recordsWith(receipts, { unread, outage });
  facts.inside = before;
  await updateInside(records, { homeDomains: set }, 0);
  return facts.inside;
}

Deno.test("updateInside: the domain of most reports, but none where anybody can get an address", async () => {
  const receipts = { "": 90, "gmail.com": 50, "partner.example": 15, "acme.example": 16 };
  assertEquals(await insideAfter(receipts), ["acme.example"]);
  assertEquals(await insideAfter({ "": 1, "gmail.com": 50 }), null);
  const { records } = recordsWith(receipts);
  assertEquals((await domainsNow(records, { homeDomains: [] }, 0)).home, ["acme.example"]);
  const { home, isSet } = await domainsNow(records, { homeDomains: ["own.example"] }, 0);
  assertEquals([home, isSet], [["own.example"], true]);
});

Deno.test("updateInside: waits until all is read, unless the domains are set", async () => {
  assertEquals(await insideAfter({ "acme.example": 1 }, { unread: 1 }), null);
  assertEquals(await insideAfter({ "acme.example": 1 }, { outage: true }), null);
  assertEquals(await insideAfter({}, { unread: 1, set: ["own.example"] }), ["own.example"]);
});

Deno.test("updateInside: another domain takes over with a quarter more reports", async () => {
  const before = ["acme.example"];
  const after = (other: number) =>
    insideAfter({ "acme.example": 100, "new.example": other }, { before });
  assertEquals([await after(124), await after(125)], [["acme.example"], ["new.example"]]);
});
