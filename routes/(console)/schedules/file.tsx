import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_PATH } from "../../../components/runs/schedule_header.tsx";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { FILE_COLUMNS, readScheduleFile } from "../../../server/inventory/schedule_file.ts";
import { saveSchedules } from "../../../server/observer/end_watch.ts";
import { clickActor, redirectWithNotice } from "../_actions.ts";
import { FileField, NOT_FAILED, readUpload, UploadNotice } from "../_upload.tsx";
import { recordsOf } from "../incidents/_incidents.ts";
import { handler, page } from "./$file.ts";

export const handlers = handler({
  GET: () => ({ data: NOT_FAILED }),

  async POST(ctx) {
    const { services, origin } = ctx.state;
    const records = recordsOf(services);
    const now = Date.now();
    const form = await readUploadForm(ctx.req);
    const answer = await readUpload(form, async (file) => {
      const { schedules, issues } = await readScheduleFile(file, now);
      if (issues.length > 0 && !form.has("skip")) {
        const wrong = formatCountOf(issues.length, "line is", "lines are");
        const error = `Nothing was added. ${wrong} wrong, and ${
          formatCount(schedules.length)
        } right. Correct the file, or skip the wrong lines.`;
        return { error, issues };
      }
      const by = { actor: clickActor(ctx.state, ctx.req.headers), now };
      await saveSchedules({ records, origin }, schedules, by);
      return redirectWithNotice(ctx, "/schedules", "schedules-added");
    });
    return answer instanceof Response ? answer : { data: answer, status: 400 };
  },
});

export default page(({ data }) => (
  <>
    <PageHeader title="Add schedules from a file" path={SCHEDULES_PATH} />
    <UploadNotice {...data} />
    <form method="post" encType="multipart/form-data" class="panel stacked">
      <FileField />
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
