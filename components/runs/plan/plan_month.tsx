import { formatCount } from "../../../lib/format.ts";
import { addDays, dayIn } from "../../../lib/days.ts";
import { isInPause, type Pause } from "../../../lib/judgement/slots.ts";
import { clockOf } from "../../../lib/runs/zone_clock.ts";
import { headingOf } from "../../ui/data_table.tsx";
import { TableFrame } from "../../ui/table_frame.tsx";
import { formatMoment } from "../../ui/zone.ts";

const DAY = 86_400_000;
/** More times in one day are only counted. */
const MOST_TIMES = 3;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

interface ComingDay {
  /** Its first times, in milliseconds since 1970. */
  readonly times: number[];
  count: number;
}

/** The slots of the coming month as a calendar, in the plan's zone. */
export function PlanMonth({ slots, pauses, zone, from, to }: {
  /** Sorted, in milliseconds since 1970. */
  readonly slots: readonly number[];
  readonly pauses: readonly Pause[];
  readonly zone: string;
  /** The span in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}) {
  const dayAt = dayIn(zone);
  const days = daysOf(slots, pauses.filter((pause) => pause.from < to), zone);
  const [first, last] = [dayAt(from), dayAt(to - 1)];
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const weeks: string[] = [];
  for (let day = addDays(first, -weekday); day <= last; day = addDays(day, 7)) weeks.push(day);
  const timeOf = (at: number) => formatMoment(at, zone).slice(-5);
  return (
    <>
      <h2>Coming month</h2>
      <p class="help">Times in {zone}</p>
      <TableFrame
        name="Coming month"
        class="month"
        headings={WEEKDAYS.map((name) => headingOf({ name }))}
      >
        {weeks.map((monday) => (
          <tr key={monday}>
            {WEEKDAYS.map((name, at) => {
              const day = addDays(monday, at);
              if (day < first || day > last) return <td key={name} />;
              return (
                <td key={name}>
                  <time dateTime={day} class="help">{day.slice(5)}</time>{" "}
                  <Day due={days.get(Date.parse(day) / DAY)} timeOf={timeOf} />
                </td>
              );
            })}
          </tr>
        ))}
      </TableFrame>
    </>
  );
}

/** What is due on each day, by day since 1970: there may be a run every minute. */
function daysOf(
  slots: readonly number[],
  pauses: readonly Pause[],
  zone: string,
): ReadonlyMap<number, ComingDay> {
  const days = new Map<number, ComingDay>();
  const local = clockOf(zone).toLocal(slots);
  for (const [place, at] of slots.entries()) {
    const day = Math.floor(local[place] / DAY);
    let due = days.get(day);
    if (!due) days.set(day, due = { times: [], count: 0 });
    if (isInPause(at, pauses)) continue;
    due.count++;
    if (due.count <= MOST_TIMES) due.times.push(at);
  }
  return days;
}

function Day({ due, timeOf }: {
  readonly due: ComingDay | undefined;
  readonly timeOf: (at: number) => string;
}) {
  if (!due) return null;
  const { times, count } = due;
  if (count === 0) return <div class="missing">paused</div>;
  if (count > MOST_TIMES) return <div>{formatCount(count)} runs</div>;
  return <>{times.map((at) => <div key={at}>{timeOf(at)}</div>)}</>;
}
