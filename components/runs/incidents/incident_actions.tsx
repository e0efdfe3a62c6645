import { PersonField } from "../../ui/reader.tsx";
import { LoneMoment, Moment, ZoneName } from "../../ui/moment.tsx";
import { incidentHref } from "./incident_table.tsx";

/** What the forms of an incident's page depend on. */
export interface IncidentView {
  readonly id: string;
  /** What the fields begin with: the name given last, or what was typed before an error. */
  readonly typed: {
    readonly name: string;
    readonly note: string;
    /** How long to mute, as one of {@linkcode SPANS}. */
    readonly span: string;
    /** Until when to mute, instead of that. */
    readonly until: string;
  };
  readonly scheduleId: number | null;
  readonly isOpen: boolean;
  /** Whether a person resolved it, and that can be undone. */
  readonly isReopenable: boolean;
  readonly isAcknowledged: boolean;
  readonly isMuted: boolean;
  /** Whether it is about runs that did not start, and open. */
  readonly isGap: boolean;
  readonly isWatched: boolean;
  readonly isScheduleMuted: boolean;
  /** From when on no runs are expected until further notice; null if they are. */
  readonly pausedFrom: number | null;
  readonly pauses: readonly { readonly from: number; readonly to: number | null }[];
}

/**
 * What people can do about an incident and its schedule. One form, which works without JavaScript,
 * so that a name and a note are typed once.
 */
export function IncidentActions({ view }: { readonly view: IncidentView }) {
  const { id, typed, scheduleId, isOpen, isReopenable, isWatched } = view;
  const takesNotes = isOpen || isReopenable;
  const hasSchedule = scheduleId !== null && isWatched;
  return (
    <>
      {(takesNotes || hasSchedule) && (
        <form method="post" action={incidentHref(id)} class="card respond">
          <h2>Respond</h2>
          {/* What the Enter key would press: each change has a button of its own. */}
          {!takesNotes && <button type="submit" disabled hidden />}
          <PersonField value={typed.name} recorded="in the timeline" />
          {takesNotes && (
            <div class="row">
              <label>
                Note <input name="note" maxLength={1000} value={typed.note} />
              </label>
              {/* First, because Enter presses it: it does the least. */}
              <ActionButton action="note" words="Add the note" isQuiet />
            </div>
          )}
          {takesNotes && (
            <div class="row">
              {isOpen
                ? <OpenActions view={view} />
                : <ActionButton action="reopen" words="Reopen" />}
            </div>
          )}
          <MuteActions view={view} hasSchedule={hasSchedule} />
          {hasSchedule && <ScheduleActions view={view} />}
        </form>
      )}
      {scheduleId !== null && !isWatched && <p>Schedule {scheduleId} is no longer watched.</p>}
    </>
  );
}

function OpenActions({ view: { isAcknowledged, isMuted } }: { readonly view: IncidentView }) {
  return (
    <>
      {isAcknowledged
        ? <ActionButton action="unacknowledge" words="Undo the acknowledgement" isQuiet />
        : <ActionButton action="acknowledge" words="Acknowledge" />}
      <ActionButton action="resolve" words="Resolve" />
      {isMuted && <ActionButton action="unmute" words="Unmute" />}
    </>
  );
}

/** How long to mute, and what: the incident, or its whole schedule. */
function MuteActions({ view, hasSchedule }: {
  readonly view: IncidentView;
  readonly hasSchedule: boolean;
}) {
  const canMute = view.isOpen && !view.isMuted;
  const canMuteSchedule = hasSchedule && !view.isScheduleMuted;
  if (!canMute && !canMuteSchedule) return null;
  return (
    <>
      <div class="row">
        <MuteTime typed={view.typed} />
      </div>
      <div class="row">
        {canMute && <ActionButton action="mute" words="Mute the incident" />}
        {canMuteSchedule && (
          <ActionButton action="mute-schedule" words="Mute the schedule" isQuiet />
        )}
      </div>
    </>
  );
}

function ScheduleActions({ view }: { readonly view: IncidentView }) {
  const { scheduleId, isGap, pausedFrom, isScheduleMuted, pauses } = view;
  return (
    <section aria-labelledby="schedule-actions">
      <h3 id="schedule-actions">Schedule {scheduleId}</h3>
      <div class="row">
        {isScheduleMuted && <ActionButton action="unmute-schedule" words="Unmute the schedule" />}
        {pausedFrom === null
          ? (
            <ActionButton
              action="pause-plan"
              words={isGap ? "Expect no runs from this gap on" : "Expect no runs from now on"}
              isQuiet
            />
          )
          : (
            <>
              No runs are expected from <LoneMoment at={pausedFrom} /> on.{" "}
              <ActionButton action="resume-plan" words="Expect runs again" />
            </>
          )}
        {isGap && <ActionButton action="planned-gap" words="This gap was planned" isQuiet />}
      </div>
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
    </section>
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

const SPANS = [
  ["1h", "for 1 hour"],
  ["4h", "for 4 hours"],
  ["1d", "for 1 day"],
  ["7d", "for 7 days"],
] as const;

function MuteTime({ typed: { span, until } }: Pick<IncidentView, "typed">) {
  return (
    <>
      <select name="span" aria-label="For how long">
        {SPANS.map(([value, words]) => (
          <option key={value} value={value} selected={value === span}>{words}</option>
        ))}
      </select>
      <label>
        or until <input type="datetime-local" name="until" value={until} /> <ZoneName />
      </label>
    </>
  );
}
