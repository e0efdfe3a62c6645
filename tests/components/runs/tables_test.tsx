import { AddressesShown } from "../../../components/runs/recipients/address.tsx";
import { assertEquals, assertMatch } from "@std/assert";
import { RecipientList } from "../../../components/runs/recipients/recipient_list.tsx";
import { Comparison, RunFacts } from "../../../components/runs/run_facts.tsx";
import { RunMoment } from "../../../components/runs/run_links.tsx";
import { defaultStatusDictionary } from "../../../lib/runs/status.ts";
import type { ReportRun } from "../../../lib/types.ts";
import { htmlOf, linksOf, textOf, textsOf } from "../rendered.ts";
import { sampleRun } from "./sample_run.ts";

const dictionary = defaultStatusDictionary();

const ann = { userId: 1, displayName: "Ann", emailAddress: "ann@example.com" };
const ben = { userId: 2, displayName: "Ben", emailAddress: "ben@example.org" };
const cat = { displayName: "cat@example.com", emailAddress: "cat@example.com" };

const run: ReportRun = { ...sampleRun, recipients: [ann, ben, cat] };

Deno.test("RunMoment: leads to the run if its id is known", () => {
  const of = (id: number | null) => htmlOf(<RunMoment at={0} run={id} scheduleId={7} />);
  assertEquals([8, null].map((id) => Object.keys(linksOf(of(id))).length), [1, 0]);
});

Deno.test("RunFacts: every field but the recipients", () => {
  assertEquals(
    textOf(htmlOf(<RunFacts run={run} dictionary={dictionary} />, "Europe/Berlin")),
    "| Result | Sent | Started | 2026-01-31 06:30 Berlin time | Ended | 2026-01-31 06:32 Berlin time | " +
      "Duration | 2 min 05 s | Trigger | automated | Report | Open claims (3) | " +
      "Subject | Claims of today | Resource | page Claims (5) | Owner | 77 | Cards | 1200 | " +
      "Attachments | 0 | Attachment size | 0 bytes | Email size | 1.4 MB | Recipient count | 3 | " +
      "Run id | 12 |",
  );
  const mark = (status: string) =>
    /class="status (\w+)"><span aria-hidden="true">(.)</.exec(
      htmlOf(<RunFacts run={{ id: 1, status }} dictionary={dictionary} />),
    )!.slice(1).join(" ");
  assertEquals(["success", "failure", "paused"].map(mark), ["good ✓", "bad ✕", "neutral ?"]);
  const empty = textOf(htmlOf(<RunFacts run={{ id: 1 }} dictionary={dictionary} />));
  assertEquals(empty.match(/none/g)?.length, 13);
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

Deno.test("Comparison: shows fields that differ, and who was added or removed", () => {
  const before: ReportRun = {
    ...run,
    id: 11,
    startTime: "2026-01-30T05:30:00Z",
    endTime: "2026-01-30T05:31:02Z",
    status: "failure",
    automated: false,
    cardCount: 600,
    reportId: 2,
    emailSize: null,
    recipients: [ann],
  };
  const html = htmlOf(
    <Comparison before={before} after={run} scheduleId={101} />,
  );
  assertEquals(textsOf(html, "tr"), [
    "Field | Before | After | Change",
    "Started | 2026-01-30 05:30 | 2026-01-31 05:30",
    "Duration | 1 min 02 s | 2 min 05 s | +102 %",
    "Status | failure | success",
    "Trigger | manual | automated",
    "Report id | 2 | 3",
    "Cards | 600 | 1,200 | +100 %",
    "Email size | none | 1.4 MB",
  ]);
  assertEquals(textsOf(html, "caption"), ["Differences between two runs"]);
  assertMatch(html, /role="region" aria-label="Differences"/);
  assertEquals(textsOf(html, "p"), [
    "Times in UTC",
    "1 recipient in both, 2 added, 0 removed.",
  ]);
  assertEquals(textsOf(html, "h3"), ["Added"]);
  assertEquals(textsOf(html, "li"), ["Ben, b…@example.org", "c…@example.com, c…@example.com"]);
  const back = htmlOf(
    <AddressesShown.Provider value>
      <Comparison before={run} after={before} scheduleId={1} />
    </AddressesShown.Provider>,
  );
  assertEquals(textsOf(back, "h3"), ["Removed"]);
  assertEquals(textsOf(back, "li")[1], "cat@example.com, cat@example.com");
});

Deno.test("Comparison: of equal runs, and of runs without lists of recipients", () => {
  const alike = htmlOf(
    <AddressesShown.Provider value>
      <Comparison before={run} after={{ ...run, id: 13 }} scheduleId={1} />
    </AddressesShown.Provider>,
  );
  assertEquals(textsOf(alike, "p"), [
    "Times in UTC",
    "No other differences.",
    "3 recipients in both, 0 added, 0 removed.",
  ]);
  assertEquals(textsOf(alike, "tr")[2], "Duration | 2 min 05 s | 2 min 05 s | unchanged");
  const unlisted = htmlOf(
    <AddressesShown.Provider value>
      <Comparison before={{ id: 1 }} after={{ id: 2 }} scheduleId={1} />
    </AddressesShown.Provider>,
  );
  assertEquals(textsOf(unlisted, "tr").slice(1), [
    "Started | run 1 | run 2",
    "Duration | none | none | unknown",
  ]);
  assertEquals(
    textsOf(unlisted, "p").at(-1),
    [
      "Recipients can't be compared: one of the runs does not list them.",
    ][0],
  );
});
