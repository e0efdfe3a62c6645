import { AddressesShown } from "../../../components/runs/recipients/address.tsx";
import { assertEquals, assertMatch } from "@std/assert";
import { RecipientList } from "../../../components/runs/recipients/recipient_list.tsx";
import { DueLine, OtherChanges, runSentence } from "../../../components/runs/run_verdict.tsx";
import { RunMoment } from "../../../components/runs/run_links.tsx";
import type { ReportRun } from "../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../rendered.ts";
import { sampleRun } from "./sample_run.ts";

const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };
const ben = { userId: 2, displayName: "Ben", emailAddress: "ben@example.org" };
const cat = { displayName: "cat@example.com", emailAddress: "cat@example.com" };

const run: ReportRun = { ...sampleRun, recipients: [ann, ben, cat] };

Deno.test("RunMoment: leads to the run if its id is known", () => {
  const of = (id: number | null) => htmlOf(<RunMoment at={0} run={id} scheduleId={7} />);
  assertEquals([8, null].map((id) => Object.keys(linksOf(of(id))).length), [1, 0]);
});

Deno.test("RecipientList: masks addresses until asked, and says if the count differs", () => {
  const masked = htmlOf(<RecipientList run={run} />);
  assertEquals(textsOf(masked, "tr").slice(1), [
    "Ann | a…@example.com | 1",
    "Ben | b…@example.org | 2",
    "c…@example.com | c…@example.com | none",
  ]);
  assertEquals(linksOf(masked), { "Show addresses": "?addresses=shown#recipients" });
  assertEquals(textsOf(masked, "p"), ["3 recipients · Show addresses"]);
  assertEquals(textsOf(masked, "h2"), ["Recipients"]);
  assertEquals(textsOf(masked, "caption"), ["Recipients of this run"]);
  const shown = htmlOf(
    <AddressesShown.Provider value>
      <RecipientList run={{ ...run, recipientCount: 5 }} />
    </AddressesShown.Provider>,
  );
  assertEquals(textsOf(shown, "tr")[3], "cat@example.com | cat@example.com | none");
  assertEquals(textsOf(shown, "p"), [
    "3 recipients, but the recipient count is 5 · Mask addresses",
  ]);
  const unlisted = htmlOf(
    <AddressesShown.Provider value>
      <RecipientList run={{ id: 1, recipients: null }} />
    </AddressesShown.Provider>,
  );
  assertEquals(textsOf(unlisted, "p"), ["The service does not list the recipients of this run"]);
});

Deno.test("OtherChanges: who was added, removed or has another address, and other fields", () => {
  const before: ReportRun = { ...run, id: 11, status: "failure", reportId: 2, recipients: [ann] };
  const html = htmlOf(<OtherChanges runs={[before, run]} />);
  assertEquals(textsOf(html, "h3"), ["Added", "Also changed"]);
  assertEquals(textsOf(html, "li"), [
    "Ben, b…@example.org",
    "c…@example.com, c…@example.com",
    "Report id: 2 → 3",
  ]);
  const moved = { ...run, recipients: [{ ...ann, emailAddress: "ann@private.example" }] };
  const back = htmlOf(
    <AddressesShown.Provider value>
      <OtherChanges runs={[run, moved]} />
    </AddressesShown.Provider>,
  );
  assertEquals(textsOf(back, "h3"), ["Removed", "Address changed"]);
  assertEquals(textsOf(back, "li").at(-1), "Ann, from ann@example.com to ann@private.example");
  const unlisted = htmlOf(<OtherChanges runs={[{ id: 1 }, { id: 2 }]} />);
  assertMatch(textOf(unlisted), /Recipients can't be compared/);
});

Deno.test("runSentence: says who got it or did not, and praises nothing unknown", () => {
  assertEquals(runSentence(run, "good"), "Sent to 3 people.");
  assertEquals(runSentence(run, "bad"), "3 people did not get it.");
  assertEquals(runSentence({ ...run, recipients: [] }, "good"), "It went to nobody.");
  assertMatch(runSentence({ ...run, status: "ARCHIVED" }, "unknown"), /^Nobody knows.*ARCHIVED/);
});

Deno.test("DueLine: says when a run was due, how late it started, and whether by hand", () => {
  const at = Date.parse("2026-03-10T06:00:00Z");
  const plan = { cron: ["0 6 * * *"], zone: "UTC", graceMs: 300_000, since: 0 };
  const line = (lateMs: number, outcome: "met" | "late" | "by-hand") => {
    const slot = {
      at,
      outcome,
      runs: [{ run: { id: 5 }, time: at + lateMs, ms: 0, meaning: "good" as const }],
    };
    const schedule = { plan, source: "inferred" as const };
    return textsOf(htmlOf(<DueLine slot={slot} schedule={schedule} now={at} />), "p")[0];
  };
  const after = "Plan (inferred): daily at 06:00.";
  assertEquals(line(-5000, "met"), `Due today 06:00, started on time. ${after}`);
  assertEquals(
    line(600_000, "late"),
    `Due today 06:00, started 10 min later, after the grace. ${after}`,
  );
  assertEquals(
    line(600_000, "by-hand"),
    `Due today 06:00, started 10 min later, by hand. ${after}`,
  );
});
