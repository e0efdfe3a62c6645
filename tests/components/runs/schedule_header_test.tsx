import { assertEquals, assertMatch } from "@std/assert";
import { ScheduleHeader } from "../../../components/runs/schedule_header.tsx";
import { htmlOf, linksOf, textsOf } from "../rendered.ts";

const LOADED = {
  runs: [{ id: 1 }],
  stopped: "end",
  olderUnread: false,
  newerUnread: false,
} as const;

function header(
  current: "runs" | "plan",
  { isWatched = null, reportTitle = "" }: {
    isWatched?: boolean | null;
    reportTitle?: string;
  } = {},
): string {
  return htmlOf(
    <ScheduleHeader
      current={current}
      data={{
        shown: { scheduleId: 101, name: "Open claims", reportTitle, loaded: LOADED },
        error: null,
      }}
      params={{ scheduleId: "101" }}
      state={{ isWatched }}
    />,
  );
}

Deno.test("ScheduleHeader: the schedule's pages, the current one marked, and what was loaded", () => {
  const html = header("plan");
  assertEquals(textsOf(html, "h1"), ["Open claims"]);
  assertEquals(html.match(/aria-current="page">\w+/g), ['aria-current="page">Plan']);
  assertEquals(textsOf(html, "p"), ["schedule 101", "Based on the only run."]);
  // On the page of the runs, that stands below the verdict.
  assertEquals(textsOf(header("runs"), "p"), ["schedule 101"]);
  assertEquals(textsOf(header("runs"), "h1"), ["Open claims"]);
  assertEquals(textsOf(header("runs", { reportTitle: "Claims 7" }), "p"), [
    "schedule 101 · report “Claims 7”",
  ]);
  assertEquals(linksOf(header("runs"))["Open claims"], undefined);
});

Deno.test("ScheduleHeader: a watched schedule that can't be shown can be unwatched", () => {
  const failed = (isWatched: boolean) =>
    htmlOf(
      <ScheduleHeader
        current="runs"
        data={{ shown: null, error: { title: "Not found", detail: "No.", issues: [] } }}
        params={{ scheduleId: "555" }}
        state={{ isWatched }}
      />,
    );
  assertEquals(textsOf(failed(true), "button"), ["Unwatch"]);
  assertMatch(failed(true), /name="next" value="\/schedules"/);
  assertEquals(textsOf(failed(false), "button"), []);
});

Deno.test("ScheduleHeader: has a button to watch or unwatch the schedule", () => {
  const button = (isWatched: boolean) =>
    /<button [^>]*?(name="\w+" value="\d+")>(\w+)</.exec(header("runs", { isWatched }))!.slice(1);
  assertEquals(button(false), ['name="add" value="101"', "Watch"]);
  assertEquals(button(true), ['name="remove" value="101"', "Unwatch"]);
  // Without a place to store it, nothing can be watched.
  assertEquals(textsOf(header("runs"), "button"), []);
});
