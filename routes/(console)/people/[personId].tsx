import { formatCountOf, wholeNumber } from "../../../lib/format.ts";
import { decideRecipient, withdrawDecision } from "../../../server/actions/decide_recipient.ts";
import { loadPerson, readDecision } from "../../../server/pages/person.ts";
import { fieldIssues, formProblem, openForm } from "../_actions.ts";
import { LeftOut } from "./_parts.tsx";
import { Decisions, PersonHeader, PersonTimeline, ReceivedTable } from "./_person.tsx";
import { handler, page } from "./$[personId].ts";

export const handlers = handler({
  GET: async ({ state, params }) => ({
    data: {
      ...await loadPerson(state, params.personId),
      typed: new URLSearchParams(),
      issues: {},
    },
  }),

  async POST(ctx) {
    const { state, params } = ctx;
    const { form, services, sender, now, next, go } = await openForm(ctx);
    const actor = sender();
    const personId = wholeNumber(params.personId) ?? -1;
    const decisionId = wholeNumber(form.get("withdraw") ?? "");
    const decision = readDecision(form, personId, state.preferences.zone);
    let issues: Readonly<Record<string, string>>;
    if (!actor) issues = { name: "Enter your name" };
    else if (!decision && !decisionId) issues = { until: "must be today or later" };
    else {
      const problem = await formProblem(() =>
        decisionId
          ? withdrawDecision(services, { personId, decisionId }, { actor, now })
          : decideRecipient(services, decision!, { actor, now })
      );
      if (!problem) return go(next(`/people/${personId}`), "decided");
      issues = fieldIssues(problem);
    }
    return {
      data: { ...await loadPerson(state, params.personId), typed: form, issues },
      status: 400,
    };
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
      <PersonTimeline {...data} />
      <Decisions {...data} path={`/people/${person.id}`} />
    </>
  );
});
