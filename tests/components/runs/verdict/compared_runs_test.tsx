import { assertEquals } from "@std/assert";
import { ComparedRuns } from "../../../../components/runs/verdict/compared_runs.tsx";
import type { ReportRun } from "../../../../lib/types.ts";
import { htmlOf } from "../../rendered.ts";
import { sampleRun as run } from "../sample_run.ts";

Deno.test("ComparedRuns: marks what differs, and of sizes and durations what differs much", () => {
  const marked = (after: Partial<ReportRun>) => {
    const html = htmlOf(
      <ComparedRuns
        runs={[run, { ...run, ...after }]}
        names={["Last success", "Latest run"]}
        scheduleId={101}
      />,
    );
    return [...html.matchAll(/<th scope="row">([^<]+)<\/th>(?:(?!<\/tr>).)*number other/g)]
      .map(([, name]) => name);
  };
  const size = run.emailSize!;
  assertEquals(marked({ emailSize: size + 1, endTime: run.startTime }), ["Duration"]);
  assertEquals(marked({ emailSize: size * 3, status: "failure" }), ["Result", "Email size"]);
  assertEquals(marked({ recipients: run.recipients?.slice(1), recipientCount: 2 }), ["Recipients"]);
});
