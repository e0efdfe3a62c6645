import { DEFAULT_LIMIT } from "../../lib/backend.ts";
import { Choice, Labelled } from "../ui/form.tsx";
import { FILTER_FORM, LOADS, type RunView, scheduleHref } from "./run_links.ts";

/** A recipient to filter by. */
export interface RecipientChoice {
  readonly userId: number;
  readonly name: string;
}

/** The values that a filter offers. */
export interface FilterChoices {
  /** Statuses of the loaded runs. */
  readonly statuses: readonly string[];
  readonly recipients: readonly RecipientChoice[];
}

/** The form that filters runs. With JavaScript, the island that shows the runs listens to it. */
export function FilterForm({ scheduleId, view: { filter, limit, load }, choices }: {
  readonly scheduleId: number;
  readonly view: RunView;
  readonly choices: FilterChoices;
}) {
  return (
    <form id={FILTER_FORM} method="get" action={scheduleHref(scheduleId)} class="panel">
      {limit !== DEFAULT_LIMIT && <input type="hidden" name="limit" value={limit} />}
      {load !== LOADS[0] && <input type="hidden" name="load" value={load} />}
      <Statuses statuses={choices.statuses} selected={filter.status ?? []} />
      <fieldset>
        <legend>Filter</legend>
        <div class="inputs">
          <Choice
            name="trigger"
            label="Trigger"
            selected={filter.trigger ?? ""}
            options={[
              { value: "", text: "any" },
              { value: "automated", text: "automated" },
              { value: "manual", text: "manual" },
            ]}
          />
          <Input name="from" label="From" type="date" value={filter.from} />
          <Input name="through" label="To" type="date" value={filter.through} />
          <Input
            name="min-seconds"
            label="Min. duration (s)"
            type="number"
            value={filter.minSeconds}
          />
          <Input
            name="max-seconds"
            label="Max. duration (s)"
            type="number"
            value={filter.maxSeconds}
          />
          <Choice
            name="attachments"
            label="Attachments"
            selected={filter.attachments ?? ""}
            options={[
              { value: "", text: "any" },
              { value: "with", text: "with attachments" },
              { value: "without", text: "without attachments" },
            ]}
          />
          <RecipientInput recipients={choices.recipients} selected={filter.recipient} />
          <Input name="text" label="Text" type="search" value={filter.text} />
          <noscript>
            <button type="submit">Apply</button>
          </noscript>
        </div>
      </fieldset>
    </form>
  );
}

function Statuses({ statuses, selected }: {
  readonly statuses: readonly string[];
  readonly selected: readonly string[];
}) {
  const names = [...new Set([...statuses, ...selected])];
  return names.length === 0 ? null : (
    <fieldset>
      <legend>Status</legend>
      <div class="inputs">
        {names.map((name) => (
          <label key={name} class="check">
            <input type="checkbox" name="status" value={name} checked={selected.includes(name)} />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A user id; the names of known recipients are suggested, and shown beside the id. */
function RecipientInput({ recipients, selected }: {
  readonly recipients: readonly RecipientChoice[];
  readonly selected: number | undefined;
}) {
  const name = recipients.find(({ userId }) => userId === selected)?.name;
  return (
    <Labelled name="recipient" label={name ? `Recipient: ${name}` : "Recipient (user id)"}>
      <input
        id="recipient"
        name="recipient"
        list="recipient-ids"
        inputmode="numeric"
        pattern="[0-9]*"
        autocomplete="off"
        value={selected ?? ""}
      />
      <datalist id="recipient-ids">
        {recipients.map(({ userId, name }) => <option key={userId} value={userId}>{name}</option>)}
      </datalist>
    </Labelled>
  );
}

function Input({ name, label, type, value }: {
  readonly name: string;
  readonly label: string;
  readonly type: "date" | "number" | "search";
  readonly value: string | number | undefined;
}) {
  return (
    <Labelled name={name} label={label}>
      <input
        id={name}
        name={name}
        type={type}
        min={type === "number" ? 0 : undefined}
        step={type === "number" ? "any" : undefined}
        value={value ?? ""}
        autocomplete="off"
      />
    </Labelled>
  );
}
