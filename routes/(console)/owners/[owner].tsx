import { PageHeader } from "../../../components/page/page_header.tsx";
import { ChannelList } from "../../../components/runs/owners/channel_list.tsx";
import { ScheduleTable } from "../schedules/_schedule_table.tsx";
import { ownerHref } from "../../../components/runs/run_links.tsx";
import { When } from "../../../components/ui/moment.tsx";
import { OperatorsOnly } from "../../../components/ui/form.tsx";
import { Change, Section } from "../../../components/ui/section.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { removeOwner } from "../../../server/actions/save_owner.ts";
import { testChannels } from "../../../server/actions/test_channels.ts";
import { loadOwner } from "../../../server/pages/owner_pages.ts";
import { fieldIssues, formProblem, noSuchAction, openForm } from "../_actions.ts";
import {
  ChangeForm,
  type OwnerFields,
  OwnerForm,
  saveOwnerForm,
  TestForm,
  TestResults,
  withoutSecrets,
} from "./_owner_form.tsx";
import { handler, page } from "./$[owner].ts";

const NONE = {
  /** What became of test messages; the error is null if one was sent. */
  results: [] as Awaited<ReturnType<typeof testChannels>>,
  issues: {} as OwnerFields,
};

export const handlers = handler({
  GET: async ({ state, params }) => ({
    data: { ...await loadOwner(state, params.owner), ...NONE },
  }),

  async POST(ctx) {
    const { form, services, acting, now, go } = await openForm(ctx);
    const owner = await loadOwner(ctx.state, ctx.params.owner);
    const { name } = owner;
    const action = form.get("action");
    const show = (shown: Partial<typeof NONE>, status = 400) => {
      const fields = { ...owner.fields, ...withoutSecrets(form) };
      return { data: { ...owner, fields, ...NONE, ...shown }, status };
    };
    if (action === "test") {
      const results = await testChannels(services, name, now);
      return show({ results }, 200);
    }
    if (action === "remove") {
      const problem = await formProblem(() => removeOwner(services, name, acting()));
      return problem ? show({ issues: fieldIssues(problem) }) : go("/owners", "removed-owner");
    }
    if (action !== "save") throw noSuchAction();
    const issues = await saveOwnerForm(services, form, name, acting);
    if (Object.keys(issues).length > 0) return show({ issues });
    return go(ownerHref(form.get("owner")?.trim() ?? name), "saved-owner");
  },
});

export default page(({ data }) => {
  const { name, channels, fallback, changed, schedules, open, issues } = data;
  const action = ownerHref(name);
  return (
    <>
      <PageHeader
        title={name}
        trail={[["/owners", "Owners"]]}
        wrong={issues.person && `${issues.person}.`}
      />
      <TestResults results={data.results} />
      <Section
        id="channels"
        title="Channels"
        more={changed && (
          <span class="help">
            Changed by {changed.by}, <When at={changed.at} />
          </span>
        )}
      >
        {channels.length === 0 && <p class="help">None: incidents go to {fallback}.</p>}
        <ChannelList channels={channels} />
      </Section>
      <OperatorsOnly>
        <div class="row">
          {channels.length > 0 && <TestForm action={action} />}
          <Change name="Change…" open={Object.keys(issues).length > 0}>
            <OwnerForm
              action={action}
              button="Save"
              fields={{ owner: name, ...data.fields }}
              issues={issues}
              shown={data.shown}
            />
          </Change>
          {data.isSet && (
            <Change name="Remove…">
              <ChangeForm
                action={action}
                does="remove"
                button="Remove the owner"
                person={data.fields.name}
              >
                <p>
                  {open > 0
                    ? `${
                      formatCountOf(open, "incident is", "incidents are")
                    } open. If you remove ` +
                      `the owner, messages about them go to ${fallback}.`
                    : "No incident is open."} Schedules keep the owner's name.
                </p>
              </ChangeForm>
            </Change>
          )}
        </div>
      </OperatorsOnly>
      <Section
        id="schedules"
        title="Owned schedules"
        more={schedules.total > schedules.rows.length && (
          <a href={`/schedules?owner=${encodeURIComponent(name)}`}>
            All {formatCountOf(schedules.total, "schedule", "schedules")}
          </a>
        )}
      >
        {schedules.total === 0
          ? <p class="help">None yet: “Change…” assigns them.</p>
          : <ScheduleTable rows={schedules.rows.map((row) => ({ ...row, owner: "" }))} />}
      </Section>
    </>
  );
});
