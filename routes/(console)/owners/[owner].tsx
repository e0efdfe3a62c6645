import { FormKey } from "../../../components/ui/form_key.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { ChannelList } from "../../../components/runs/owners/channel_list.tsx";
import {
  ChangeForm,
  type OwnerFields,
  OwnerForm,
} from "../../../components/runs/owners/owner_form.tsx";
import { ScheduleTable } from "../../../components/runs/overview/schedule_table.tsx";
import { LoneMoment } from "../../../components/ui/moment.tsx";
import { ownerHref } from "../../../components/runs/run_links.tsx";
import { ForActing } from "../../../components/ui/reader.tsx";
import { formatCountOf, percentDecoded } from "../../../lib/format.ts";
import { actorText } from "../../../lib/judgement/actor.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { actionServices } from "../../../server/actions/action_services.ts";
import { removeOwner, testChannels } from "../../../server/actions/save_owner.ts";
import { nameKey } from "../../../server/store/text.ts";
import type { ConsoleState } from "../_middleware.ts";
import { formActor, NAME_MISSING, redirectWithNotice, rememberName } from "../_actions.ts";
import { scheduleRows } from "../../../server/pages/schedule_rows.ts";
import { loadChannels } from "../../../server/pages/channels.ts";
import { recordsOf } from "../../../server/pages/page_request.ts";
import { ownerFields, saveOwnerForm, withoutSecrets } from "./_owners.ts";
import { handler, page } from "./$[owner].ts";

interface Result {
  readonly words: string;
  readonly isGood: boolean;
}

export const handlers = handler({
  GET: async ({ state, params, req }) => ({ data: await load(state, params.owner, req.headers) }),

  async POST(ctx) {
    const { state, params, req } = ctx;
    const form = await readFormBody(req);
    const records = recordsOf(state.services);
    const owner = await records.owners.get(nameIn(params.owner));
    const name = owner?.name ?? nameIn(params.owner);
    const action = form.get("action");
    const now = Date.now();
    const show = async (results: readonly Result[], issues: OwnerFields = {}, status = 200) => ({
      data: { ...await load(state, params.owner, req.headers, form), results, issues },
      status,
    });
    const done = (to: string, notice: "saved-owner" | "removed-owner") =>
      rememberName(redirectWithNotice(ctx, to, notice), form, state.origin);
    if (action === "test" && owner) {
      const sent = await testChannels(actionServices(state), name, now);
      return await show(sent.map(({ kind, error }) => ({
        words: error === null ? `Sent a test by ${kind}` : `The test by ${kind} failed: ${error}`,
        isGood: error === null,
      })));
    }
    const actor = formActor(state, form);
    if (!actor) return await show([{ words: NAME_MISSING, isGood: false }], {}, 400);
    if (action === "remove" && owner) {
      await removeOwner(actionServices(state), name, { actor, now });
      return done("/owners", "removed-owner");
    }
    if (action !== "save") throw new ProblemError(400, "There is no such action");
    const issues = await saveOwnerForm(state, form, name, { actor, now });
    if (Object.keys(issues).length > 0) return await show([], issues, 400);
    return done(ownerHref(form.get("owner")?.trim() ?? name), "saved-owner");
  },
});

function nameIn(param: string): string {
  return percentDecoded(param)?.trim() ?? "";
}

const MAX_SCHEDULES = 50;

async function load(
  state: ConsoleState,
  param: string,
  headers: Headers,
  typed?: URLSearchParams,
) {
  const { services, preferences: { zone } } = state;
  const records = recordsOf(services);
  const key = nameKey(nameIn(param));
  const [owner, named, channels] = await Promise.all([
    records.owners.get(key),
    records.owners.schedules(),
    loadChannels(services),
  ]);
  const { ids = [], open = 0, name = "" } = named.get(key) ?? {};
  if (!owner && ids.length === 0) throw new ProblemError(404, "There is no such owner");
  const now = Date.now();
  const { items } = await records.overview.list({
    ids,
    among: "known",
    limit: MAX_SCHEDULES,
    offset: 0,
  });
  const own = owner?.channels ?? [];
  const results: readonly Result[] = [];
  const issues: OwnerFields = {};
  return {
    name: owner?.name ?? name,
    isSet: owner !== undefined,
    changed: owner ? { at: owner.changed, by: actorText(owner.actor) } : null,
    channels: channels.of(owner),
    shown: Object.fromEntries(own.map(({ kind, hint }) => [kind, hint])),
    fields: { ...ownerFields(state, headers, owner), ...typed && withoutSecrets(typed) },
    schedules: { rows: await scheduleRows(records, items, { now, zone }), total: ids.length },
    open,
    now,
    results,
    issues,
  };
}

export default page(({ data }) => {
  const { name, isSet, changed, channels, shown, fields, issues, schedules, open, now } = data;
  const action = ownerHref(name);
  return (
    <>
      <PageHeader title={name} path={[["/owners", "Owners"]]} />
      {data.results.map(({ words, isGood }) => (
        <p
          key={words}
          class={`notice ${isGood ? "done" : "bad"}`}
          role={isGood ? "status" : "alert"}
        >
          {words}.
        </p>
      ))}
      <h2 id="channels">Channels</h2>
      {channels.length === 0 && (
        <p class="help">No channels: incidents go to the default channels.</p>
      )}
      <ChannelList channels={channels} now={now} />
      {changed && (
        <p class="help">
          Changed by {changed.by}, <LoneMoment at={changed.at} />
        </p>
      )}
      <ForActing>
        {channels.length > 0 && (
          <form method="post" action={action}>
            <FormKey />
            <button type="submit" name="action" value="test">Send a test message</button>
          </form>
        )}
      </ForActing>
      <h2 id="schedules">Schedules</h2>
      {schedules.total === 0
        ? <p class="help">This owner has no schedules yet.</p>
        : <ScheduleTable rows={schedules.rows} now={now} />}
      {schedules.total > schedules.rows.length && (
        <p>
          <a href={`/schedules?owner=${encodeURIComponent(name)}`}>
            All {formatCountOf(schedules.total, "schedule", "schedules")}
          </a>
        </p>
      )}
      <ForActing>
        <details class="change" id="change" open={Object.keys(issues).length > 0}>
          <summary class="button">Change…</summary>
          <OwnerForm
            action={action}
            button="Save"
            fields={{ owner: name, ...fields }}
            issues={issues}
            shown={shown}
          />
        </details>
        {isSet && (
          <>
            <details class="change" id="remove">
              <summary class="button">Remove…</summary>
              <ChangeForm
                action={action}
                does="remove"
                button="Remove the owner"
                person={fields.name}
              >
                <p>
                  {open > 0
                    ? `${
                      formatCountOf(open, "incident is", "incidents are")
                    } open. If you remove ` +
                      "the owner, they go to the default channels."
                    : "No incident is open."} Schedules keep the owner's name.
                </p>
              </ChangeForm>
            </details>
          </>
        )}
      </ForActing>
    </>
  );
});
