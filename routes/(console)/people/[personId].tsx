import { LeftOut } from "../../../components/runs/people/left_out.tsx";
import { formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { actionServices } from "../../../server/actions/action_services.ts";
import { decideRecipient, withdrawDecision } from "../../../server/actions/decide_recipient.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { loadPerson, readDecision } from "../../../server/pages/person.ts";
import { formActor, redirectWithNotice, rememberName } from "../_actions.ts";
import { Decisions } from "./_decisions.tsx";
import { PersonHeader, ReceivedTable, ReceivedTimeline } from "./_person.tsx";
import { handler, page } from "./$[personId].ts";

export const handlers = handler({
  GET: async ({ state, params }) => ({
    data: {
      ...await loadPerson(state, params.personId),
      typed: new URLSearchParams(),
      issue: null,
    },
  }),

  async POST(ctx) {
    const { state, params } = ctx;
    const form = await readFormBody(ctx.req);
    const personId = wholeNumber(params.personId) ?? -1;
    const actor = formActor(state, form);
    const decisionId = wholeNumber(form.get("withdraw") ?? "");
    const decision = readDecision(form, personId, state.preferences.zone);
    if (!actor || !(decision || decisionId)) {
      const issue = actor ? "until" as const : "name" as const;
      return {
        data: { ...await loadPerson(state, params.personId), typed: form, issue },
        status: 400,
      };
    }
    const [services, acting] = [actionServices(state), { actor, now: Date.now() }];
    if (decisionId) await withdrawDecision(services, { personId, decisionId }, acting);
    else await decideRecipient(services, decision!, acting);
    const next = safeRedirectPath(form.get("next") ?? `/people/${personId}`);
    return rememberName(redirectWithNotice(ctx, next, "decided"), form, state.origin);
  },
});

export default page(({ data }) => {
  const { person, rows, more } = data;
  return (
    <>
      <PersonHeader {...data} />
      <ReceivedTable personId={person.id} rows={rows} />
      {more > 0 && <p class="help">and {formatCountOf(more, "more schedule", "more schedules")}</p>}
      <p class="help">{data.known}.</p>
      <LeftOut unknown={data.unknown} />
      <ReceivedTimeline rows={rows} />
      <Decisions {...data} path={`/people/${person.id}`} />
    </>
  );
});
