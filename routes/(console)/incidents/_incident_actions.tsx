import { useContext } from "preact/hooks";
import { ActionForm, PersonField, Refused } from "../../../components/ui/form.tsx";
import { Menu } from "../../../components/ui/section.tsx";
import { incidentHref } from "../../../components/runs/run_links.tsx";
import { loadIncident } from "../../../server/pages/incident.ts";
import type { HandlerContext } from "fresh/types";
import { CODES_BY_URGENCY } from "../../../lib/judgement/headline.ts";
import { HOUR } from "../../../lib/time_units.ts";
import {
  acknowledgeIncidents,
  actOnIncident,
  type IncidentAction,
  unacknowledgeIncidents,
} from "../../../server/actions/act_on_incident.ts";
import { isScheduleAction, silenceSchedule } from "../../../server/actions/silence_schedule.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { wholeNumber } from "../../../lib/format.ts";
import { noSuchAction, type Notice, openForm } from "../_actions.ts";
import type { ConsoleState } from "../_middleware.ts";

type Loaded = Awaited<ReturnType<typeof loadIncident>>;
type IncidentView = Loaded["view"];

export function IncidentActions({ view }: { readonly view: IncidentView }) {
  const { typed } = useContext(Refused);
  const { id, scheduleId, isOpen, isReopenable, isWatched, isAcknowledged } = view;
  const { hasLevel, isExpected } = view;
  const hasSchedule = scheduleId !== null && isWatched;
  const takesNotes = isOpen || isReopenable;
  if (scheduleId !== null && !isWatched) return <p>Schedule {scheduleId} is no longer watched.</p>;
  if (!(takesNotes || hasSchedule)) return null;
  const canMute = isOpen && !view.isMuted;
  const canMuteSchedule = hasSchedule && !view.isScheduleMuted;
  const span = typed.get("span") ?? "1d";
  const canExpect = hasLevel && isOpen && !isExpected;
  return (
    <ActionForm
      action={incidentHref(id)}
      class="row respond"
    >
      {/* Enter presses the first button: adding a note does the least. */}
      <button type="submit" name="action" value={typed.get("action") ?? "note"} hidden />
      {isOpen && (isAcknowledged
        ? <ActionButton action="unacknowledge" words="Undo the acknowledgement" />
        : <ActionButton action="acknowledge" words="Acknowledge" isMain />)}
      {canExpect && <ActionButton action="expect" words="Expected" />}
      {hasLevel && isExpected && <ActionButton action="unexpect" words="Not expected any more" />}
      {isReopenable && <ActionButton action="reopen" words="Reopen" />}
      {isOpen && <ActionButton action="resolve" words="Resolve" />}
      {(canMute || canMuteSchedule) && (
        <Menu name="Mute…">
          <select name="span" aria-label="For how long">
            {SPANS.map(([value, , words]) => (
              <option key={value} value={value} selected={value === span}>{words}</option>
            ))}
          </select>
          <div class="row">
            {canMute && <ActionButton action="mute" words="Mute the incident" />}
            {canMuteSchedule && <ActionButton action="mute-schedule" words="Mute the schedule" />}
          </div>
        </Menu>
      )}
      {hasSchedule && !view.isPaused && (
        <Menu label="More: pause the schedule">
          <ActionButton
            action="pause-plan"
            words={view.isGap ? "Pause from the first missed run" : "Pause from now on"}
          />
        </Menu>
      )}
      {takesNotes && (
        <span class="line">
          <input
            name="note"
            aria-label="Note"
            placeholder="What did you find?"
            maxLength={1000}
            value={typed.get("note") ?? undefined}
          />
          <ActionButton action="note" words="Add note" />
        </span>
      )}
      <PersonField />
    </ActionForm>
  );
}

const SPANS = [
  ["1h", 1, "for 1 hour"],
  ["4h", 4, "for 4 hours"],
  ["1d", 24, "for 24 hours"],
  ["7d", 7 * 24, "for 7 days"],
] as const;

function ActionButton({ action, words, isMain = false }: {
  readonly action: string;
  readonly words: string;
  readonly isMain?: boolean;
}) {
  return (
    <button type="submit" name="action" value={action} class={isMain ? "main" : undefined}>
      {words}
    </button>
  );
}

/**
 * Returns what was done.
 *
 * @throws {ProblemError} With status 400 and the fields' names as pointers, or 404 or 409
 */
async function act(
  sent: Awaited<ReturnType<typeof openForm<URLSearchParams>>>,
  incidentId: string,
): Promise<Notice> {
  const { form, services, now } = sent;
  const incident = await services.records.incidents.get(incidentId);
  if (!incident) throw new ProblemError(404, "There is no such incident");
  const kind = form.get("action") ?? "";
  // Ending a pause or a mute takes one click, without a name field.
  const isOneClick = kind === "unmute" || kind === "unmute-schedule" || kind === "resume-plan";
  const acting = isOneClick ? sent.clicked : sent.acting();
  const [, hours] = SPANS.find(([name]) => name === form.get("span")) ?? ["1d", 24];
  const until = kind.startsWith("mute") ? now + hours * HOUR : undefined;
  const note = form.get("note") ?? "";
  if (incident.scheduleId !== null && isScheduleAction(kind)) {
    const { scheduleId } = incident;
    const about = { scheduleId, kind, incident, note, until: until ?? null };
    await silenceSchedule(services, about, acting);
    return kind;
  }
  if (!Object.hasOwn(KINDS, kind)) throw noSuchAction();
  const button = kind as keyof typeof KINDS;
  const action = { kind: KINDS[button], note, ...until && { until } };
  await actOnIncident(services, { incidentId, ...action }, acting);
  return `${button}:${encodeURIComponent(incidentId)}`;
}

/** Does what the form of an incident's page asks for, and returns to the page that it names. */
export async function answerIncidentForm(
  ctx: HandlerContext<{ incidentId: string }, ConsoleState>,
) {
  const { incidentId } = ctx.params;
  const sent = await openForm(ctx);
  let done: Notice | undefined;
  const status = await sent.attempt(async () => {
    done = await act(sent, incidentId);
  });
  if (status === null) return sent.go(sent.next(incidentHref(incidentId)), done);
  return { data: await loadIncident(ctx.state, incidentId), status };
}

/** Acknowledges the open incidents of a cause that had opened when the page was made, or undoes that. */
export async function acknowledgeGroup(
  ctx: HandlerContext<Record<never, string>, ConsoleState>,
): Promise<Response> {
  const { form, services, sender, now, next, go } = await openForm(ctx);
  const until = Number(form.get("until")) || now;
  const code = CODES_BY_URGENCY.find((each) => each === form.get("code")) ?? "";
  const actor = sender();
  // Today has no field for it.
  if (!actor) return go(`/incidents?${new URLSearchParams({ code })}`, "no-name");
  const acting = { actor, now };
  const acknowledged = wholeNumber(form.get("id") ?? "");
  if (acknowledged !== null) {
    await unacknowledgeIncidents(services, acknowledged, acting);
    return go(next("/"), "unacknowledge");
  }
  const cause = { code, isOfSchedules: form.get("of") === "schedules", until };
  await acknowledgeIncidents(services, cause, acting);
  return go(next("/"), `acknowledge-all:${now}`);
}

/** The buttons of an incident's form. */
const KINDS = {
  acknowledge: "acknowledged",
  unacknowledge: "unacknowledged",
  mute: "muted",
  unmute: "unmuted",
  resolve: "resolved",
  reopen: "reopened",
  note: "noted",
  expect: "expected",
  unexpect: "unexpected",
} as const satisfies Readonly<Record<string, IncidentAction["kind"]>>;
