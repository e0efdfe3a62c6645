import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_PATH } from "../../../components/runs/schedule_header.tsx";
import { AutoRefresh } from "../../../islands/AutoRefresh.tsx";
import { formatCount, formatCountOf } from "../../../lib/format.ts";
import { readUploadForm } from "../../../server/http/request_body.ts";
import { FILE_COLUMNS, readScheduleFile } from "../../../server/schedules/schedule_file.ts";
import {
  beginScheduleFile,
  continueScheduleFile,
} from "../../../server/observer/schedule_files.ts";
import type { ScheduleFileProgress } from "../../../server/store/records/file_progress.ts";
import type { ObserverRecords } from "../../../server/store/records/observer_records.ts";
import { clickActor } from "../_actions.ts";
import { FileField, NOT_FAILED, readUpload, UploadNotice } from "../_upload.tsx";
import { recordsOf } from "../incidents/_incidents.ts";
import { handler, page } from "./$file.ts";

const PATH = "/schedules/file";

export const handlers = handler({
  async GET(ctx) {
    const records = recordsOf(ctx.state.services);
    const file = await records.scheduleFile.latest();
    if (file?.ended === null) continueInBackground(records);
    return { data: { ...NOT_FAILED, file } };
  },

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
      const actor = clickActor(ctx.state, ctx.req.headers);
      const by = { skipped: issues.length, actor, origin, started: now };
      if (!await beginScheduleFile(records, schedules, by)) {
        return { error: "Nothing was added: another file is not saved yet.", issues: [] };
      }
      continueInBackground(records);
      return ctx.redirect(PATH, 303);
    });
    if (answer instanceof Response) return answer;
    return { data: { ...answer, file: await records.scheduleFile.latest() }, status: 400 };
  },
});

/** If this fails, the observer or the next visit continues. */
function continueInBackground(records: ObserverRecords): void {
  continueScheduleFile(records).catch(() => {});
}

export default page(({ data, state }) => (
  <>
    <PageHeader title="Add schedules from a file" path={SCHEDULES_PATH} />
    <UploadNotice {...data} />
    <div id="progress" data-busy={data.file?.ended === null || undefined}>
      {data.file && <Progress file={data.file} />}
    </div>
    {data.file?.ended === null && (
      <AutoRefresh
        parts={["progress"]}
        zone={state.preferences.zone}
      />
    )}
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

function Progress({ file: { total, next, added, changed, skipped, ended } }: {
  readonly file: ScheduleFileProgress;
}) {
  const left = skipped > 0 ? ` ${formatCountOf(skipped, "line was", "lines were")} left out.` : "";
  if (ended === null) {
    return (
      <div class="card">
        <p role="status">{formatCount(next)} of {formatCount(total)} schedules are saved.{left}</p>
        <progress value={next} max={total} />
      </div>
    );
  }
  return (
    <p class="notice" role="status">
      The latest file is saved: {formatCount(added)} added, {formatCount(changed)} changed,{" "}
      {formatCount(total - added - changed)} as before.{left} <a href="/schedules">Schedules</a>
    </p>
  );
}

const SAMPLE = `${FILE_COLUMNS.join(",")}
101,Daily revenue,Finance,true,0 6 * * 1-5,Europe/Berlin,20m
102,Open claims,Claims,true,,,
103,Archive,,false,,,`;
