import { ActionForm, Field } from "../../../components/ui/form.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_TRAIL } from "../../../components/runs/schedule_header.tsx";
import { Section } from "../../../components/ui/section.tsx";
import { wholeNumber } from "../../../lib/format.ts";
import { startScan, stopScan } from "../../../server/actions/scans.ts";
import { loadScans } from "../../../server/pages/schedules.ts";
import { DEFAULT_RATE } from "../../../server/schedules/scan.ts";
import { openForm } from "../_actions.ts";
import { handler, page } from "./$find.ts";

const PATH = "/schedules/find";
const FIELDS = [
  ["from", "First id", 1],
  ["to", "Last id", 1000],
  ["rate", "Requests per second", DEFAULT_RATE],
] as const;
const NUMERIC = { inputmode: "numeric", required: true } as const;

export const handlers = handler({
  GET: async ({ state }) => ({ data: await loadScans(state) }),

  async POST(ctx) {
    const { form, services, clicked, attempt, go } = await openForm(ctx);
    if (form.has("stop")) {
      await stopScan(services);
      return go(PATH);
    }
    const number = (field: string) => wholeNumber(form.get(field)?.trim() ?? "") ?? NaN;
    const range = { from: number("from"), to: number("to"), ratePerSecond: number("rate") };
    const start = () => startScan(services, range, clicked);
    const status = await attempt(start, { ratePerSecond: "rate" });
    return status === null ? go(PATH) : { data: await loadScans(ctx.state), status };
  },
});

export default page(({ data: { scans, open } }) => (
  <>
    <PageHeader title="Scan for schedules" trail={SCHEDULES_TRAIL} />
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
            {FIELDS.map(([name, label, value]) => (
              <Field key={name} {...NUMERIC} {...{ name, label, value }} />
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
