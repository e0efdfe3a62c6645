import { formatCountOf } from "../../../lib/format.ts";
import type { ConsoleState } from "../_middleware.ts";
import type { StatusesInUse } from "../../../server/store/observer/watches.ts";
import { ForActing } from "../../../components/ui/reader.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { SCHEDULES_PATH } from "../../../components/runs/schedule_header.tsx";
import {
  defaultStatusDictionary,
  MEANINGS,
  type StatusDictionary,
  type StatusMeaning,
} from "../../../lib/runs/status.ts";
import { reasonOf } from "../../../server/log/log_problem.ts";
import { neededRole, requireRole } from "../../../server/actions/roles.ts";
import { clickActor, redirectWithNotice } from "../_actions.ts";
import { safeRedirectPath } from "../../../server/http/paths.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { writePreferences } from "../../../server/schedules/preferences.ts";
import {
  fitsCookie,
  statusesOfForm,
  statusesToStore,
  statusWords,
} from "../../../server/schedules/status_dictionary.ts";
import { handler, page } from "./$statuses.ts";

const MAX_SHARED = 10;

export const handlers = handler({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const seen = searchParams.getAll("status").map((status) => status.trim().toLowerCase());
    const { statuses } = ctx.state.preferences;
    return { data: await dataOf(ctx.state, searchParams, withSeen(statuses, seen), "") };
  },

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { preferences, services: { records }, origin } = ctx.state;
    const statuses = form.has("reset") ? defaultStatusDictionary() : statusesOfForm(form);
    if (!fitsCookie(statuses)) {
      const error = "Too many statuses, or too long ones, to store in this browser.";
      return { data: await dataOf(ctx.state, form, statuses, error), status: 400 };
    }
    if (form.has("watched") && records) {
      requireRole(ctx.state.role!, neededRole("POST", "/schedules/statuses watched"), null);
      await records.watches.changeStatuses(statusesToStore(statuses), {
        actor: clickActor(ctx.state, ctx.req.headers),
        now: Date.now(),
        note: statusWords(statuses),
      });
    }
    const response = redirectWithNotice(ctx, nextOf(form), "saved-statuses");
    writePreferences(response.headers, { ...preferences, statuses }, origin.startsWith("https:"));
    return response;
  },
});

type ListedStatuses = Readonly<Record<string, StatusMeaning | null>>;

async function dataOf(
  state: ConsoleState,
  params: URLSearchParams,
  statuses: ListedStatuses,
  error: string,
) {
  return { statuses, next: nextOf(params), shared: await sharedStatuses(state), error };
}

function nextOf(params: URLSearchParams): string {
  return safeRedirectPath(params.get("next") ?? "/schedules");
}

async function sharedStatuses(
  { services: { records }, log }: ConsoleState,
): Promise<readonly StatusesInUse[] | null> {
  try {
    return await records?.watches.statuses(MAX_SHARED + 1) ?? null;
  } catch (error) {
    // The reader's own meanings are in a cookie, and can still be changed.
    log.warn("The watched schedules could not be read", { reason: reasonOf(error) });
    return null;
  }
}

function withSeen(statuses: StatusDictionary, seen: readonly string[]): ListedStatuses {
  const unknown = seen.filter((status) => status !== "" && !Object.hasOwn(statuses, status));
  return { ...statuses, ...Object.fromEntries(unknown.map((status) => [status, null])) };
}

export default page(({ data: { statuses, next, shared, error } }) => (
  <>
    <PageHeader title="What statuses mean" path={SCHEDULES_PATH} />
    <p>
      The service does not say what its statuses mean, so you can. Good counts as a success, bad as
      a failure, and pending as a run that is not over. Statuses that are not listed are unknown,
      and Docket warns you when runs end with one. Case does not matter.
    </p>
    <form method="post" action="/schedules/statuses" class="card">
      {error && <p class="notice bad" role="alert">{error}</p>}
      <input type="hidden" name="next" value={next} />
      {Object.entries(statuses).map(([status, meaning]) => (
        <div key={status} class="row">
          <input type="hidden" name="status" value={status} />
          <Meaning label={status} meaning={meaning} />
        </div>
      ))}
      <div class="row">
        <input name="status" aria-label="Add a status" placeholder="Add a status" />
        <Meaning label="Meaning" meaning="good" isNew />
      </div>
      {shared && (
        <ForActing>
          <label class="check">
            <input type="checkbox" name="watched" value="true" />{" "}
            Use these meanings for all watched schedules too, for everybody
          </label>
        </ForActing>
      )}
      {shared && shared.length > 0 && (
        <>
          <p class="help">Watched schedules now use:</p>
          <ul class="help">
            {shared.slice(0, MAX_SHARED).map(({ statuses, schedules }) => {
              const words = statusWords(statuses ?? defaultStatusDictionary());
              return (
                <li key={words}>
                  {words} ({formatCountOf(schedules, "schedule", "schedules")})
                </li>
              );
            })}
            {shared.length > MAX_SHARED && <li>and others</li>}
          </ul>
        </>
      )}
      <div class="row">
        <button type="submit">Save</button>
        <button type="submit" class="quiet" name="reset" value="true">
          Reset to success and failure
        </button>
      </div>
      <p class="help">
        To remove a status, choose “not listed”. Your own meanings are stored in this browser
        {shared ? "; those of watched schedules are the same for everybody." : "."}
      </p>
    </form>
  </>
));

function Meaning({ label, meaning, isNew = false }: {
  readonly label: string;
  readonly meaning: StatusMeaning | null;
  readonly isNew?: boolean;
}) {
  return (
    <label class="check">
      <span class={isNew ? "unseen" : "status-name"}>{label}</span>
      <select name="meaning">
        {MEANINGS.map((value) => (
          <option key={value} value={value} selected={value === meaning}>{value}</option>
        ))}
        {!isNew && <option value="" selected={meaning === null}>not listed</option>}
      </select>
    </label>
  );
}
