import { ActionForm } from "../../ui/action_form.tsx";
import type { ComponentChildren } from "preact";
import { Field } from "../../ui/form.tsx";
import { PersonField } from "../../ui/reader.tsx";

/** Initial values by the names of the fields, without secrets. */
export type OwnerFields = Readonly<Record<string, string | undefined>>;

const CHANNEL_FIELDS = [
  ["mail", "Mail addresses", "Separated by commas."],
  [
    "slack",
    "Slack incoming webhook",
    "Begins with https://hooks.slack.com/ or https://hooks.slack-gov.com/.",
  ],
  ["teams", "Teams Workflows webhook", "From “When a Teams webhook request is received”."],
  ["webhook", "Webhook URL", "On the host of WEBHOOK_URL, or one that WEBHOOK_HOSTS names."],
  ["webhookSecret", "Webhook secret", "Signs the messages: whsec_…"],
] as const;

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
    <ActionForm class="panel stacked" autocomplete="off" {...form}>
      {children}
      <PersonField value={person ?? ""} />
      <div class="row">
        <button type="submit" name={does && "action"} value={does}>{button}</button>
      </div>
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
      <Field name="give" label="Assign schedules" value={fields.give} issue={issues.give}>
        <p class="help">Ids and ranges, such as 101, 105-112.</p>
      </Field>
      {CHANNEL_FIELDS.map(([field, label, help]) => (
        <Field
          key={field}
          name={field}
          label={label}
          type={field === "mail" ? "text" : "password"}
          value={fields[field]}
          autocomplete="off"
          issue={issues[field]}
        >
          <p class="help">{present(field)}{help}</p>
        </Field>
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
      <fieldset>
        <legend>Quiet hours</legend>
        <div class="inputs">
          <Field name="from" label="From" type="time" value={fields.from} issue={issues.quiet} />
          <Field name="to" label="To" type="time" value={fields.to} />
          <Field name="zone" label="Zone" value={fields.zone} />
        </div>
        <label class="row">
          <input type="checkbox" name="holdsCritical" checked={fields.holdsCritical === "on"} />
          Hold critical messages too
        </label>
      </fieldset>
      <p class="help">URLs and secrets are stored encrypted, and never shown again.</p>
    </ChangeForm>
  );
}
