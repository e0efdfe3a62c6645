import { formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { decideRecipient, withdrawDecision } from "../../../server/actions/decide_recipient.ts";
import { clearLeavers } from "../../../server/actions/save_leavers.ts";
import { loadPerson, readDecision } from "../../../server/pages/person.ts";
import { openForm } from "../_actions.ts";
import { LeftOut } from "./_parts.tsx";
import { Decisions, PersonHeader, ReceivedTable } from "./_person.tsx";
import { handler, page } from "./$[personId].ts";

export const handlers = handler({
  GET: async ({ state, params }) => ({ data: await loadPerson(state, params.personId) }),

  async POST(ctx) {
    const { state, params } = ctx;
    const { form, services, acting, clicked, attempt, next, go } = await openForm(ctx);
    const shown = await loadPerson(state, params.personId);
    const personId = shown.person.id;
    const decisionId = wholeNumber(form.get("withdraw") ?? "");
    if (form.has("stays")) {
      await clearLeavers(services, clicked, personId);
      return go(`/people/${personId}`, "leaver-removed");
    }
    const status = await attempt(() => {
      if (decisionId) return withdrawDecision(services, { personId, decisionId }, acting());
      const decision = readDecision(form, personId, state.preferences.zone);
      return decideRecipient(services, decision, acting());
    });
    if (status !== null) return { data: shown, status };
    return go(next(`/people/${personId}`), decisionId ? "withdrawn" : "decided");
  },
});

export default page(({ data }) => {
  const { person, more } = data;
  return (
    <>
      <PersonHeader {...data} />
      <ReceivedTable {...data} />
      {more > 0 && <p class="help">and {formatCountOf(more, "more schedule", "more schedules")}</p>}
      <Decisions {...data} path={`/people/${person.id}`} />
      <p class="help">{data.known}.</p>
      <LeftOut unknown={data.unknown} />
    </>
  );
});
