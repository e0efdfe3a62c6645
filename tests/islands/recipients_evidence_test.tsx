import { assertEquals, assertMatch } from "@std/assert";
import { RecipientsEvidence } from "../../islands/RecipientsEvidence.tsx";
import { htmlOf } from "../components/rendered.ts";

Deno.test("RecipientsEvidence: for too many schedules, shows the command instead of a form", () => {
  const drawn = (count: number) =>
    htmlOf(
      <RecipientsEvidence
        scheduleIds={Array.from({ length: count }, (_, id) => id)}
        most={50}
        today="2026-09-30"
      />,
    );
  assertMatch(drawn(50), /<form action="\/evidence".* max="2026-09-30"/s);
  assertEquals(drawn(51).includes("<form"), false);
  assertMatch(
    drawn(51),
    /at most 50 schedules.* 51\..*docket evidence recipients IDS --on 2026-09-30/s,
  );
});
