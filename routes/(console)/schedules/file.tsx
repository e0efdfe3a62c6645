import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_PATH } from "../../../components/runs/schedule_header.tsx";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { requireVisible } from "../../../server/backend/visible_schedules.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import {
  FILE_COLUMNS,
  type LineIssue,
  readScheduleFile,
} from "../../../server/inventory/schedule_file.ts";
import { takeOverSchedules } from "../../../server/observer/take_over_schedules.ts";
import { CsvError } from "../../../server/store/import/csv_rows.ts";
import { redirectWithNotice } from "../_notices.ts";
import { recordsOf } from "../incidents/_incidents.ts";
import { clickActor } from "../_actor.ts";
import { handler, page } from "./$file.ts";

const MOST_SHOWN = 100;

export const handlers = handler({
  GET: () => ({ data: { issues: [] as readonly LineIssue[], error: "", right: 0 } }),

  async POST(ctx) {
    const { services, origin, visible } = ctx.state;
    const records = recordsOf(services);
    const now = Date.now();
    const form = await readUploadForm(ctx.req);
    const file = form.get("file");
    const wrong = (error: string, issues: readonly LineIssue[] = [], right = 0) => ({
      data: { issues, error, right },
      status: 400,
    });
    if (!(file instanceof File) || file.size === 0) {
      return wrong("Choose a file that is not empty.");
    }
    try {
      const { schedules, issues } = await readScheduleFile(file.stream(), now);
      if (issues.length > 0 && !form.has("skip")) {
        return wrong("Nothing was taken over.", issues, schedules.length);
      }
      requireVisible(visible, schedules.map(({ scheduleId }) => scheduleId));
      const by = { actor: clickActor(ctx.state, ctx.req.headers), now };
      await takeOverSchedules({ records, origin }, schedules, by);
      return redirectWithNotice(ctx, "/schedules", "schedules-added");
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      return wrong(`Nothing was taken over: ${error.message}.`);
    }
  },
});

export default page(({ data: { issues, error, right } }) => (
  <>
    <PageHeader title="Add schedules from a file" path={SCHEDULES_PATH} />
    {error && (
      <div class="notice bad" role="alert">
        <p>
          {error}
          {issues.length > 0 &&
            ` ${formatCountOf(issues.length, "line is", "lines are")} wrong, and ${
              formatCount(right)
            } right. Correct the file, or skip the wrong lines.`}
        </p>
        {issues.length > 0 && (
          <ul>
            {issues.slice(0, MOST_SHOWN).map(({ line, issue }) => (
              <li key={line}>Line {line}: {issue}</li>
            ))}
            {issues.length > MOST_SHOWN && <li>and others</li>}
          </ul>
        )}
      </div>
    )}
    <form method="post" encType="multipart/form-data" class="card">
      <label for="file">CSV file, at most 4 MB</label>
      <input id="file" type="file" name="file" accept=".csv,text/csv" required />
      <label class="check">
        <input type="checkbox" name="skip" value="true" /> Skip wrong lines
      </label>
      <div class="row">
        <button type="submit">Add schedules</button>
      </div>
    </form>
    <p>
      The first line names the columns:{" "}
      {FILE_COLUMNS.join(", ")}. Only scheduleId is required. Schedules are watched if watched is
      true, and otherwise read once a day.
    </p>
    <pre class="code">{SAMPLE}</pre>
    <p class="help">
      Commas, semicolons or tabs separate the cells; several cron expressions are separated by
      semicolons. A list from <code>deno task schedules list --format csv</code> can be read back.
    </p>
  </>
));

const SAMPLE = `${FILE_COLUMNS.join(",")}
101,Daily revenue,Finance,true,0 6 * * 1-5,Europe/Berlin,20m
102,Open claims,Claims,true,,,
103,Archive,,false,,,`;
