import { ActionForm } from "../../../components/ui/action_form.tsx";
import { Choice, Field } from "../../../components/ui/form.tsx";
import { LoneMoment } from "../../../components/ui/moment.tsx";
import { ForActing, PersonField } from "../../../components/ui/reader.tsx";
import type { loadPerson } from "../../../server/pages/person.ts";

type Loaded = Awaited<ReturnType<typeof loadPerson>>;

interface FormProps extends Pick<Loaded, "domain" | "rows"> {
  readonly path: string;
  /** What was typed before an error. */
  readonly typed: URLSearchParams;
  readonly issue: "name" | "until" | null;
}

/** What was decided about a person, and the form for another decision. */
export function Decisions({ decisions, ...form }: FormProps & Pick<Loaded, "decisions">) {
  return (
    <section id="decide">
      {/* Keeps Enter from withdrawing the first decision. */}
      <button type="submit" form="decision" disabled hidden />
      {decisions.length > 0 && <h2>Decisions</h2>}
      {decisions.length > 0 && (
        <ul>
          {decisions.map(({ id, domain, expected, why, by, at, until, on, closed }) => (
            <li key={id}>
              {expected ? "Expected" : "Not expected"} on {on}
              {domain && `, with everybody at ${domain}`}
              {until !== null && [" until ", <LoneMoment key="until" at={until} />]}. Decided by
              {" "}
              {by}, <LoneMoment at={at} />
              {why && `: ${why}`}
              {closed !== null && ". A later run no longer lists this person"}{" "}
              <ForActing>
                <button type="submit" form="decision" name="withdraw" value={id} class="quiet">
                  Withdraw
                </button>
              </ForActing>
            </li>
          ))}
        </ul>
      )}
      <ForActing>
        <details class="change" open={form.issue !== null}>
          <summary class="button">Decide for several schedules…</summary>
          <DecisionForm {...form} />
        </details>
      </ForActing>
    </section>
  );
}

function DecisionForm({ path, domain, rows, typed, issue }: FormProps) {
  return (
    <ActionForm id="decision" action={path} class="panel stacked">
      {issue === "name" && <p class="status bad">✕ Enter your name.</p>}
      <Choice
        name="on"
        label="Schedules"
        selected={typed.get("on") ?? ""}
        options={[
          { value: "", text: "every schedule" },
          ...domain ? [{ value: "domain", text: `everybody at ${domain}` }] : [],
          ...rows.map(({ scheduleId, name }) => ({ value: `${scheduleId}`, text: name })),
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
    </ActionForm>
  );
}
