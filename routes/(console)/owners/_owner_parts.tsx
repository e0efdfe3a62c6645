/** Parts of the page of an owner. */
import { ChannelList } from "../../../components/runs/owners/channel_list.tsx";
import {
  ChangeForm,
  type OwnerFields,
  OwnerForm,
} from "../../../components/runs/owners/owner_form.tsx";
import { ownerHref } from "../../../components/runs/run_links.tsx";
import { ActionForm } from "../../../components/ui/action_form.tsx";
import { LoneMoment } from "../../../components/ui/moment.tsx";
import { ForActing } from "../../../components/ui/reader.tsx";
import { formatCountOf } from "../../../lib/format.ts";
import type { loadOwner } from "../../../server/pages/owner_pages.ts";

type Loaded = Awaited<ReturnType<typeof loadOwner>>;

export function OwnerChannels({ data }: { readonly data: Loaded }) {
  const { name, channels, changed } = data;
  return (
    <>
      <h2 id="channels">Channels</h2>
      {channels.length === 0 && (
        <p class="help">No channels: incidents go to the default channels.</p>
      )}
      <ChannelList channels={channels} />
      {changed && (
        <p class="help">
          Changed by {changed.by}, <LoneMoment at={changed.at} />
        </p>
      )}
      {channels.length > 0 && (
        <ActionForm action={ownerHref(name)}>
          <button type="submit" name="action" value="test">Send a test message</button>
        </ActionForm>
      )}
    </>
  );
}

export function OwnerChanges({ data, issues }: {
  readonly data: Loaded;
  readonly issues: OwnerFields;
}) {
  const { name, open } = data;
  const action = ownerHref(name);
  return (
    <ForActing>
      <details class="change" id="change" open={Object.keys(issues).length > 0}>
        <summary class="button">Change…</summary>
        <OwnerForm
          action={action}
          button="Save"
          fields={{ owner: name, ...data.fields }}
          issues={issues}
          shown={data.shown}
        />
      </details>
      {data.isSet && (
        <details class="change" id="remove">
          <summary class="button">Remove…</summary>
          <ChangeForm
            action={action}
            does="remove"
            button="Remove the owner"
            person={data.fields.name}
          >
            <p>
              {open > 0
                ? `${formatCountOf(open, "incident is", "incidents are")} open. If you remove ` +
                  "the owner, they go to the default channels."
                : "No incident is open."} Schedules keep the owner's name.
            </p>
          </ChangeForm>
        </details>
      )}
    </ForActing>
  );
}
