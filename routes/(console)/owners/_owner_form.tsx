/** The form of an owner: what it shows, and what it saves. */
import type { ComponentChildren } from "preact";
import { ActionForm, Field, PersonField } from "../../../components/ui/form.tsx";
import { Outcome } from "../../../components/ui/notices.tsx";
import type { ActionServices } from "../../../server/actions/action_services.ts";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import type { Acting } from "../../../server/store/records/events.ts";
import { CHANNEL_KINDS, type ChannelKind } from "../../../server/store/records/owners.ts";
import { fieldIssues, formProblem } from "../_actions.ts";

/** Initial values by the names of the fields, without secrets. */
export type OwnerFields = Readonly<Record<string, string | undefined>>;

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

/** Sends a test message by each channel. */
export function TestForm({ action }: { readonly action: string }) {
  return (
    <ActionForm action={action}>
      <button type="submit" name="action" value="test">Send a test message</button>
    </ActionForm>
  );
}

/** A form for a change to an owner or a calendar, with the name of who makes it. */
export function ChangeForm({ button, does, person, children, ...form }: {
  readonly id?: string;
  readonly action: string;
  readonly button: string;
  /** What the button sends as `action`. */
  readonly does?: string;
  readonly person: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <ActionForm class="box stack panel" autocomplete="off" {...form}>
      {children}
      <PersonField value={person ?? ""} />
      <button type="submit" name={does && "action"} value={does}>{button}</button>
    </ActionForm>
  );
}

export function OwnerForm({ action, button, fields, issues, shown = {} }: {
  readonly action: string;
  readonly button: string;
  readonly fields: OwnerFields;
  readonly issues: OwnerFields;
  readonly shown?: OwnerFields;
}) {
  const present = (kind: string) =>
    shown[kind] ? `Set: ${shown[kind]}. Leave empty to keep it. ` : "";
  return (
    <ChangeForm action={action} does="save" button={button} person={fields.name}>
      <Field
        name="owner"
        label="Name of the team or person"
        required
        maxLength={100}
        value={fields.owner}
        issue={issues.owner}
      />
      <Field
        name="give"
        label="Assign schedules"
        help="Ids and ranges, such as 101, 105-112."
        value={fields.give}
        issue={issues.give}
      />
      {Object.entries(CHANNEL_FIELDS).map(([field, [label, help]]) => (
        <Field
          key={field}
          name={field}
          label={label}
          type={isSecret(field) ? "password" : "text"}
          value={fields[field]}
          autocomplete="off"
          help={present(field) + help}
          issue={issues[field]}
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
          <Field name="from" label="From" type="time" value={fields.from} issue={issues.quiet} />
          <Field name="to" label="To" type="time" value={fields.to} />
          <Field name="zone" label="Zone" value={fields.zone} />
        </div>
        <label class="row">
          <input type="checkbox" name="holdsCritical" checked={fields.holdsCritical === "on"} />
          Hold critical messages too
        </label>
      </div>
      <p class="help">URLs and secrets are stored encrypted, and never shown again.</p>
    </ChangeForm>
  );
}

/** What became of test messages; the error is null if one was sent. */
export function TestResults({ results }: {
  readonly results: readonly { readonly kind: string; readonly error: string | null }[];
}) {
  return (
    <>
      {results.map(({ kind, error }) =>
        error === null
          ? <Outcome key={kind}>Sent a test by {kind}.</Outcome>
          : <Outcome key={kind} isBad>The test by {kind} failed: {error}.</Outcome>
      )}
    </>
  );
}

function isSecret(field: string): boolean {
  return field !== "mail" && Object.hasOwn(CHANNEL_FIELDS, field);
}

export function withoutSecrets(form: URLSearchParams): OwnerFields {
  return Object.fromEntries([...form].filter(([name]) => !isSecret(name)));
}

/** Saves the owner in a form; returns what is wrong with each field, and otherwise nothing. */
export async function saveOwnerForm(
  services: ActionServices,
  form: URLSearchParams,
  name: string,
  acting: () => Acting,
): Promise<OwnerFields> {
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
  const change = { name, to: newName, channels, quiet, scheduleIds: text("give") };
  const problem = await formProblem(() => saveOwner(services, change, acting()));
  return problem ? fieldIssues(problem, { name: "owner", scheduleIds: "give" }) : {};
}
