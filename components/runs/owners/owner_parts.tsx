/** Parts of the page of an owner. */
import { formatCountOf } from "../../../lib/format.ts";
import { FormKey } from "../../ui/form_key.tsx";
import { LoneMoment } from "../../ui/moment.tsx";
import { ForActing } from "../../ui/reader.tsx";
import { ownerHref } from "../run_links.tsx";
import { ChannelList, type ChannelRow } from "./channel_list.tsx";
import { ChangeForm, type OwnerFields, OwnerForm } from "./owner_form.tsx";

/** What became of a test message; `error` is null if it was sent. */
export interface Tested {
  readonly kind: string;
  readonly error: string | null;
}

export function TestResults({ results }: { readonly results: readonly Tested[] }) {
  return (
    <>
      {results.map(({ kind, error }) =>
        error === null
          ? <p key={kind} class="notice done" role="status">Sent a test by {kind}.</p>
          : <p key={kind} class="notice bad" role="alert">The test by {kind} failed: {error}.</p>
      )}
    </>
  );
}

export function OwnerChannels({ name, channels, changed, now }: {
  readonly name: string;
  readonly channels: readonly ChannelRow[];
  /** Who changed them last, and when. */
  readonly changed: { readonly at: number; readonly by: string } | null;
  readonly now: number;
}) {
  return (
    <>
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
          <form method="post" action={ownerHref(name)}>
            <FormKey />
            <button type="submit" name="action" value="test">Send a test message</button>
          </form>
        )}
      </ForActing>
    </>
  );
}

export function OwnerChanges({ name, isSet, fields, issues, shown, open }: {
  readonly name: string;
  /** Whether it is stored, and not only named by schedules. */
  readonly isSet: boolean;
  readonly fields: OwnerFields;
  readonly issues: OwnerFields;
  /** What is set of each channel, by its kind. */
  readonly shown: OwnerFields;
  /** How many of its incidents are open. */
  readonly open: number;
}) {
  const action = ownerHref(name);
  return (
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
        <details class="change" id="remove">
          <summary class="button">Remove…</summary>
          <ChangeForm action={action} does="remove" button="Remove the owner" person={fields.name}>
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
