import { PageHeader } from "../../components/page/page_header.tsx";
import { SERVICE_PATH } from "../../components/runs/run_links.tsx";
import { OperatorsOnly } from "../../components/ui/form.tsx";
import { Outcome } from "../../components/ui/notices.tsx";
import { Section } from "../../components/ui/section.tsx";
import { checkStatuses, saveStatuses } from "../../server/actions/save_statuses.ts";
import { invalidRequest } from "../../server/http/problem.ts";
import { loadService } from "../../server/pages/service_page.ts";
import { formProblem, NAME_MISSING, openForm } from "./_actions.ts";
import { AskedSchedules, SearchFacts, ServiceFacts } from "./service/_facts.tsx";
import { StatusForm } from "./service/_statuses.tsx";
import { handler, page } from "./$service.ts";

export const handlers = handler({
  GET: async ({ state }) => ({ data: { ...await loadService(state), person: "" } }),

  async POST(ctx) {
    const { form, services, sender, now, go } = await openForm(ctx);
    const actor = sender();
    const meanings = form.getAll("meaning");
    const typed = form.getAll("status").map((status, at) => [status.trim(), meanings[at]] as const);
    const change = {
      statuses: typed.filter(([status, meaning]) => status !== "" && meaning !== "")
        .map(([status, meaning]) => ({ status, meaning })),
      about: typed.map(([status]) => status),
    };
    const [other, chosen] = typed.at(-1) ?? [];
    const problem = await formProblem(async () => {
      if (other && !chosen) {
        throw invalidRequest([{ pointer: "/meaning", detail: `Choose what “${other}” means` }]);
      }
      if (!actor) return checkStatuses(change.statuses);
      await saveStatuses(services, change, { actor, now });
    });
    const faults = problem?.errors.map(({ detail }) => detail) ?? [];
    const errors = [...faults, ...actor ? [] : [NAME_MISSING]];
    if (errors.length > 0) {
      const loaded = await loadService(ctx.state, { typed, errors });
      return { data: { ...loaded, person: form.get("name") ?? "" }, status: 400 };
    }
    return go(SERVICE_PATH, "saved-statuses");
  },
});

export default page(({ data }) => (
  <>
    <PageHeader title="Service" />
    <ServiceFacts learned={data} />
    <Section id="statuses" title="Statuses">
      {data.errors.length > 0 && (
        <Outcome isBad>{data.errors.map((error) => <p key={error}>{error}.</p>)}</Outcome>
      )}
      <StatusForm {...data.statuses} added={data.added} person={data.person} />
    </Section>
    <div class="columns">
      <Section id="searches" title="Searches for file sets">
        <SearchFacts search={data.search} />
      </Section>
      <Section id="asked" title="Schedules">
        <AskedSchedules {...data} />
        <OperatorsOnly>
          <a class="button" href="/schedules/find">Scan for schedules</a>
          {data.takesData && (
            <>
              <h2>Your own data</h2>
              <p class="help">A spreadsheet of runs or file sets, as CSV, NDJSON or JSON.</p>
              <a class="button" href="/service/import">Import your own data</a>
            </>
          )}
        </OperatorsOnly>
      </Section>
    </div>
  </>
));
