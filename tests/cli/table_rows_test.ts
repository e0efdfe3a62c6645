import { assertEquals } from "@std/assert";
import { runTableRow } from "../../cli/table_rows.ts";

Deno.test("runTableRow: people are counted, or else the recipients that are listed", () => {
  const recipients = [{ userId: 1, emailAddress: "ada@example.com" }];
  const people = (more: object) => (runTableRow({ id: 1, ...more }) as { people?: number }).people;
  assertEquals(people({ recipientCount: 3, recipients }), 3);
  assertEquals(people({ recipients }), 1);
  assertEquals(people({}), undefined);
});
