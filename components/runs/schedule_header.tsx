import { FormKey } from "../ui/form_key.tsx";
import type { ComponentChildren } from "preact";
import type { LoadedRuns } from "../../lib/runs/load_runs.ts";
import { useMayAct } from "../ui/reader.tsx";
import { PageHeader } from "../page/page_header.tsx";
import type { ErrorMessage } from "../ui/error_notice.tsx";
import { formatLoaded } from "./format.ts";
import { type Outage, OutageBanner } from "./outage.tsx";
import { ownerHref, recipientsHref, scheduleHref } from "./run_links.tsx";

export interface ShownSchedule {
  readonly scheduleId: number;
  readonly name: string;
  readonly reportTitle: string;
  /** What it is based on, if the header says so. */
  readonly loaded?: LoadedRuns;
  /** Why it shows only what was read before; null if it was read now. */
  readonly outage?: Outage | null;
}

export function ScheduleHeader(
  {
    current,
    badge,
    data: { shown, error },
    params,
    state: { isWatched },
    actions,
    children,
    plan,
    owner,
  }: {
    readonly current: PageName;
    readonly badge?: ComponentChildren;
    readonly data: { readonly shown: ShownSchedule | null; readonly error: ErrorMessage | null };
    readonly params: { readonly scheduleId: string };
    readonly state: { readonly isWatched: boolean | null };
    readonly actions?: ComponentChildren;
    /** What people may change besides, behind `⋯`. */
    readonly children?: ComponentChildren;
    readonly plan?: ComponentChildren;
    readonly owner?: string;
  },
) {
  const mayAct = useMayAct();
  const scheduleId = shown?.scheduleId ?? params.scheduleId;
  const href = scheduleHref(scheduleId);
  const title = shown?.name ?? `Schedule ${scheduleId}`;
  const tab = (name: PageName, path: string) => (
    <li>
      <a href={path} aria-current={name === current ? "page" : undefined}>{LABELS[name]}</a>
    </li>
  );
  return (
    <>
      <PageHeader
        title={title}
        part={current === "runs" ? undefined : LABELS[current].toLowerCase()}
        beside={badge}
        path={SCHEDULES_PATH}
        error={error}
        actions={actions}
      />
      {!shown && isWatched && <WatchForm scheduleId={scheduleId} isWatched next="/schedules" />}
      {shown && (
        <>
          {shown.outage && <OutageBanner outage={shown.outage} />}
          <div class="schedule-line">
            <p class="help">
              {plan && [plan, " · "]}schedule {scheduleId}
              {shown.reportTitle && ` · report “${shown.reportTitle}”`}
              {owner && [" · owned by ", <a key="owner" href={ownerHref(owner)}>{owner}</a>]}
            </p>
            {isWatched === false && (
              <WatchForm scheduleId={scheduleId} isWatched={false} next={href} />
            )}
            {isWatched && mayAct && (
              <details class="menu">
                <summary class="icon" aria-label="More: name, owner, unwatch">⋯</summary>
                <div class="card">
                  {children}
                  <WatchForm scheduleId={scheduleId} isWatched next={href} />
                </div>
              </details>
            )}
          </div>
          <nav aria-label="This schedule" class="schedule-tabs">
            <ul class="tabs">
              {tab("runs", href)}
              {tab("recipients", recipientsHref(scheduleId))}
              {tab("plan", `${href}/plan`)}
            </ul>
          </nav>
          {current === "plan" && shown.loaded && <LoadedNote loaded={shown.loaded} />}
        </>
      )}
    </>
  );
}

export function LoadedNote({ loaded }: { readonly loaded: LoadedRuns }) {
  return loaded.runs.length > 0 ? <p class="help">{formatLoaded(loaded)}</p> : null;
}

export const SCHEDULES_PATH = [["/schedules", "Schedules"]] as const;
export function pathOf(scheduleId: number | string, name = `Schedule ${scheduleId}`) {
  return [...SCHEDULES_PATH, [scheduleHref(scheduleId), name]] as const;
}

const LABELS = { runs: "Overview", recipients: "Recipients", plan: "Plan" } as const;

type PageName = keyof typeof LABELS;

function WatchForm({ scheduleId, isWatched, next }: {
  readonly scheduleId: number | string;
  readonly isWatched: boolean;
  readonly next: string;
}) {
  if (!useMayAct()) return null;
  return (
    <form method="post" action="/schedules/watch">
      <FormKey />
      <input type="hidden" name="next" value={next} />
      {isWatched
        ? <button type="submit" class="quiet" name="remove" value={scheduleId}>Unwatch</button>
        : <button type="submit" name="add" value={scheduleId}>Watch</button>}
    </form>
  );
}
