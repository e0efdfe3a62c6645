import { Head } from "fresh/runtime";
import { SchedulePath } from "../../../components/runs/schedule_head.tsx";
import {
  defaultStatusDictionary,
  type StatusDictionary,
  type StatusMeaning,
} from "../../../lib/runs/status.ts";
import { safeRedirectPath } from "../../../server/http/safe_redirect_path.ts";
import { writePreferences } from "../../../server/schedules/preferences.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { fitsCookie, statusesOfForm } from "../../../server/schedules/status_dictionary.ts";
import { handler, page } from "./$statuses.ts";

const NO_FAULT = "";

export const handlers = handler({
  GET(ctx) {
    const { searchParams } = ctx.url;
    const seen = searchParams.getAll("status").map((status) => status.trim().toLowerCase());
    const { statuses } = ctx.state.preferences;
    return {
      data: {
        statuses: withSeen(statuses, seen),
        next: safeRedirectPath(searchParams.get("next") ?? "/schedules"),
        fault: NO_FAULT,
      },
    };
  },

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const { preferences, origin } = ctx.state;
    const next = safeRedirectPath(form.get("next") ?? "/schedules");
    const statuses = form.has("reset") ? defaultStatusDictionary() : statusesOfForm(form);
    if (!fitsCookie(statuses)) {
      const fault = "These are too many statuses, or too long ones, to be kept in a browser.";
      return { data: { statuses, next, fault }, status: 400 };
    }
    const response = ctx.redirect(next, 303);
    writePreferences(response.headers, { ...preferences, statuses }, origin.startsWith("https:"));
    return response;
  },
});

/** Statuses that runs have and nobody judged yet are neutral. */
function withSeen(statuses: StatusDictionary, seen: readonly string[]): StatusDictionary {
  const unknown = seen.filter((status) => status !== "" && !Object.hasOwn(statuses, status));
  return { ...statuses, ...Object.fromEntries(unknown.map((status) => [status, "neutral"])) };
}

export default page(({ data: { statuses, next, fault } }) => (
  <>
    <Head>
      <title>What the statuses mean · Docket</title>
    </Head>
    <SchedulePath />
    <h1>What the statuses mean</h1>
    <p>
      The interface does not say which statuses there are. Each one is good, bad or neutral as you
      say here, in whatever case it is written; one that is not listed is neutral, which is neither
      a success nor a failure.
    </p>
    <form method="post" action="/schedules/statuses" class="card">
      {fault && <p class="notice bad" role="alert">{fault}</p>}
      <input type="hidden" name="next" value={next} />
      {Object.entries(statuses).map(([status, meaning]) => (
        <div key={status} class="row">
          <input type="hidden" name="status" value={status} />
          <Meaning label={status} meaning={meaning} />
        </div>
      ))}
      <div class="row">
        <input name="status" aria-label="Another status" placeholder="another status" />
        <Meaning label="Meaning of the other status" meaning="good" isLabelSeen={false} />
      </div>
      <div class="row">
        <button type="submit">Save</button>
        <button type="submit" class="quiet" name="reset" value="true">
          Only success and failure, as at first
        </button>
      </div>
      <p class="help">To forget a status, set it to neutral. Kept in this browser.</p>
    </form>
  </>
));

function Meaning({ label, meaning, isLabelSeen = true }: {
  readonly label: string;
  readonly meaning: StatusMeaning;
  readonly isLabelSeen?: boolean;
}) {
  return (
    <label class="check">
      <span class={isLabelSeen ? "status-name" : "unseen"}>{label}</span>
      <select name="meaning">
        {(["good", "bad", "neutral"] as const).map((value) => (
          <option key={value} value={value} selected={value === meaning}>{value}</option>
        ))}
      </select>
    </label>
  );
}
