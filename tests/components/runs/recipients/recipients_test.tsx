import { assertEquals, assertMatch } from "@std/assert";
import {
  flaggedFirst,
  matchesFilter,
  readRecipientFilter,
  RecipientFilterForm,
} from "../../../../components/runs/recipients/recipient_filter.tsx";
import {
  Address,
  AddressesShown,
  AddressSwitch,
} from "../../../../components/runs/recipients/address.tsx";
import {
  MAX_LISTED,
  recipientChoices,
  recipientName,
} from "../../../../components/runs/recipients/recipient_choices.ts";
import { RecipientList } from "../../../../components/runs/recipients/recipient_list.tsx";
import { RecipientTable } from "../../../../components/runs/recipients/recipient_table.tsx";
import { RecipientTimeline } from "../../../../components/runs/recipients/recipient_timeline.tsx";
import { recipientHistories, recipientTimeline } from "../../../../lib/runs/recipients.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { Recipient } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";

const person = (userId: number, displayName: string, domain = "example.com"): Recipient => ({
  userId,
  displayName,
  emailAddress: `${displayName.toLowerCase()}@${domain}`,
});
const [ann, ben, eve] = [person(1, "Ann"), person(2, "Ben"), person(3, "Eve", "other.example")];

function runOn(day: number, recipients: readonly Recipient[]) {
  return { id: day, startTime: `2026-01-${String(day).padStart(2, "0")}T06:00:00Z`, recipients };
}

Deno.test("RecipientTimeline: who came and who went, each with its run, the newest first", () => {
  const changes = recipientTimeline([
    runOn(1, [ann]),
    runOn(2, [ann]),
    runOn(3, [ann, ben, eve]),
    runOn(4, [ben, eve]),
  ]);
  const html = htmlOf(
    <RecipientTimeline
      changes={changes}
      scheduleId={7}
      isNew={({ userId }) => userId === 3}
    />,
  );
  assertEquals(textsOf(html, "li"), [
    "2026-01-04 06:00− 1: Ann",
    "2026-01-03 06:00+ 2: ⚠ Eve (new external), Ben",
  ]);
  assertEquals(linksOf(html), {
    "2026-01-04 06:00": "/schedules/7/runs/4",
    "2026-01-03 06:00": "/schedules/7/runs/3",
  });
  assertMatch(html, /<strong class="status bad">⚠ Eve/);
});

Deno.test("RecipientTimeline: many names and many changes are cut, and it says so", () => {
  const many = Array.from({ length: 11 }, (_, id) => person(id, `P${id}`));
  const timeline = (changes: ReturnType<typeof recipientTimeline>) =>
    htmlOf(
      <AddressesShown.Provider value>
        <RecipientTimeline changes={changes} scheduleId={7} isNew={() => false} />
      </AddressesShown.Provider>,
    );
  const added = (people: readonly Recipient[]) =>
    textsOf(timeline(recipientTimeline([runOn(1, [ann]), runOn(2, [ann, ...people])])), "li");
  const eight = "P0, P1, P2, P3, P4, P5, P6, P7";
  assertEquals(added(many), [`2026-01-02 06:00+ 11: ${eight} and 3 more`]);
  assertEquals(added(many.slice(0, 8)), [`2026-01-02 06:00+ 8: ${eight}`]);
  const changes = Array.from({ length: 51 }, (_, id) => ({
    run: { id, startTime: null },
    came: [ann],
    went: [],
  }));
  const html = timeline(changes);
  assertEquals(textsOf(html, "li").length, 50);
  assertEquals(textsOf(html, "summary"), ["40 earlier changes"]);
  assertEquals(textsOf(html.slice(0, html.indexOf("<details")), "li").length, 10);
  assertEquals(textsOf(html, "p"), ["1 older change not shown."]);
  const fifty = timeline(changes.slice(1));
  assertEquals([textsOf(fifty, "li").length, textsOf(fifty, "p")], [50, []]);
  assertEquals(textsOf(timeline(changes.slice(0, 10)), "summary"), []);
  assertEquals(textsOf(timeline([]), "p"), ["No recipients were added or removed in these runs."]);
});

Deno.test("recipientName: the name, else the masked address, else the user id", () => {
  assertEquals(recipientName(ann, false), "Ann");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, true), "ann@example.com");
  assertEquals(recipientName({ displayName: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ userId: 7 }, false), "user 7");
  assertEquals(recipientName({}, false), "somebody");
});

Deno.test("readRecipientFilter and matchesFilter: by a part of the name and by domain", () => {
  const filter = (query: string) => readRecipientFilter(new URLSearchParams(query));
  assertEquals(filter("name=+AN+&domain=Example.com"), { name: "AN", domain: "example.com" });
  assertEquals(filter(""), { name: "", domain: "" });
  const matches = (query: string) =>
    [ann, ben, eve].filter((one) => matchesFilter(one, [one.emailAddress], filter(query)))
      .map(({ displayName }) => displayName);
  assertEquals(matches(""), ["Ann", "Ben", "Eve"]);
  assertEquals(matches("name=EN"), ["Ben"]);
  assertEquals(matches("domain=other.example"), ["Eve"]);
  assertEquals(matches("name=e&domain=example.com"), ["Ben"]);
  assertEquals(matches("domain=example"), []);
});

Deno.test("flaggedFirst: who needs a look is first, the rest stays in order", () => {
  const histories = recipientHistories([runOn(1, [ann, ben, eve])], defaultStatusDictionary());
  assertEquals(
    flaggedFirst(histories, new Map([["user 3", "external"]])).map(({ key }) => key),
    ["user 3", "user 1", "user 2"],
  );
});

Deno.test("RecipientFilterForm: domains with their counts, and what was asked for stays", () => {
  const form = (filter: { name: string; domain: string }, addressesShown = false) =>
    htmlOf(
      <AddressesShown.Provider value={addressesShown}>
        <RecipientFilterForm
          scheduleId={7}
          filter={filter}
          domains={[{ domain: "example.com", recipients: 1200 }]}
        />
      </AddressesShown.Provider>,
    );
  assertEquals(textsOf(form({ name: "", domain: "" }), "option"), ["any", "example.com (1,200)"]);
  assertEquals(linksOf(form({ name: "", domain: "" })), {});
  const html = form({ name: 'a"b', domain: "gone.example" }, true);
  assertEquals(textsOf(html, "option"), ["any", "gone.example (0)", "example.com (1,200)"]);
  assertMatch(html, /<option value="gone.example" selected/);
  assertMatch(html, /value="a&quot;b"/);
  assertMatch(html, /type="hidden" name="addresses" value="shown"/);
  assertEquals(linksOf(html), { Clear: "/schedules/7/recipients?addresses=shown" });
});

Deno.test("recipientChoices: by name, once each, and no address in the open", () => {
  const runs = [
    runOn(1, [ben, ann, { displayName: "Nobody" }]),
    runOn(2, [{ userId: 2, displayName: "Other" }, { userId: 9, displayName: "zed@example.com" }]),
    { id: 3, recipients: null },
  ];
  assertEquals(recipientChoices(runs), [
    { userId: 1, name: "Ann" },
    { userId: 2, name: "Ben" },
    { userId: 9, name: "z…@example.com" },
  ]);
  // A later run may know the name.
  const late = [runOn(1, [{ userId: 1 }]), runOn(2, [ann])];
  assertEquals(recipientChoices(late), [{ userId: 1, name: "Ann" }]);
});

Deno.test("RecipientList: twenty in view, a thousand at most, and it says where the others are", () => {
  const list = (count: number) =>
    htmlOf(
      <RecipientList
        run={runOn(1, Array.from({ length: count }, (_, id) => person(id, `P${id}`)))}
      />,
    );
  const help = "Only the first 1,000 are listed; the CSV export has all of them.";
  // Both tables have headings.
  assertEquals(textsOf(list(MAX_LISTED), "tr").length, 1002);
  assertEquals(textsOf(list(MAX_LISTED), "summary"), ["980 more recipients"]);
  assertEquals(textsOf(list(20), "summary"), []);
  assertEquals(textsOf(list(MAX_LISTED), "p").includes(help), false);
  const longer = list(MAX_LISTED + 1);
  assertEquals(textsOf(longer, "tr").length, 1002);
  assertEquals(textsOf(longer, "p"), ["1,001 recipients · Show addresses", help]);
  assertEquals(textsOf(list(1), "tr")[0], "Name | Email address | User id");
});

const statuses = defaultStatusDictionary();

/** The rows of a table of everybody who received these runs, newest first. */
function rowsOf(runs: Parameters<typeof recipientHistories>[0], addressesShown = true): string[] {
  const html = htmlOf(
    <AddressesShown.Provider value={addressesShown}>
      <RecipientTable
        histories={recipientHistories(runs, statuses)}
        flags={new Map()}
        scheduleId={7}
      />
    </AddressesShown.Provider>,
  );
  return textsOf(html, "tr");
}

Deno.test("RecipientTable: one report needs no column, and who has no name goes by the id", () => {
  const [headings, row] = rowsOf([{ ...runOn(1, [{ userId: 5 }]), reportTitle: "Claims" }]);
  assertEquals(
    headings,
    "Name | Email address | Successful runs | First UTC | Last UTC | User id",
  );
  assertEquals(
    row,
    "user 5 | none | 0 of 1 | 2026-01-01 06:00 | current | 5",
  );
});

Deno.test("Address, AddressSwitch: masked until asked for, and back, with the page's filters", () => {
  const address = (shown: boolean, text: string | null = "ann@example.com") =>
    textOf(htmlOf(
      <AddressesShown.Provider value={shown}>
        <Address address={text} />
      </AddressesShown.Provider>,
    ));
  assertEquals([address(true), address(false), address(true, null)], [
    "ann@example.com",
    "a…@example.com",
    "none",
  ]);
  const link = (shown: boolean) =>
    linksOf(htmlOf(
      <AddressesShown.Provider value={shown}>
        <AddressSwitch anchor="list" params="name=a" />
      </AddressesShown.Provider>,
    ));
  assertEquals(link(false), { "Show addresses": "?name=a&addresses=shown#list" });
  assertEquals(link(true), { "Mask addresses": "?name=a#list" });
});
