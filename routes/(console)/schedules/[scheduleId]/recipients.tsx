import { recipientsHref } from "../../../../components/runs/run_links.tsx";
import { ScheduleHeader } from "../../../../components/runs/schedule_header.tsx";
import { readFormBody } from "../../../../server/http/request_body.ts";
import { requireScheduleId } from "../../../../server/http/request_query.ts";
import { loadRecipients } from "../../../../server/pages/schedule.ts";
import { findPerson } from "../../../../server/pages/people_page.ts";
import { loadPage } from "../../../_errors.ts";
import { PeopleList } from "../../people/_people_list.tsx";
import { handler, page } from "./$recipients.ts";

export const handlers = handler({
  GET: (ctx) => loadPage(ctx, () => loadRecipients(ctx)),

  async POST(ctx) {
    const path = recipientsHref(requireScheduleId(ctx.params));
    return ctx.redirect(await findPerson(ctx.state, await readFormBody(ctx.req), path), 303);
  },
});

export default page(({ data, params, state }) => {
  const { shown } = data;
  return (
    <>
      <ScheduleHeader current="recipients" {...{ data, params, state }} />
      {shown && <PeopleList data={shown.people} path={recipientsHref(shown.scheduleId)} />}
    </>
  );
});
