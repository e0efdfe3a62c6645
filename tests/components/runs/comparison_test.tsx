import { assertEquals } from "@std/assert";
import { Comparison } from "../../../components/runs/run_facts.tsx";
import { AddressesShown } from "../../../components/runs/recipients/address.tsx";
import { htmlOf, textsOf } from "../rendered.ts";

const ada = (emailAddress: string) => ({ userId: 7, displayName: "Ada", emailAddress });
const COMPARISON = (
  <Comparison
    before={{ id: 1, recipients: [ada("ada@example.com")] }}
    after={{ id: 2, recipients: [ada("ada@private.example")] }}
    scheduleId={101}
  />
);

Deno.test("Comparison: another address of the same person, masked unless asked for", () => {
  const html = htmlOf(COMPARISON);
  assertEquals(textsOf(html, "h3"), ["Address changed"]);
  assertEquals(textsOf(html, "li"), ["Ada, from a…@example.com to a…@private.example"]);
  const shown = htmlOf(<AddressesShown.Provider value>{COMPARISON}</AddressesShown.Provider>);
  assertEquals(textsOf(shown, "li"), ["Ada, from ada@example.com to ada@private.example"]);
});
