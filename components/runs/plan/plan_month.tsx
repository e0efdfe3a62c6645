import { formatCount } from "../../../lib/format.ts";
import { addDays, dayIn } from "../../../lib/days.ts";
import type { PlannedDay } from "../../../lib/judgement/planned_days.ts";
import { headingOf } from "../../ui/data_table.tsx";
import { TableFrame } from "../../ui/table_frame.tsx";
import { formatMoment } from "../../ui/zone.ts";

const DAY = 86_400_000;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

export function PlanMonth({ days, zone, from, to }: {
  /** By day since 1970. */
  readonly days: ReadonlyMap<number, PlannedDay>;
  readonly zone: string;
  /** The span in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}) {
  const dayAt = dayIn(zone);
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

function Day({ due, timeOf }: {
  readonly due: PlannedDay | undefined;
  readonly timeOf: (at: number) => string;
}) {
  if (!due) return null;
  const { times, count } = due;
  if (count === 0) return <div class="missing">paused</div>;
  if (count > times.length) return <div>{formatCount(count)} runs</div>;
  return <>{times.map((at) => <div key={at}>{timeOf(at)}</div>)}</>;
}
