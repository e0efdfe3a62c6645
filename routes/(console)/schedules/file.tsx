import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_PATH } from "../../../components/runs/schedule_header.tsx";
import { formatCount } from "../../../lib/format.ts";
import { addScheduleFile } from "../../../server/actions/known_schedules.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { FILE_COLUMNS } from "../../../server/schedules/schedule_file.ts";
import { MAX_SCHEDULES } from "../../../server/schedules/schedule_id_list.ts";
import { openForm } from "../_actions.ts";
import { FileField, NOT_FAILED, readUpload, UploadNotice } from "../_upload.tsx";
import { handler, page } from "./$file.ts";

export const handlers = handler({
  GET: () => ({ data: NOT_FAILED }),

  async POST(ctx) {
    const { form, services, clicked, go } = await openForm(ctx, readUploadForm);
    const answer = await readUpload(form, async (file) => {
      const skipsInvalid = form.has("skip");
      const { misfits } = await addScheduleFile(services, { file, skipsInvalid }, clicked);
      return go("/schedules", `saved-schedules:${encodeURIComponent(misfits ?? "")}`);
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
      {FILE_COLUMNS.join(", ")}. Only scheduleId is required, and a file may have{" "}
      {formatCount(MAX_SCHEDULES)}{" "}
      of them. Schedules are watched if watched is true, and otherwise read once a day.
    </p>
    <pre class="code">{SAMPLE}</pre>
    <p class="help">
      Commas, semicolons or tabs separate the cells; several cron expressions are separated by
      semicolons. A list from <code>docket schedules list --format csv</code> can be read back.
    </p>
  </>
));

const SAMPLE = `${FILE_COLUMNS.join(",")}
101,Daily revenue,Finance,true,0 6 * * 1-5,Europe/Berlin,20m,,
102,Open claims,Claims,true,,,,,
103,Archive,,false,,,,,`;
