import { Field } from "../../ui/form.tsx";
import { PersonField } from "../../ui/reader.tsx";

/** Initial values by the names of the fields, without secrets. */
export type OwnerFields = Readonly<Record<string, string | undefined>>;

const SECRETS = [
  ["slack", "Slack incoming webhook", "begins with https://hooks.slack.com/"],
  ["teams", "Teams Workflows webhook", "“When a Teams webhook request is received”"],
  ["webhook", "Webhook URL", "its host has to be in WEBHOOK_HOSTS"],
  ["webhookSecret", "Webhook secret", "signs the messages: whsec_…"],
] as const;

export function OwnerForm({ action, name, fields, issues, shown = {} }: {
  readonly action: string;
  readonly name: string | null;
  readonly fields: OwnerFields;
  readonly issues: OwnerFields;
  readonly shown?: OwnerFields;
}) {
  const unchanged = (kind: string) =>
    shown[kind] ? `set (${shown[kind]}): leave empty to keep it` : undefined;
  return (
    <form method="post" action={action} class="panel owner-form" autocomplete="off">
      {name === null && (
        <Field
          name="owner"
          label="Name of the team or person"
          required
          maxLength={100}
          value={fields.owner}
          issue={issues.owner}
        />
      )}
      <Field
        name="mail"
        label="Mail addresses"
        value={fields.mail}
        issue={issues.mail}
        placeholder={unchanged("mail")}
      >
        <p class="help">Separated by commas.</p>
      </Field>
      {SECRETS.map(([field, label, help]) => (
        <Field
          key={field}
          name={field}
          label={label}
          type="password"
          autocomplete="off"
          issue={issues[field]}
          placeholder={unchanged(field.replace("Secret", ""))}
        >
          <p class="help">{help}</p>
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
      <PersonField value={fields.name ?? ""} recorded="with the change" />
      <p class="help">
        URLs and secrets are sealed, and never shown again.
      </p>
      <div class="row">
        <button type="submit" name="action" value="save">
          {name === null ? "Add the owner" : "Save"}
        </button>
      </div>
    </form>
  );
}
