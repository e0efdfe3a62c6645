import { scheduleHref } from "../run_links.tsx";
import { Day } from "../../ui/moment.tsx";
import { ForActing } from "../../ui/reader.tsx";

export interface RunOwner {
  /** The owner of the newest run: a name, or else the user id. */
  readonly name: string;
  readonly hasLeft: boolean;
  /** Who owned the runs before, and since when that changed, in milliseconds since 1970. */
  readonly before: { readonly name: string; readonly until: number } | null;
  /** Whether they can become the owner: the schedule is watched and has none yet. */
  readonly canTake: boolean;
}

export function RunOwnerLine({ owner, scheduleId, now }: {
  readonly owner: RunOwner;
  readonly scheduleId: number;
  readonly now: number;
}) {
  const { name, hasLeft, before, canTake } = owner;
  return (
    <form method="post" action="/schedules/watch" class="help">
      Owner in the service: {name}
      {hasLeft && <strong class="status bad">, who left</strong>}
      {before &&
        [", since ", <Day key="since" at={before.until} now={now} />, `; before: ${before.name}`]}
      {" "}
      {canTake && (
        <ForActing>
          <input type="hidden" name="next" value={scheduleHref(scheduleId)} />
          <input type="hidden" name="id" value={scheduleId} />
          <input type="hidden" name="owner" value={name} />
          <button type="submit" name="action" value="owner" class="quiet">Set as owner</button>
        </ForActing>
      )}
    </form>
  );
}
