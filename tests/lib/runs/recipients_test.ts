import { assertEquals } from "@std/assert";
import {
  claimedCount,
  comparedAddress,
  countRecipients,
  domainOf,
  maskAddress,
  maskAddresses,
  maskRecipient,
  peopleAmong,
  recipientKey,
  recipientName,
} from "../../../lib/runs/recipients.ts";

const at = (userId: number | null, emailAddress: string) => ({ userId, emailAddress });

Deno.test("peopleAmong: ids that are not positive, or of several addresses in a list, are nobody", () => {
  const lists = [
    [at(0, "a@x.example"), at(0, "b@x.example"), at(-1, "A@x.example")],
    [at(5, "c@x.example"), at(5, "d@x.example"), at(6, "e@x.example"), at(6, "E@x.example ")],
    [at(5, "c@x.example"), at(null, "e@x.example")],
  ];
  const keys = lists.map((list) => list.map((each) => peopleAmong(lists)(each).key));
  assertEquals(keys, [
    ["address a@x.example", "address b@x.example", "address a@x.example"],
    ["address c@x.example", "address d@x.example", "user 6", "user 6"],
    ["address c@x.example", "user 6"],
  ]);
});

Deno.test("peopleAmong: an address alone is the user id's, if only one user id has it", () => {
  const [ada, alone] = [at(1, "ada@x.example"), at(null, "ADA@x.example")];
  const keyOfAlone = (...others: { userId: number; emailAddress: string }[]) =>
    peopleAmong([[ada, alone], others])(alone).key;
  assertEquals(keyOfAlone(), "user 1");
  assertEquals(keyOfAlone({ ...ada, userId: 2 }), "address ada@x.example");
});

Deno.test("comparedAddress, domainOf: ignore case, blanks, and what databases can't store", () => {
  const address = " A\0da@X.exa\ud800mple ";
  assertEquals([comparedAddress(address), domainOf(address)], ["ada@x.example", "x.example"]);
  assertEquals([comparedAddress("\0"), domainOf("a@\0"), domainOf("a")], Array(3).fill(undefined));
  assertEquals(domainOf("@x.example"), "x.example");
});

Deno.test("countRecipients: each person listed once, and without a list the run's own number", () => {
  const listed = [at(1, "a@x.example"), at(1, "A@x.example"), at(1, "b@x.example")];
  const run = { id: 1, recipients: listed, recipientCount: 2 ** 53 - 1 };
  assertEquals([countRecipients(run), claimedCount(run)], [2, 2 ** 53 - 1]);
  assertEquals(claimedCount({ ...run, recipientCount: 2 }), null);
  assertEquals(countRecipients({ id: 1, recipients: null, recipientCount: 3 }), 3);
  // Ada once without her address, and once without her user id.
  const ada = [at(2, "ada@x.example"), at(2, ""), at(0, "ada@x.example")];
  assertEquals(countRecipients({ id: 1, recipients: ada }), 1);
});

Deno.test("recipientKey: the user id, else the address, else the name", () => {
  const named = { userId: 0, displayName: "Ada" };
  const keys = [{ ...named, userId: 7 }, { ...named, emailAddress: "A@x.example" }, named]
    .map((each) => recipientKey(each));
  assertEquals(keys, ["user 7", "address a@x.example", "name Ada"]);
});

Deno.test("recipientName: the name, else the masked address, else the user id", () => {
  const emailAddress = "ann@example.com";
  const ann = { userId: 1, displayName: "Ann", emailAddress };
  const blank = { ...ann, displayName: " " };
  const recipients = [ann, blank, { displayName: emailAddress }, { userId: 7 }, {}];
  const names = ["Ann", "a…@example.com", "a…@example.com", "user 7", "somebody"];
  assertEquals(recipients.map((each) => recipientName(each, false)), names);
  assertEquals(recipientName({ emailAddress }, true), emailAddress);
});

Deno.test("maskAddress: the first letter and the domain, or nothing of what is no address", () => {
  const addresses = ["amara@example.com", "😀x@example.com", "a@b@example.com", "@x", "nobody", ""];
  const [ann, smile, ...others] = addresses.map(maskAddress);
  assertEquals([ann, smile], ["a…@example.com", "😀…@example.com"]);
  assertEquals(others, ["a…@example.com", "…", "…", "…"]);
});

Deno.test("maskRecipient: the address, and a name that has one; all else stays", () => {
  const ada = { runs: 3, displayName: "Ada", emailAddress: "ada@example.com" };
  assertEquals(maskRecipient(ada), { ...ada, emailAddress: "a…@example.com" });
  const unnamed = { displayName: "ada@example.com", emailAddress: null };
  assertEquals(maskRecipient(unnamed), { displayName: "a…@example.com", emailAddress: null });
});

Deno.test("maskAddresses: finds addresses wherever they stand in a text, and nothing else", () => {
  const cases = {
    "Mail to ann.lee+x@example.com failed": "Mail to a…@example.com failed",
    '{"to":"ann@mail.example.com"}': '{"to":"a…@mail.example.com"}',
    "<ann@example.com>,bob@example.org;": "<a…@example.com>,b…@example.org;",
    "mailto:ann@example.com?subject=x": "mailto:a…@example.com?subject=x",
    "https://x.example/?to=ann%40example.com&a=b": "https://x.example/?to=…&a=b",
    "postgres://user:secret@db.example.com/x": "postgres://user:s…@db.example.com/x",
    "Grüße an jörg@exämple.de.": "Grüße an j…@exämple.de.",
  };
  for (const [text, masked] of Object.entries(cases)) assertEquals(maskAddresses(text), masked);
  const others = [
    "at run (file:///srv/node_modules/.deno/pg@8.23.1/node_modules/pg/lib/client.js:5:17)",
    "npm:@scope/name@1.0.0-beta.2",
    "a @ b, @name, name@",
  ];
  assertEquals(others.map(maskAddresses), others);
});

Deno.test("maskAddresses: ends soon for long texts that resemble addresses", () => {
  for (const piece of ["a", "a@", "a.", "@a.", "%40"]) {
    const text = piece.repeat(50_000);
    assertEquals(maskAddresses(text).length > 0, true, piece);
  }
});
