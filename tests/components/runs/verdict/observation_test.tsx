import { assertEquals } from "@std/assert";
import {
  Observation,
  type ObservedSchedule,
} from "../../../../components/runs/verdict/observation.tsx";
import { reasonMark, StateBadge } from "../../../../components/runs/verdict/state_badge.tsx";
import { HEADLINES } from "../../../../lib/judgement/headline.ts";
import { HOUR } from "../../../../lib/time_units.ts";
import { htmlOf, textOf, textsOf } from "../../rendered.ts";

const POLLED = Date.parse("2026-01-05T06:00:00Z");

function observation(more: Partial<ObservedSchedule>, basis: "stored" | "computed" | null = null) {
  return htmlOf(
    <Observation
      observed={{
        polled: POLLED,
        isDue: false,
        silences: [],
        failure: null,
        incidents: [],
        ...more,
      }}
      loaded={{ runs: [], stopped: "end", olderUnread: false, newerUnread: false }}
      basis={basis}
      scheduleId={9}
      now={POLLED + 2 * HOUR}
    />,
  );
}

Deno.test("Observation: says when the schedule was checked, what failed, and which verdict is shown", () => {
  const words = (...args: Parameters<typeof observation>) => textOf(observation(...args));
  assertEquals(words({ polled: null }), "The first check is in progress. Check now");
  assertEquals(
    words({ failure: "it was busy" }),
    "Checked 2 h ago, then failed: it was busy. Check now",
  );
  assertEquals(words({ isDue: true }), "Checking. Check now");
  assertEquals(words({}, "stored"), "Checked 2 h ago. Check now");
  assertEquals(
    words({}, "computed"),
    "Checked 2 h ago. This verdict is from the runs that you can read, so Today may show another. " +
      "Check now",
  );
});

Deno.test("Observation: lists open incidents, and acknowledges those that nobody has", () => {
  const failing = { id: "i-1", summary: "Failing for 2 runs", opened: POLLED };
  const html = observation({
    incidents: [
      { ...failing, acknowledgedBy: null },
      { ...failing, id: "i-2", acknowledgedBy: "Ada" },
    ],
  });
  assertEquals(textsOf(html, "li"), [
    "Acknowledge: Failing for 2 runs Failing for 2 runs found 2 h ago",
    "Failing for 2 runs found 2 h ago, acknowledged by Ada",
  ]);
  assertEquals(html.match(/action="\/incidents\/i-1".*?value="acknowledge"/s)?.length, 1);
});

Deno.test("StateBadge: shows each headline by a word, a sign and a colour", () => {
  const badges = HEADLINES.map((headline) => htmlOf(<StateBadge headline={headline} />));
  assertEquals(badges.map((html) => textOf(html).toLowerCase()), [...HEADLINES]);
  const signs = badges.map((html) => /hidden="true">(.)/.exec(html)?.[1]);
  assertEquals(new Set(signs).size, HEADLINES.length);
  assertEquals(badges.map((html) => /class="badge (\w+)"/.exec(html)?.[1]), [
    ...["bad", "bad", "bad", "bad"],
    ...["neutral", "drift", "drift", "drift", "drift"],
    ...["good", "neutral"],
  ]);
});

Deno.test("reasonMark: is that of the headline, but never alarming for information", () => {
  assertEquals(reasonMark({ code: "overdue", severity: "critical" }), ["!", "bad"]);
  assertEquals(reasonMark({ code: "outside-recipient", severity: "info" }), ["⚠", "drift"]);
  assertEquals(reasonMark({ code: "clock", severity: "warning" }), ["◆", "drift"]);
});
