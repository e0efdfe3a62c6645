import { assertEquals } from "@std/assert";
import {
  Address,
  AddressesShown,
  AddressSwitch,
} from "../../../../components/runs/recipients/address.tsx";
import {
  MAX_LISTED,
  recipientChoices,
} from "../../../../components/runs/recipients/recipient_choices.ts";
import { recipientName } from "../../../../lib/runs/recipient_names.ts";
import { RecipientList } from "../../../../components/runs/recipients/recipient_list.tsx";
import type { Recipient } from "../../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../../rendered.ts";

const person = (userId: number, displayName: string): Recipient => ({
  userId,
  displayName,
  emailAddress: `${displayName.toLowerCase()}@example.com`,
});
const [ann, ben] = [person(1, "Ann"), person(2, "Ben")];

function runOn(day: number, recipients: readonly Recipient[]) {
  return { id: day, startTime: `2026-01-${String(day).padStart(2, "0")}T06:00:00Z`, recipients };
}

Deno.test("recipientName: the name, else the masked address, else the user id", () => {
  assertEquals(recipientName(ann, false), "Ann");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ emailAddress: "ann@example.com" }, true), "ann@example.com");
  assertEquals(recipientName({ displayName: "ann@example.com" }, false), "a…@example.com");
  assertEquals(recipientName({ userId: 7 }, false), "user 7");
  assertEquals(recipientName({}, false), "somebody");
});

Deno.test("recipientChoices: lists each recipient once by name, with masked addresses", () => {
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

Deno.test("RecipientList: shows twenty, lists a thousand, and says where the others are", () => {
  const list = (count: number) =>
    htmlOf(
      <RecipientList
        run={runOn(1, Array.from({ length: count }, (_, id) => person(id, `P${id}`)))}
      />,
    );
  const help = "Only the first 1,000 are listed; an export of the runs as JSON has all of them.";
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

Deno.test("Address, AddressSwitch: mask and show addresses, and keep the page's filters", () => {
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
