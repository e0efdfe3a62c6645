import { ActionForm } from "../../../components/ui/action_form.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_PATH } from "../../../components/runs/schedule_header.tsx";
import { Field } from "../../../components/ui/form.tsx";
import { wholeNumber } from "../../../lib/format.ts";
import { startScan, stopScan } from "../../../server/actions/scans.ts";
import { loadScans } from "../../../server/pages/schedules.ts";
import { DEFAULT_RATE } from "../../../server/schedules/scan.ts";
import { isProblemError, ProblemError } from "../../../server/http/problem.ts";
import { fieldIssues, openForm } from "../_actions.ts";
import { handler, page } from "./$find.ts";

const PATH = "/schedules/find";
const FIELDS = [["from", "First id"], ["to", "Last id"], ["rate", "Requests per second"]] as const;
type Issues = Readonly<Record<string, string | undefined>>;
const NUMERIC = { inputmode: "numeric", required: true } as const;

export const handlers = handler({
  async GET(ctx) {
    const typed = { from: "1", to: "1000", rate: String(DEFAULT_RATE) };
    const data = { typed, error: "", issues: {} as Issues };
    return { data: { ...await loadScans(ctx.state), ...data } };
  },

  async POST(ctx) {
    const { form, services, clicked, go } = await openForm(ctx);
    const text = (name: string) => form.get(name)?.trim() ?? "";
    const typed = { from: text("from"), to: text("to"), rate: text("rate") };
    if (form.has("stop")) {
      await stopScan(services);
      return go(PATH);
    }
    const [from, to, rate] = [typed.from, typed.to, typed.rate].map(wholeNumber);
    try {
      if (from === null || to === null || rate === null) {
        throw new ProblemError(400, "Enter whole numbers");
      }
      await startScan(services, { from, to, ratePerSecond: rate }, clicked);
      return go(PATH);
    } catch (error) {
      if (!isProblemError(error) || error.problem.status > 409) throw error;
      const issues: Issues = fieldIssues(error.problem);
      const isOfField = error.problem.errors.length > 0;
      const data = { typed, issues, error: isOfField ? "" : `${error.message}.` };
      return { data: { ...await loadScans(ctx.state), ...data }, status: 400 };
    }
  },
});

export default page(({ data: { scans, open, typed, issues, error } }) => (
  <>
    <PageHeader title="Scan for schedules" path={SCHEDULES_PATH} />
    <p>
      Docket asks for each id in a range, one request per id. It then reads the schedules that exist
      once a day, until somebody watches them.
    </p>
    {error && <p class="notice bad" role="alert">{error}</p>}
    <div id="searches" data-refreshed={open && true} data-busy={open && true}>
      {open && (
        <ActionForm
          action={PATH}
          class="card"
          aria-label="Search in progress"
          values={{ from: open.from, to: open.to }}
        >
          <p role="status">{open.progress}.</p>
          <div class="row">
            <progress value={open.done} max={open.to - open.from + 1} />
            <button type="submit" name="stop" value="true" class="quiet">Stop</button>
          </div>
        </ActionForm>
      )}
      {scans.length > 0 && <ul>{scans.map((words) => <li key={words}>{words}</li>)}</ul>}
    </div>
    <ActionForm action={PATH} class="panel stacked">
      {FIELDS.map(([name, label]) => (
        <Field
          key={name}
          {...NUMERIC}
          name={name}
          label={label}
          value={typed[name]}
          issue={issues[name]}
        />
      ))}
      <div class="row">
        <button type="submit">Scan</button>
      </div>
      <p class="help">
        To continue a stopped scan, start it again with the same ids.
      </p>
    </ActionForm>
  </>
));
