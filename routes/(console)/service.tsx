import { PageHeader } from "../../components/page/page_header.tsx";
import { SERVICE_PATH } from "../../components/runs/run_links.tsx";
import { OperatorsOnly } from "../../components/ui/form.tsx";
import { Section } from "../../components/ui/section.tsx";
import { saveStatuses } from "../../server/actions/save_statuses.ts";
import { invalidRequest } from "../../server/http/problem.ts";
import { loadService } from "../../server/pages/service_page.ts";
import { openForm } from "./_actions.ts";
import { AskedSchedules, SearchFacts, ServiceFacts, StatusForm } from "./service/_parts.tsx";
import { handler, page } from "./$service.ts";

export const handlers = handler({
  GET: async ({ state }) => ({ data: await loadService(state) }),

  async POST(ctx) {
    const { form, services, acting, attempt, go } = await openForm(ctx);
    const meanings = form.getAll("meaning");
    const typed = form.getAll("status").map((status, at) => [status.trim(), meanings[at]] as const);
    const change = {
      statuses: typed.filter(([status, meaning]) => status !== "" && meaning !== "")
        .map(([status, meaning]) => ({ status, meaning })),
      about: typed.map(([status]) => status),
    };
    const [other, chosen] = typed.at(-1) ?? [];
    const status = await attempt(async () => {
      if (other && !chosen) {
        throw invalidRequest([{ pointer: "/meaning", detail: `Choose what “${other}” means` }]);
      }
      await saveStatuses(services, change, acting());
    }, { meaning: null, statuses: null });
    return status === null
      ? go(SERVICE_PATH, "saved-statuses")
      : { data: await loadService(ctx.state), status };
  },
});

export default page(({ data }) => (
  <>
    <PageHeader title="Service" />
    <ServiceFacts learned={data} />
    <div class="beside">
      <div>
        <Section id="statuses" title="Statuses">
          <StatusForm {...data.statuses} />
        </Section>
        <Section id="searches" title="Searches for file sets">
          <SearchFacts search={data.search} />
        </Section>
      </div>
      <div id="side">
        <Section id="asked" title="Ids asked for">
          <AskedSchedules {...data} />
        </Section>
        <OperatorsOnly>
          <p class="row">
            <a class="button" href="/schedules/find">Scan for schedules</a>{" "}
            {data.takesData && <a class="button" href="/service/import">Import your own data</a>}
          </p>
        </OperatorsOnly>
      </div>
    </div>
  </>
));
