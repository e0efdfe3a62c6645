/** Where a page about a schedule is, and what else there is about it. */
import type { Trouble } from "../ui/notice.tsx";
import { PageTop } from "../page/page_top.tsx";
import type { Loaded } from "../../lib/runs/judgement.ts";
import { judgedWords } from "./words.ts";

/** What a view of a schedule's runs begins with: what was judged, or why nothing could be. */
export function ScheduleTop({ subject, scheduleId, present, shown, trouble, watch }: {
  /** What the view shows of the schedule. */
  readonly subject: string;
  /** As the address has it. */
  readonly scheduleId: string;
  readonly present: ViewName;
  readonly shown: {
    readonly scheduleId: number;
    readonly title: string;
    readonly loaded: Loaded;
  } | null;
  readonly trouble: Trouble | null;
  /** The schedules that are watched. */
  readonly watch: readonly number[];
}) {
  return (
    <>
      <PageTop
        title={`${subject} of ${shown?.title ?? `schedule ${scheduleId}`}`}
        path={<SchedulePath scheduleId={scheduleId} />}
        trouble={trouble}
      />
      {shown && (
        <>
          <ScheduleViews
            scheduleId={shown.scheduleId}
            present={present}
            isWatched={watch.includes(shown.scheduleId)}
          />
          <p class="help">{judgedWords(shown.loaded)}</p>
        </>
      )}
    </>
  );
}

/** The way back from a page about a schedule. */
export function SchedulePath({ scheduleId }: { readonly scheduleId?: string | number }) {
  return (
    <nav aria-label="Path" class="path">
      <a href="/schedules">Report schedules</a>
      {scheduleId !== undefined && (
        <>
          {" › "}
          <a href={`/schedules/${encodeURIComponent(scheduleId)}`}>Schedule {scheduleId}</a>
        </>
      )}
    </nav>
  );
}

const VIEWS = [
  { name: "runs", path: "", words: "Runs" },
  { name: "recipients", path: "/recipients", words: "Recipients" },
  { name: "check", path: "/check", words: "Consistency" },
  { name: "compare", path: "/compare", words: "Compare" },
] as const;

type ViewName = typeof VIEWS[number]["name"];

/** The views of a schedule, the present one marked, and whether it is watched. */
export function ScheduleViews({ scheduleId, present, isWatched }: {
  readonly scheduleId: number;
  readonly present: ViewName;
  readonly isWatched: boolean;
}) {
  return (
    <div class="views">
      <nav aria-label="Views of this schedule">
        <ul>
          {VIEWS.map(({ name, path, words }) => (
            <li key={name}>
              <a
                href={`/schedules/${scheduleId}${path}`}
                aria-current={name === present ? "page" : undefined}
              >
                {words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form method="post" action="/schedules/watch">
        <input type="hidden" name="next" value={`/schedules/${scheduleId}`} />
        <button type="submit" class="quiet" name={isWatched ? "remove" : "add"} value={scheduleId}>
          {isWatched ? "Watch no longer" : "Watch"}
        </button>
      </form>
      <p class="help">Schedule {scheduleId}</p>
    </div>
  );
}
