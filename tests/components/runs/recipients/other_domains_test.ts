import { assertEquals } from "@std/assert";
import { otherDomains } from "../../../../components/runs/recipients/other_domains.ts";
import { outsideNewcomers } from "../../../../lib/runs/newcomers.ts";
import { recipientHistories } from "../../../../lib/runs/recipients.ts";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import type { ReportRun } from "../../../../lib/types.ts";

function othersOf(lists: readonly (readonly string[])[]) {
  const runs: ReportRun[] = lists.map((list, day) => ({
    id: day,
    startTime: new Date(Date.UTC(2026, 0, 1 + day, 6)).toISOString(),
    recipients: list.map((emailAddress) => ({ emailAddress })),
  }));
  return summaryOf(runs);
}

function summaryOf(runs: readonly ReportRun[]) {
  const histories = recipientHistories(runs, defaultStatusDictionary());
  return otherDomains(histories, outsideNewcomers(runs, defaultStatusDictionary()))
    .map(({ domain, recipients, first }) => [domain, recipients, first.id]);
}

Deno.test("otherDomains: current recipients elsewhere, the largest domain first, with the first run", () => {
  const most = ["a@example.com", "b@Example.com", "c@example.com"];
  assertEquals(
    othersOf([
      [...most, "gone@old.example"],
      [...most, "d@one.example"],
      [...most, "d@one.example", "e@two.example", "f@two.example", "g@mail.example.com"],
    ]),
    [["two.example", 2, 2], ["one.example", 1, 1]],
  );
  assertEquals(othersOf([most]), []);
  assertEquals(othersOf([]), []);
});

Deno.test("otherDomains: of domains of one size, the first by name is not another", () => {
  const lists = [["a@two.example", "b@one.example"], ["b@one.example", "a@two.example"]];
  for (const list of lists) assertEquals(othersOf([list, list]), [["two.example", 1, 0]]);
});

Deno.test("otherDomains: who is new from outside is told elsewhere", () => {
  const most = ["a@example.com", "b@example.com"];
  const days = Array.from({ length: 40 }, (_, day) => day > 37 ? [...most, "c@new.example"] : most);
  assertEquals(othersOf(days), []);
});
