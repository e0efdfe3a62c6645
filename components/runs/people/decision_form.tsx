import { FormKey } from "../../ui/form_key.tsx";
import { Choice, Field } from "../../ui/form.tsx";
import { ForActing, PersonField } from "../../ui/reader.tsx";

export function DecisionForm({ path, domain, schedules, typed, issue }: {
  readonly path: string;
  /** The domain, if everybody there can be expected at once; null if it is inside. */
  readonly domain: string | null;
  readonly schedules: readonly { readonly scheduleId: number; readonly name: string }[];
  /** What was typed before an error. */
  readonly typed: URLSearchParams;
  readonly issue: "name" | "until" | null;
}) {
  return (
    <ForActing>
      <form id="decision" method="post" action={path} class="panel stacked">
        <FormKey />
        {issue === "name" && <p class="status bad">✕ Enter your name.</p>}
        <Choice
          name="on"
          label="Schedules"
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
        <Field name="note" label="Reason" maxLength={500} value={typed.get("note") ?? ""} />
        <PersonField value={typed.get("name") ?? ""} />
        <div class="row">
          <button type="submit" name="expected" value="true">Expected</button>
          <button type="submit" name="expected" value="false" class="quiet">Not expected</button>
        </div>
        <p class="help">
          Docket only reads the service, so it can't remove a recipient. “Not expected” puts the
          person on the <a href="/people/worklist">worklist</a> until a run no longer lists them.
        </p>
      </form>
    </ForActing>
  );
}
