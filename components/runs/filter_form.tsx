import { DEFAULT_LIMIT } from "../../lib/request.ts";
import type { RunFilter } from "../../lib/runs/filter.ts";
import { Choice, Labelled } from "../ui/form.tsx";
import { FILTER_FORM, LOADS } from "./view.ts";

/** Somebody whom runs can be filtered by. */
export interface RecipientChoice {
  readonly userId: number;
  readonly name: string;
}

/** What can be chosen in a filter. */
export interface FilterChoices {
  /** Statuses that the loaded runs have. */
  readonly statuses: readonly string[];
  readonly recipients: readonly RecipientChoice[];
}

/**
 * The conditions of a filter. Without JavaScript it is sent; in the browser the island that shows the
 * runs listens to it.
 */
export function FilterForm({ path, filter, choices, limit, load }: {
  readonly path: string;
  readonly filter: RunFilter;
  readonly choices: FilterChoices;
  readonly limit: number;
  readonly load: number;
}) {
  const statuses = [...new Set([...choices.statuses, ...filter.status ?? []])];
  return (
    <form id={FILTER_FORM} method="get" action={path} class="panel">
      {limit !== DEFAULT_LIMIT && <input type="hidden" name="limit" value={limit} />}
      {load !== LOADS[0] && <input type="hidden" name="load" value={load} />}
      {statuses.length > 0 && (
        <fieldset>
          <legend>Status</legend>
          {statuses.map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                name="status"
                value={name}
                checked={filter.status?.includes(name) ?? false}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <fieldset>
        <legend>Filter</legend>
        <Choice
          name="trigger"
          label="Trigger"
          selected={filter.trigger ?? ""}
          options={[
            { value: "", text: "any" },
            { value: "automated", text: "automated" },
            { value: "manual", text: "by hand" },
          ]}
        />
        <Field name="from" label="From" type="date" value={filter.from} />
        <Field name="through" label="Through" type="date" value={filter.through} />
        <Seconds name="min-seconds" label="At least, seconds" value={filter.minSeconds} />
        <Seconds name="max-seconds" label="At most, seconds" value={filter.maxSeconds} />
        <Choice
          name="attachments"
          label="Attachments"
          selected={filter.attachments ?? ""}
          options={[
            { value: "", text: "any" },
            { value: "with", text: "has some" },
            { value: "without", text: "has none" },
          ]}
        />
        <Labelled name="recipient" label="Recipient, user id">
          <input
            id="recipient"
            name="recipient"
            list="recipient-ids"
            inputmode="numeric"
            pattern="[0-9]*"
            autocomplete="off"
            value={filter.recipient ?? ""}
          />
          <datalist id="recipient-ids">
            {choices.recipients.map(({ userId, name }) => (
              <option key={userId} value={userId}>{name}</option>
            ))}
          </datalist>
        </Labelled>
        <Labelled name="text" label="Text">
          <input
            id="text"
            type="search"
            name="text"
            value={filter.text ?? ""}
            autocomplete="off"
          />
        </Labelled>
        <noscript>
          <button type="submit">Apply</button>
        </noscript>
      </fieldset>
    </form>
  );
}

function Field({ name, label, type, value }: {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly value: string | undefined;
}) {
  return (
    <Labelled name={name} label={label}>
      <input id={name} name={name} type={type} value={value ?? ""} />
    </Labelled>
  );
}

function Seconds({ name, label, value }: {
  readonly name: string;
  readonly label: string;
  readonly value: number | undefined;
}) {
  return (
    <Labelled name={name} label={label}>
      <input id={name} name={name} type="number" min="0" step="any" value={value ?? ""} />
    </Labelled>
  );
}
