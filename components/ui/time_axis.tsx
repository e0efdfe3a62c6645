// @ts-types="@types/d3-scale"
import { type ScaleTime, scaleUtc } from "d3-scale";
import { dayIn, startOfDay } from "../../lib/days.ts";
import { round } from "./chart.tsx";

export function timeScale(
  times: readonly number[],
  left: number,
  right: number,
): ScaleTime<number, number> {
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  return scaleUtc([first, last], [left, right]);
}

const LABEL = 72;

/** Dates in the zone along the bottom of a chart, as many as there is room for. */
export function TimeAxis({ scale, y, zone }: {
  readonly scale: ScaleTime<number, number>;
  readonly y: number;
  readonly zone: string;
}) {
  const [left, right] = scale.range();
  const days = new Set(scale.ticks(6).map((tick) => dayIn(zone)(tick.getTime())));
  let free = left;
  return (
    <g class="axis" aria-hidden="true">
      <path d={`M${left} ${y}H${right}`} />
      {[...days].map((day) => {
        const x = round(scale(startOfDay(day, zone) ?? 0));
        if (x < free || x > right - 30) return null;
        free = x + LABEL;
        return (
          <g key={day}>
            <path d={`M${x} ${y}v4`} />
            <text x={Math.max(x, left + LABEL / 2)} y={y + 16}>{day}</text>
          </g>
        );
      })}
    </g>
  );
}
