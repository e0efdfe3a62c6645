import { ActionForm } from "../../../components/ui/action_form.tsx";
import { formatCount } from "../../../lib/format.ts";
import { MAX_CHARACTERS } from "../../../server/store/text.ts";
import { MAX_SCHEDULES, readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";

/** Opens one schedule, for those who see no list. */
export function OpenForm() {
  return (
    <form action="/go" class="watch-add">
      <label for="schedule-id">Schedule id</label>
      <div class="row">
        <input
          id="schedule-id"
          name="q"
          placeholder="101"
          inputmode="numeric"
          autocomplete="off"
          required
          aria-describedby="schedule-help"
        />
        <button type="submit">Show history</button>
      </div>
      <p id="schedule-help" class="help">
        The service can't list its schedules. Look up the id where the schedule was created.
      </p>
    </form>
  );
}

export function ChosenActions() {
  const form = "watch-change";
  return (
    <div class="row" role="group" aria-label="Selected schedules">
      <span class="help">Selected schedules:</span>
      <button type="submit" form={form} name="action" value="watch" class="quiet">Watch</button>
      <button type="submit" form={form} name="action" value="unwatch" class="quiet">Unwatch</button>
      <input
        form={form}
        name="owner"
        aria-label="Owner of the chosen schedules"
        placeholder="owner"
        maxLength={MAX_CHARACTERS.name}
      />
      <button type="submit" form={form} name="action" value="owner" class="quiet">
        Set owner
      </button>
      <button type="submit" form={form} name="action" value="forget" class="quiet">
        Remove unwatched
      </button>
    </div>
  );
}

export function AddForm({ next, typed = null }: {
  readonly next: string;
  readonly typed?: string | null;
}) {
  const { issue } = readScheduleIds(typed ?? "");
  return (
    <ActionForm action="/schedules/watch" class="watch-add" values={{ next, action: "watch" }}>
      {issue && <p class="notice bad" role="alert">Nothing was added: the schedules {issue}.</p>}
      <label for="watch-add">Schedules to watch</label>
      <div class="row">
        <input
          id="watch-add"
          name="id"
          autocomplete="off"
          required
          value={typed ?? ""}
          placeholder="101, 105-112"
          aria-describedby="watch-help"
        />
        <button type="submit">Watch</button>
      </div>
      <p id="watch-help" class="help">
        Ids and ranges, separated by commas, at most {formatCount(MAX_SCHEDULES)}.
      </p>
    </ActionForm>
  );
}
