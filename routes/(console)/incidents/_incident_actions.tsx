import { useContext } from "preact/hooks";
import { ExpectedForm } from "../people/_parts.tsx";
import { ActionForm, PersonField, Refused } from "../../../components/ui/form.tsx";
import { recipientName } from "../../../lib/runs/recipients.ts";
import { When } from "../../../components/ui/moment.tsx";
import { Menu } from "../../../components/ui/section.tsx";
import { incidentHref, recipientsHref } from "../../../components/runs/run_links.tsx";
import type { loadIncident } from "../../../server/pages/incident.ts";

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
      <MuteActions view={view} hasSchedule={hasSchedule} />
      {hasSchedule && !view.isPaused && <PauseActions {...view} />}
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

export const SPANS = [
  ["1h", 1, "for 1 hour"],
  ["4h", 4, "for 4 hours"],
  ["1d", 24, "for 24 hours"],
  ["7d", 7 * 24, "for 7 days"],
] as const;

function MuteActions({ view, hasSchedule }: {
  readonly view: IncidentView;
  readonly hasSchedule: boolean;
}) {
  const span = useContext(Refused).typed.get("span") ?? "1d";
  const canMute = view.isOpen && !view.isMuted;
  const canMuteSchedule = hasSchedule && !view.isScheduleMuted;
  if (!canMute && !canMuteSchedule) return null;
  return (
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
  );
}

function PauseActions({ isGap }: IncidentView) {
  return (
    <Menu label="More: pause the schedule">
      <ActionButton
        action="pause-plan"
        words={isGap ? "Pause from the first missed run" : "Pause from now on"}
      />
    </Menu>
  );
}

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

/** The people that an incident is about, each with the decision whether they should get it. */
export function Outsiders({ outsiders, hasMore, scheduleId }: {
  readonly outsiders: Loaded["outsiders"];
  /** Whether there are others. */
  readonly hasMore: boolean;
  readonly scheduleId: number;
}) {
  return (
    <ul class="plain outsiders" aria-label="Who it is about">
      {outsiders.map(({ id, recipient, first, isDecided }) => {
        const name = recipientName(recipient, false);
        return (
          <li key={id} class="line apart">
            <div>
              <a href={`/people/${id}`}>{name}</a>
              <small>
                since <When at={first} />
                {isDecided && ", decided"}
              </small>
            </div>
            <ExpectedForm personId={id} scheduleId={scheduleId} name={name} />
          </li>
        );
      })}
      {hasMore && (
        <li>
          and others, see <a href={recipientsHref(scheduleId)}>all recipients</a>
        </li>
      )}
    </ul>
  );
}
