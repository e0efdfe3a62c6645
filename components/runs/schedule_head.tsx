/** Where a page about a schedule is, and what else there is about it. */

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

/** The views of a schedule, the present one marked, and whether it is watched. */
export function ScheduleViews({ scheduleId, present, isWatched }: {
  readonly scheduleId: number;
  readonly present: typeof VIEWS[number]["name"];
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
