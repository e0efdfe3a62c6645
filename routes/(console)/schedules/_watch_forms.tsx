import { ActionForm, Field } from "../../../components/ui/form.tsx";
import { formatCount } from "../../../lib/format.ts";
import { MAX_CHARACTERS } from "../../../server/store/text.ts";
import { MAX_SCHEDULES, readScheduleIds } from "../../../server/schedules/schedule_id_list.ts";

export function ChosenActions({ unwatched }: {
  /** How many schedules the list has if it is the whole of those that are not watched. */
  readonly unwatched: number;
}) {
  const form = "watch-change";
  return (
    <div class="row" role="group" aria-label="Selected schedules">
      {/* Keeps Enter from pressing the first button. */}
      <button type="submit" form={form} disabled hidden />
      {unwatched > 0 && unwatched <= MAX_SCHEDULES && (
        <button type="submit" form={form} name="action" value="watch-all">
          Watch all {formatCount(unwatched)}
        </button>
      )}
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

export function AddForm({ typed = null }: { readonly typed?: string | null }) {
  const { issue } = readScheduleIds(typed ?? "");
  return (
    <ActionForm
      action="/schedules/watch"
      class="box stack panel"
      values={{ next: "/schedules", action: "watch" }}
    >
      <Field
        name="id"
        label="Schedules to watch"
        help={`Ids and ranges such as 101, 105-112, at most ${formatCount(MAX_SCHEDULES)}.`}
        autocomplete="off"
        required
        value={typed ?? ""}
        issue={issue ?? undefined}
      />
      <button type="submit">Watch</button>
    </ActionForm>
  );
}
