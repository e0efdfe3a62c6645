import { ActionForm, Field } from "../../../components/ui/form.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_TRAIL } from "../../../components/runs/schedule_header.tsx";
import { Section } from "../../../components/ui/section.tsx";
import { wholeNumber } from "../../../lib/format.ts";
import { startScan, stopScan } from "../../../server/actions/scans.ts";
import { loadScans } from "../../../server/pages/schedules.ts";
import { DEFAULT_RATE } from "../../../server/schedules/scan.ts";
import { fieldIssues, formProblem, openForm } from "../_actions.ts";
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
    const number = (field: keyof typeof typed) => wholeNumber(typed[field]) ?? NaN;
    const range = { from: number("from"), to: number("to"), ratePerSecond: number("rate") };
    const problem = await formProblem(() => startScan(services, range, clicked));
    if (problem === null) return go(PATH);
    const issues: Issues = fieldIssues(problem, { ratePerSecond: "rate" });
    const data = { typed, issues, error: problem.errors.length > 0 ? "" : `${problem.detail}.` };
    return { data: { ...await loadScans(ctx.state), ...data }, status: 400 };
  },
});

export default page(({ data: { scans, open, typed, issues, error } }) => (
  <>
    <PageHeader title="Scan for schedules" trail={SCHEDULES_TRAIL} wrong={error} />
    <p>Docket asks the service for each id of a range, and reads what it finds once a day.</p>
    <div id="searches" data-refreshed={open && true} data-busy={open && true}>
      {open && (
        <ActionForm action={PATH} class="card" aria-label="Scan in progress">
          <p role="status">{open.progress}.</p>
          <div class="row">
            <progress aria-label="Scanned ids" value={open.done} max={open.to - open.from + 1} />
            <button type="submit" name="stop" value="true">Stop</button>
          </div>
        </ActionForm>
      )}
      {!open && (
        <ActionForm action={PATH} class="box stack panel">
          <div class="line inputs">
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
          </div>
          <button type="submit" class="main">Scan</button>
        </ActionForm>
      )}
      {scans.length > 0 && (
        <Section
          id="scans"
          title="Scans"
          more={<a href="/schedules?list=unwatched">Watch what was found</a>}
        >
          <ul class="plain">
            {scans.map((words, place) => (
              <li key={words} class="capital" data-announced={place === 0 || undefined}>{words}</li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  </>
));
