import { PageHeader } from "../../../components/page/page_header.tsx";
import { ChannelList } from "../../../components/runs/owners/channel_list.tsx";
import { ScheduleTable } from "../schedules/_schedule_table.tsx";
import { ownerHref } from "../../../components/runs/run_links.tsx";
import { When } from "../../../components/ui/moment.tsx";
import { Outcome } from "../../../components/ui/notices.tsx";
import { ActionForm, OperatorsOnly } from "../../../components/ui/form.tsx";
import { Change, Section } from "../../../components/ui/section.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import { removeOwner, saveOwner } from "../../../server/actions/save_owner.ts";
import { testChannels } from "../../../server/actions/test_channels.ts";
import { loadOwner } from "../../../server/pages/owner_pages.ts";
import { noSuchAction, openForm } from "../_actions.ts";
import { ChangeForm, OWNER_FIELDS, OwnerForm, readOwner } from "./_owner_form.tsx";
import { handler, page } from "./$[owner].ts";

/** What became of test messages; the error is null if one was sent. */
const NONE: Awaited<ReturnType<typeof testChannels>> = [];

export const handlers = handler({
  GET: async ({ state, params }) => ({
    data: { ...await loadOwner(state, params.owner), results: NONE },
  }),

  async POST(ctx) {
    const { form, services, acting, attempt, now, go } = await openForm(ctx);
    const owner = await loadOwner(ctx.state, ctx.params.owner);
    const { name } = owner;
    const action = form.get("action");
    if (action === "test") {
      return { data: { ...owner, results: await testChannels(services, name, now) } };
    }
    if (action !== "save" && action !== "remove") throw noSuchAction();
    const change = readOwner(form, name);
    const status = await attempt(
      () =>
        action === "save"
          ? saveOwner(services, change, acting())
          : removeOwner(services, name, acting()),
      OWNER_FIELDS,
    );
    if (status !== null) return { data: { ...owner, results: NONE }, status };
    return action === "save"
      ? go(ownerHref(change.to ?? name), "saved-owner")
      : go("/owners", "removed-owner");
  },
});

export default page(({ data }) => {
  const { name, channels, fallback, changed, schedules, open } = data;
  const action = ownerHref(name);
  return (
    <>
      <PageHeader title={name} trail={[["/owners", "Owners"]]} />
      {data.results.map(({ kind, error }) =>
        error === null
          ? <Outcome key={kind}>Sent a test by {kind}.</Outcome>
          : <Outcome key={kind} isBad>The test by {kind} failed: {error}.</Outcome>
      )}
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
          {channels.length > 0 && (
            <ActionForm action={action}>
              <button type="submit" name="action" value="test">Send a test message</button>
            </ActionForm>
          )}
          <Change name="Change…" field="owner">
            <OwnerForm
              action={action}
              button="Save"
              fields={{ owner: name, ...data.fields }}
              shown={data.shown}
            />
          </Change>
          {data.isSet && (
            <Change name="Remove…">
              <ChangeForm action={action} does="remove" button="Remove the owner">
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
