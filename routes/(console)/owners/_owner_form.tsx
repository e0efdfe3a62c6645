/** The form of an owner: what it shows, and what it saves. */
import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { ActionForm, Field, PersonField, Refused } from "../../../components/ui/form.tsx";
import type { ActionServices } from "../../../server/actions/action_services.ts";
import type { saveOwner } from "../../../server/actions/save_owner.ts";
import { invalidRequest } from "../../../server/http/problem.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../../../server/store/records/owners.ts";

/** The label and the help of each field of a channel. */
const CHANNEL_FIELDS: Readonly<Record<ChannelKind | "webhookSecret", readonly [string, string]>> = {
  mail: ["Mail addresses", "Separated by commas."],
  slack: [
    "Slack incoming webhook",
    "Begins with https://hooks.slack.com/ or https://hooks.slack-gov.com/.",
  ],
  teams: ["Teams Workflows webhook", "From “When a Teams webhook request is received”."],
  webhook: ["Webhook URL", "On the host of WEBHOOK_URL, or one that WEBHOOK_HOSTS names."],
  webhookSecret: ["Webhook secret", "Signs the messages: whsec_…"],
};

/** A form for a change to an owner or a calendar, with the name of who makes it. */
export function ChangeForm({ button, does, children, ...form }: {
  readonly id?: string;
  readonly action: string;
  readonly button: string;
  /** What the button sends as `action`. */
  readonly does?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <ActionForm class="box stack panel" autocomplete="off" {...form}>
      {children}
      <PersonField />
      <button type="submit" name={does && "action"} value={does}>{button}</button>
    </ActionForm>
  );
}

/** `fields` are the present values, and `shown` says what is set of each channel. */
export function OwnerForm({ action, button, fields, shown = {} }: {
  readonly action: string;
  readonly button: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly shown?: Readonly<Record<string, string>>;
}) {
  const { typed } = useContext(Refused);
  const present = (kind: string) =>
    shown[kind] ? `Set: ${shown[kind]}. Leave empty to keep it. ` : "";
  return (
    <ChangeForm action={action} does="save" button={button}>
      <Field
        name="owner"
        label="Name of the team or person"
        required
        maxLength={100}
        value={fields.owner}
      />
      <Field name="give" label="Assign schedules" help="Ids and ranges, such as 101, 105-112." />
      {Object.entries(CHANNEL_FIELDS).map(([field, [label, help]]) => (
        <Field
          key={field}
          name={field}
          label={label}
          type={field === "mail" ? "text" : "password"}
          autocomplete="off"
          help={present(field) + help}
        />
      ))}
      {Object.keys(shown).length > 0 && (
        <p class="row">
          Remove: {Object.entries(shown).map(([kind, where]) => (
            <label key={kind} class="row">
              <input type="checkbox" name="remove" value={kind} /> {kind} ({where})
            </label>
          ))}
        </p>
      )}
      <div class="stack" role="group" aria-labelledby="quiet-hours">
        <h3 id="quiet-hours">Quiet hours</h3>
        <div class="line inputs">
          <Field name="from" label="From" type="time" value={fields.from} />
          <Field name="to" label="To" type="time" value={fields.to} />
          <Field name="zone" label="Zone" value={fields.zone} />
        </div>
        <label class="row">
          <input
            type="checkbox"
            name="holdsCritical"
            checked={(typed.has("owner") ? typed.get("holdsCritical") : fields.holdsCritical) ===
              "on"}
          />
          Hold critical messages too
        </label>
      </div>
      <p class="help">URLs and secrets are stored encrypted, and never shown again.</p>
    </ChangeForm>
  );
}

/** The fields whose names differ from those of an owner's parts. */
export const OWNER_FIELDS = { name: "owner", scheduleIds: "give", quiet: "from" } as const;

/** The change to an owner that a form asks for. */
export function readOwner(form: URLSearchParams, name: string): Parameters<typeof saveOwner>[1] {
  const text = (field: string) => form.get(field)?.trim() ?? "";
  const removed = form.getAll("remove");
  const channels: Partial<Record<ChannelKind, string | null>> = {};
  for (const kind of CHANNEL_KINDS) {
    const secret = kind === "webhook" ? text("webhookSecret") : "";
    const value = `${text(kind)} ${secret}`.trim();
    if (removed.includes(kind)) channels[kind] = null;
    else if (value !== "") channels[kind] = value;
  }
  const [from, to] = [text("from"), text("to")];
  const quiet = from === "" && to === ""
    ? null
    : { from, to, zone: text("zone"), holdsCritical: form.get("holdsCritical") === "on" };
  const newName = form.has("owner") ? text("owner") : name;
  return { name, to: newName, channels, quiet, scheduleIds: text("give") };
}

export async function requireFreeName({ records: { owners } }: ActionServices, name: string) {
  if (!await owners.get(name)) return;
  const detail = "is taken: open the owner's page to change it";
  throw invalidRequest([{ pointer: "/name", detail }]);
}
