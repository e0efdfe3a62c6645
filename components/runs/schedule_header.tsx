import { useContext } from "preact/hooks";
import { capitalized } from "../../lib/format.ts";
import type { Headline } from "../../lib/judgement/headline.ts";
import { describePlan } from "../../lib/judgement/plans/describe.ts";
import type { Plan } from "../../lib/judgement/plans/plan.ts";
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";
import { PageHeader } from "../page/page_header.tsx";
import { type ErrorMessage, type Outage, OutageBanner } from "../ui/notices.tsx";
import { ActionForm, Field, PersonField, Refused, useMayAct } from "../ui/form.tsx";
import { Ago, useMoment } from "../ui/moment.tsx";
import { Menu, separated } from "../ui/section.tsx";
import { formatLoaded } from "./run_words.tsx";
import { ownerHref, planHref, recipientsHref, scheduleHref } from "./run_links.tsx";
import { StateBadge } from "./verdict/state_badge.tsx";

interface ShownSchedule {
  readonly scheduleId: number;
  readonly name: string;
  readonly reportTitle: string;
  /** How it is doing; null before it was judged. */
  readonly headline: Headline | null;
  readonly plan: Plan | null;
  readonly planSource: "confirmed" | "inferred" | null;
  /** What confirms the inferred plan; null if there is nothing to confirm. */
  readonly confirm: Readonly<Record<string, string>> | null;
  /** What people set: the name that they gave it, its report's title, and its owner. */
  readonly settings: { readonly name: string; readonly title: string; readonly owner: string };
  /** Why it shows only what was read before; null if it was read now. */
  readonly outage?: Outage | null;
}

const TABS = [
  ["runs", "Overview", scheduleHref],
  ["recipients", "Recipients", recipientsHref],
  ["plan", "Plan", planHref],
] as const;

/** The name of a schedule with its state, plan and owner, what can be done with it, and its tabs. */
export function ScheduleHeader({ current, data: { shown, error }, params, state }: {
  readonly current: typeof TABS[number][0];
  readonly data: { readonly shown: ShownSchedule | null; readonly error: ErrorMessage | null };
  readonly params: { readonly scheduleId: string };
  readonly state: { readonly isWatched: boolean | null };
}) {
  const mayAct = useMayAct();
  const { isWatched } = state;
  const asksName = useContext(Refused).issues.person !== undefined;
  const scheduleId = shown?.scheduleId ?? params.scheduleId;
  return (
    <>
      {shown?.outage && <OutageBanner {...shown.outage} />}
      <div class="schedule-head">
        <PageHeader
          title={shown?.name ?? `Schedule ${scheduleId}`}
          part={current === "runs" ? undefined : current}
          beside={shown?.headline && <StateBadge headline={shown.headline} />}
          trail={[...SCHEDULES_TRAIL, [null, String(scheduleId)]]}
          error={error}
          next={mayAct && !error?.mayRetry
            ? <a href="/schedules/find">Scan for schedules</a>
            : undefined}
        />
        {shown && (
          <div class="line schedule-line">
            <ScheduleLine shown={shown} />
            {isWatched !== null && shown.confirm && (
              <ActionForm action={planHref(scheduleId)} class="row" values={shown.confirm}>
                {asksName && <PersonField />}
                <button type="submit" class="quiet" name="action" value="confirm">
                  Confirm the plan
                </button>
              </ActionForm>
            )}
            {isWatched === false && <WatchForm scheduleId={scheduleId} isWatched={false} />}
            {isWatched && mayAct && (
              <Menu label="More: name, owner, unwatch">
                <SettingsForm shown={shown} />
                <WatchForm scheduleId={scheduleId} isWatched />
              </Menu>
            )}
          </div>
        )}
      </div>
      {!shown && isWatched && <WatchForm scheduleId={scheduleId} isWatched next="/schedules" />}
      {shown && (
        <nav aria-label="This schedule" class="schedule-tabs">
          <ul class="line plain tabs">
            {TABS.map(([tab, name, href]) => (
              <li key={tab}>
                <a href={href(scheduleId)} aria-current={tab === current ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  );
}

function ScheduleLine({ shown }: { readonly shown: ShownSchedule }) {
  const { scheduleId, headline, plan, planSource, reportTitle, settings: { owner } } = shown;
  const moment = useMoment();
  const words = plan
    ? `${capitalized(describePlan(plan, moment))} · plan ${planSource}`
    : headline && <a href={planHref(scheduleId)}>No plan</a>;
  const owned = owner && (
    <>
      owned by <a href={ownerHref(owner)}>{owner}</a>
    </>
  );
  const parts = [words, reportTitle && `report “${reportTitle}”`, owned].filter(Boolean);
  return <p class="help">{separated(parts, " · ")}</p>;
}

function SettingsForm({ shown: { scheduleId, settings } }: { readonly shown: ShownSchedule }) {
  return (
    <ActionForm action="/schedules/watch" class="stack" values={{ id: scheduleId }}>
      <Field
        name="schedule"
        label="Name"
        maxLength={100}
        value={settings.name}
        placeholder={settings.title}
      />
      <Field name="owner" label="Owner" maxLength={100} value={settings.owner} />
      <button type="submit" name="action" value="owner">Save</button>
    </ActionForm>
  );
}

export function LoadedNote({ loaded, readAt = null }: {
  readonly loaded: LoadedRuns;
  /** When they were read, if that was not now. */
  readonly readAt?: number | null;
}) {
  const words = formatLoaded(loaded);
  if (loaded.runs.length === 0 || (words === "" && readAt === null)) return null;
  return (
    <p class="help">
      {words}
      {readAt !== null &&
        [" Not watched, read once a day: last ", <Ago key="read" at={readAt} />, "."]}
    </p>
  );
}

export const SCHEDULES_TRAIL = [["/schedules", "Schedules"]] as const;
export function trailOf(scheduleId: number | string, name = `Schedule ${scheduleId}`) {
  return [...SCHEDULES_TRAIL, [scheduleHref(scheduleId), name]] as const;
}

function WatchForm({ scheduleId, isWatched, next }: {
  readonly scheduleId: number | string;
  readonly isWatched: boolean;
  /** Where to go afterwards, if not back. */
  readonly next?: string;
}) {
  return (
    <ActionForm action="/schedules/watch" values={{ next, id: scheduleId }}>
      {isWatched
        ? <button type="submit" class="quiet" name="action" value="unwatch">Unwatch</button>
        : <button type="submit" name="action" value="watch">Watch</button>}
    </ActionForm>
  );
}
