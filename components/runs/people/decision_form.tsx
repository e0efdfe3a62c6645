import { ForActing, PersonField } from "../../ui/reader.tsx";

/** A form to say whether a person, or everybody at a domain, is expected. */
export function DecisionForm({ path, domain, schedules, issue }: {
  readonly path: string;
  /** The domain that can be expected as a whole; null if it is inside. */
  readonly domain: string | null;
  readonly schedules: readonly { readonly scheduleId: number; readonly name: string }[];
  /** The field that was wrong. */
  readonly issue: string | null;
}) {
  return (
    <ForActing>
      <form method="post" action={path} class="card">
        {issue === "name" && <p class="status bad">✕ Give your name.</p>}
        {issue === "until" && <p class="status bad">✕ Until must be a day.</p>}
        <div class="row">
          <label>
            On{" "}
            <select name="on">
              <option value="">every schedule</option>
              {domain && <option value="domain">every schedule, everybody at {domain}</option>}
              {schedules.map(({ scheduleId, name }) => (
                <option key={scheduleId} value={scheduleId}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            Until (optional) <input type="date" name="until" />
          </label>
        </div>
        <label class="row">
          Why <input name="note" maxLength={500} size={40} />
        </label>
        <PersonField value="" recorded="with this" />
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
