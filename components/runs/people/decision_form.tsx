import { Choice, Field } from "../../ui/form.tsx";
import { ForActing, PersonField } from "../../ui/reader.tsx";

export function DecisionForm({ path, domain, schedules, typed, issue }: {
  readonly path: string;
  /** The domain that can be expected as a whole; null if it is inside. */
  readonly domain: string | null;
  readonly schedules: readonly { readonly scheduleId: number; readonly name: string }[];
  /** What was typed before, by the fields' names. */
  readonly typed: URLSearchParams;
  readonly issue: "name" | "until" | null;
}) {
  return (
    <ForActing>
      <form id="decision" method="post" action={path} class="panel stacked">
        {issue === "name" && <p class="status bad">✕ Give your name.</p>}
        <Choice
          name="on"
          label="On"
          selected={typed.get("on") ?? ""}
          options={[
            { value: "", text: "every schedule" },
            ...domain ? [{ value: "domain", text: `everybody at ${domain}` }] : [],
            ...schedules.map(({ scheduleId, name }) => ({ value: `${scheduleId}`, text: name })),
          ]}
        />
        <Field
          name="until"
          label="Until (optional)"
          type="date"
          value={typed.get("until") ?? ""}
          issue={issue === "until" ? "must be today or later" : undefined}
        />
        <Field name="note" label="Why" maxLength={500} value={typed.get("note") ?? ""} />
        <PersonField value={typed.get("name") ?? ""} recorded="with this" />
        <div class="row">
          <button type="submit" name="expected" value="true">Expected</button>
          <button type="submit" name="expected" value="false" class="quiet">Not expected</button>
        </div>
        <p class="help">
          Docket can't remove a recipient: it only reads the service. “Not expected” puts the person
          on the <a href="/people/worklist">worklist</a>, which later runs close.
        </p>
      </form>
    </ForActing>
  );
}
