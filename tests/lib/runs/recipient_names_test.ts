import { assertEquals } from "@std/assert";
import { recipientName } from "../../../lib/runs/recipients.ts";

const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };

Deno.test("recipientName: the name, else the masked address, else the user id", () => {
  const { emailAddress } = ann;
  const blank = { ...ann, displayName: " " };
  const recipients = [ann, blank, { displayName: emailAddress }, { userId: 7 }, {}];
  const names = ["Ann", "a…@example.com", "a…@example.com", "user 7", "somebody"];
  assertEquals(recipients.map((each) => recipientName(each, false)), names);
  assertEquals(recipientName({ emailAddress }, true), emailAddress);
});
