import type { Pause } from "../../../lib/judgement/slots.ts";
import { Moment, ZoneName } from "../../ui/moment.tsx";
import { PersonField, useMayAct } from "../../ui/reader.tsx";

export interface IncidentView {
  readonly id: string;
  /** Initial values: the last name, or what was typed before an error. */
  readonly typed: {
    readonly name: string;
    readonly note: string;
    readonly span: string;
    readonly until: string;
  };
  readonly scheduleId: number | null;
  readonly isOpen: boolean;
  readonly isReopenable: boolean;
  readonly isAcknowledged: boolean;
  readonly isMuted: boolean;
  readonly isGap: boolean;
  readonly isWatched: boolean;
  readonly isScheduleMuted: boolean;
  readonly isPaused: boolean;
  readonly pauses: readonly Pause[];
}

export function IncidentActions({ view }: { readonly view: IncidentView }) {
  const { typed, scheduleId, isOpen, isReopenable, isWatched, isAcknowledged } = view;
  const mayAct = useMayAct();
  const hasSchedule = scheduleId !== null && isWatched;
  return (
    <>
      {/* Enter presses the first button: adding a note does the least. */}
      {mayAct && (
        <button type="submit" name="action" value="note" hidden disabled={!takesNotes(view)} />
      )}
      {mayAct && (takesNotes(view) || hasSchedule) && (
        <div class="row respond" role="group" aria-label="Respond">
          <PersonField value={typed.name} />
          {isOpen && (isAcknowledged
            ? <ActionButton action="unacknowledge" words="Undo the acknowledgement" isQuiet />
            : <ActionButton action="acknowledge" words="Acknowledge" />)}
          {isOpen && <ActionButton action="resolve" words="Resolve" isQuiet />}
          {isReopenable && <ActionButton action="reopen" words="Reopen" />}
          <MuteActions view={view} hasSchedule={hasSchedule} />
          {hasSchedule && <PauseActions view={view} />}
        </div>
      )}
      {scheduleId !== null && !isWatched && <p>Schedule {scheduleId} is no longer watched.</p>}
    </>
  );
}

function takesNotes({ isOpen, isReopenable }: IncidentView): boolean {
  return isOpen || isReopenable;
}

export function NoteField({ view }: { readonly view: IncidentView }) {
  const mayAct = useMayAct();
  if (!mayAct || !takesNotes(view)) return null;
  return (
    <div>
      <h2>Note</h2>
      <div class="row">
        <input
          name="note"
          aria-label="Note"
          placeholder="What did you find?"
          maxLength={1000}
          value={view.typed.note}
        />
        <ActionButton action="note" words="Add the note" isQuiet />
      </div>
    </div>
  );
}

export const SPANS = [
  ["1h", 1, "for 1 hour"],
  ["4h", 4, "for 4 hours"],
  ["1d", 24, "for 1 day"],
  ["7d", 7 * 24, "for 7 days"],
] as const;

function MuteActions({ view, hasSchedule }: {
  readonly view: IncidentView;
  readonly hasSchedule: boolean;
}) {
  const { span, until } = view.typed;
  const canMute = view.isOpen && !view.isMuted;
  const canMuteSchedule = hasSchedule && !view.isScheduleMuted;
  if (!canMute && !canMuteSchedule) return null;
  return (
    <details class="menu" open={until !== ""}>
      <summary>Mute…</summary>
      <div class="card">
        <div class="row">
          <select name="span" aria-label="For how long">
            {SPANS.map(([value, , words]) => (
              <option key={value} value={value} selected={value === span}>{words}</option>
            ))}
          </select>
          <label>
            or until <input type="datetime-local" name="until" value={until} /> <ZoneName />
          </label>
        </div>
        <div class="row">
          {canMute && <ActionButton action="mute" words="Mute the incident" />}
          {canMuteSchedule && (
            <ActionButton action="mute-schedule" words="Mute the schedule" isQuiet />
          )}
        </div>
      </div>
    </details>
  );
}

function PauseActions({ view: { isGap, isPaused, pauses } }: { readonly view: IncidentView }) {
  if (isPaused && !isGap && pauses.length === 0) return null;
  return (
    <details class="menu">
      <summary>Pause…</summary>
      <div class="card">
        <p class="row">
          {!isPaused && (
            <ActionButton
              action="pause-plan"
              words={isGap ? "Pause from the first missed run" : "Pause from now on"}
            />
          )}
          {isGap && <ActionButton action="planned-gap" words="This gap was planned" isQuiet />}
        </p>
        {pauses.length > 0 && (
          <ul>
            {pauses.map(({ from, to }) => (
              <li key={from} class="row">
                <span>
                  Planned gap from <Moment at={from} /> to <Moment at={to} />
                </span>
                <button type="submit" class="quiet" name="from" value={from}>
                  Undo: this gap was not planned
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </details>
  );
}

function ActionButton({ action, words, isQuiet = false }: {
  readonly action: string;
  readonly words: string;
  readonly isQuiet?: boolean;
}) {
  return (
    <button type="submit" name="action" value={action} class={isQuiet ? "quiet" : undefined}>
      {words}
    </button>
  );
}
