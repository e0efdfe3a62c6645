import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { PlanForm } from "../../../../components/runs/plan/plan_form.tsx";
import { outcomeWords, type ShownSlot } from "../../../../components/runs/plan/planned_runs.tsx";
import { defaultStatusDictionary } from "../../../../lib/runs/status.ts";
import { htmlOf, textOf } from "../../rendered.ts";

const STATUSES = defaultStatusDictionary();

function run(status: string, meaning: "good" | "bad" | "unknown") {
  return { run: { id: 5, status }, time: 0, ms: 0, meaning };
}

Deno.test("outcomeWords: says how a planned run ended, and how it started", () => {
  const words = (
    outcome: ShownSlot["outcome"],
    runs: ShownSlot["runs"] = [],
    isPaused = false,
  ) => Object.values(outcomeWords({ at: 0, outcome, runs, isPaused }, STATUSES)).join(" ");
  const [sent, failed] = [run("success", "good"), run("failure", "bad")];
  assertEquals(words("met", [sent]), "good Sent, on time");
  assertEquals(words("met", [failed]), "bad Failed, started on time");
  assertEquals(words("met", [failed, sent]), "good Sent, on time");
  assertEquals(words("late", [sent]), "late Sent, late");
  assertEquals(words("late", [failed]), "bad Failed, started late");
  assertEquals(words("by-hand", [sent]), "late Sent, by hand");
  assertEquals(
    words("met", [run("ARCHIVED", "unknown")]),
    "neutral Unknown (ARCHIVED), started on time",
  );
  assertEquals(words("missed"), "bad Missed");
  assertEquals(words("overdue"), "bad Overdue");
  assertEquals(words("missed", [], true), "neutral No run expected");
});

Deno.test("PlanForm: shows errors beside fields, and says if no plan can be saved", () => {
  const form = (changes: Partial<Parameters<typeof PlanForm>[0]>) =>
    htmlOf(
      <PlanForm
        scheduleId={101}
        fields={{
          cron: "x",
          zone: "UTC",
          grace: "10",
          weeks: "1",
          weeksFrom: "",
          from: "",
          pauses: "",
        }}
        issues={{}}
        person="Ada"
        seen="v1"
        isConfirmed={false}
        whyNotSaved={null}
        fitsNone={false}
        {...changes}
      />,
    );
  const wrong = form({ issues: { cron: "must have five fields" } });
  assertEquals(wrong.match(/aria-invalid="true"/g)?.length, 1);
  assertMatch(textOf(wrong), /Cron expressions must have five fields\./);
  assertMatch(wrong, /value="Ada"/);
  const unsaved = form({ whyNotSaved: "Set DATABASE_URL" });
  assertMatch(textOf(unsaved), /A plan can't be saved here. Set DATABASE_URL\./);
  assertNotMatch(unsaved, /Save the plan/);
});
