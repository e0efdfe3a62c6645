import { Ago } from "../../ui/ago.tsx";
import { scheduleHref } from "../run_links.ts";

/** What is due next, soonest first. */
export function DueNext({ due, isMore, now }: {
  /** Times are milliseconds since 1970. */
  readonly due: readonly {
    readonly scheduleId: number;
    readonly name: string;
    readonly at: number;
    readonly source: "confirmed" | "inferred" | null;
  }[];
  /** Whether further schedules have a known next run. */
  readonly isMore: boolean;
  readonly now: number;
}) {
  return (
    <section class="due-next" aria-labelledby="due-next">
      <h2 id="due-next">Due next</h2>
      {due.length === 0
        ? <p class="help">No watched schedule has a known next run.</p>
        : (
          <ol class="plain">
            {due.map(({ scheduleId, name, at, source }) => (
              <li key={scheduleId}>
                <Ago at={at} now={now} />{" "}
                <span>
                  <a href={scheduleHref(scheduleId)}>{scheduleId} {name}</a>
                  {source && <span class="help">{` (${source})`}</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      {isMore && (
        <p class="help">Only the next {due.length === 1 ? "is" : `${due.length} are`} listed.</p>
      )}
    </section>
  );
}
