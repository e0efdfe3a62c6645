import { assertEquals } from "@std/assert";
import { runTableRow } from "../../cli/table_rows.ts";

Deno.test("runTableRow: listed recipients count, with another claim beside them, or else the claim", () => {
  const recipients = [{ userId: 1, emailAddress: "ada@example.com" }];
  const people = (more: object) => (runTableRow({ id: 1, ...more }) as { people?: unknown }).people;
  assertEquals(people({ recipientCount: 9e15, recipients }), "1 (claimed 9000000000000000)");
  assertEquals(people({ recipientCount: 3 }), 3);
  assertEquals(people({ recipients }), 1);
  assertEquals(people({}), undefined);
});
