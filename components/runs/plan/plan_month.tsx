import { formatCount } from "../../../lib/format.ts";
import { addDays, dayIn } from "../../../lib/runs/days.ts";
import { headingOf } from "../../ui/data_table.tsx";
import { TableFrame } from "../../ui/table_frame.tsx";
import { formatMoment } from "../../ui/zone.ts";

/** More times of a day than this are counted. */
const MOST_TIMES = 3;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** A moment at which a run will be due. */
export interface ComingSlot {
  readonly at: number;
  /** Whether no run is expected. */
  readonly isPaused: boolean;
}

/** The slots of the coming month as a calendar, in the zone of the plan. */
export function PlanMonth({ slots, zone, from, to }: {
  readonly slots: readonly ComingSlot[];
  readonly zone: string;
  /** The span in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}) {
  const dayAt = dayIn(zone);
  const byDay = Map.groupBy(slots, ({ at }) => dayAt(at));
  const [first, last] = [dayAt(from), dayAt(to - 1)];
  const weekday = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const weeks: string[] = [];
  for (let day = addDays(first, -weekday); day <= last; day = addDays(day, 7)) weeks.push(day);
  const timeOf = (at: number) => formatMoment(new Date(at).toISOString(), zone).slice(-5);
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
                  <Day slots={byDay.get(day) ?? []} timeOf={timeOf} />
                </td>
              );
            })}
          </tr>
        ))}
      </TableFrame>
    </>
  );
}

function Day({ slots, timeOf }: {
  readonly slots: readonly ComingSlot[];
  readonly timeOf: (at: number) => string;
}) {
  const expected = slots.filter(({ isPaused }) => !isPaused);
  if (slots.length > 0 && expected.length === 0) return <div class="missing">paused</div>;
  if (expected.length > MOST_TIMES) return <div>{formatCount(expected.length)} runs</div>;
  return <>{expected.map(({ at }) => <div key={at}>{timeOf(at)}</div>)}</>;
}
