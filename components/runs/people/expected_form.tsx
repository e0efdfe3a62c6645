import { ActionForm } from "../../ui/action_form.tsx";
import { KnownPerson } from "../../ui/reader.tsx";

/** Decides whether somebody is expected to receive a schedule. `name` says to screen readers what it is about. */
export function ExpectedForm({ personId, scheduleId, name, next }: {
  readonly personId: number;
  readonly scheduleId: number;
  readonly name: string;
  /** Where to go afterwards. Default: the person's page. */
  readonly next?: string;
}) {
  return (
    <ActionForm action={`/people/${personId}`} class="row" values={{ on: scheduleId, next }}>
      <KnownPerson />
      <button type="submit" name="expected" value="true">
        Expected<span class="unseen">: {name}</span>
      </button>
      <button type="submit" name="expected" value="false">
        Not expected<span class="unseen">: {name}</span>
      </button>
    </ActionForm>
  );
}
