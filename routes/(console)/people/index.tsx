import { PageHeader } from "../../../components/page/page_header.tsx";
import { recipientsHref } from "../../../components/runs/run_links.tsx";
import { withQuery } from "../../../components/ui/query.ts";
import { findPerson, loadPeople, readPeopleLink } from "../../../server/pages/people_page.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { PeopleList } from "./_people_list.tsx";
import { handler, page } from "./$index.ts";

const PATH = "/people";

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const { scheduleId } = readPeopleLink(searchParams).link;
    if (scheduleId !== undefined) {
      searchParams.delete("schedule");
      return ctx.redirect(withQuery(recipientsHref(scheduleId), searchParams), 303);
    }
    return { data: await loadPeople(ctx.state, searchParams) };
  },

  POST: async (ctx) =>
    ctx.redirect(await findPerson(ctx.state, await readFormBody(ctx.req), PATH), 303),
});

export default page(({ data }) => (
  <>
    <PageHeader title="People" />
    {data.counts.all > 0 && <p>{insideWords(data.context)}</p>}
    <PeopleList data={data} path={PATH} />
  </>
));

function insideWords(
  { home, isSet }: { readonly home: readonly string[]; readonly isSet: boolean },
): string {
  if (isSet) return `Inside is ${home.join(", ")} (HOME_DOMAINS).`;
  return home.length === 0
    ? "No domain of your own is known, so nobody counts as outside."
    : `Inside is ${home[0]}, the domain of most reports.`;
}
