import { formatMoment } from "../../../lib/moments.ts";
import { useContext } from "preact/hooks";
import { HOUR } from "../../../lib/time_units.ts";
import { formatCount } from "../../../lib/format.ts";
import { Zone } from "../../ui/moment.tsx";
import { MARK_HEIGHT, MARK_WIDTH, PLANNED_MARKS } from "../charts/strip.tsx";
import { scheduleHref } from "../run_links.tsx";
import { type DaySummary, FLAWS, type MarkOfDay } from "../../../lib/judgement/day_summary.ts";

const QUARTER = HOUR / 4;
const [LEFT, RIGHT] = [20, 1220];
const LABEL_ROWS = 3;
const ROW = 13;
/** The most marks on top of each other; more become a count. */
const MAX_STACKED = 5;
const MAX_MARKS = 250;
/** The width that narrow windows show: some hours around now. */
const NEAR = 340;
const LETTER = 7;

export function DayLine({ summary }: {
  readonly summary: Pick<DaySummary, "from" | "to" | "now" | "marks">;
}) {
  const zone = useContext(Zone);
  const { from, to, now, marks } = summary;
  const x = (at: number) => round(LEFT + (at - from) / (to - from) * (RIGHT - LEFT));
  const clock = (at: number) => formatMoment(at, zone).slice(11);
  const stacks = Map.groupBy(marks, ({ at }) => from + Math.floor((at - from) / QUARTER) * QUARTER);
  const most = Math.max(0, ...[...stacks.values()].map(({ length }) => length));
  const isFolded = most > MAX_STACKED || marks.length > MAX_MARKS;
  const about = isFolded ? "Today's runs by quarter of an hour" : "Today's runs";
  const words = `${about}: ${marks.length === 0 ? "none planned" : countsText(marks)}`;
  const labels = placeLabels(marks, { x, isFolded });
  // As tall as its labels and marks.
  const stack = Math.min(most, MAX_STACKED) * (MARK_HEIGHT + 2);
  const labelled = (1 + Math.max(-1, ...labels.map(({ row }) => row))) * ROW;
  const axis = 24 + labelled + stack;
  const height = axis + 22;
  const hours = Array.from({ length: 9 }, (_, at) => from + at * 3 * HOUR).filter((at) => at <= to);
  const nowText = `now ${clock(now)}`;
  const nowWidth = nowText.length * LETTER;
  // Before the line where there is no room behind it.
  const nowStart = x(now) + 5 + nowWidth > RIGHT + LEFT ? x(now) - 5 - nowWidth : x(now) + 5;
  // More of what happened than of what comes.
  const near = round(Math.min(Math.max(x(now) - NEAR * 2 / 3, 0), RIGHT + LEFT - NEAR));
  const isNear = (at: number) => x(at) > near && x(at) < near + NEAR;
  /** `top` leaves out the rows of labels. */
  const drawn = (isShown: (at: number) => boolean, top: number) => {
    const some = [...stacks].filter(([at]) => isShown(at));
    return (
      <>
        <g aria-hidden="true">
          <path class="axis" d={`M${LEFT} ${axis}H${RIGHT}`} />
          {hours.map((at) => (
            <g key={at}>
              <path class="axis" d={`M${x(at)} ${axis}v5`} />
              <text x={x(at)} y={axis + 17}>{at === to ? "24:00" : clock(at)}</text>
            </g>
          ))}
          <path class="now" d={`M${x(now)} ${top + 4}V${axis + 5}`} />
          <text class="now" x={round(nowStart)} y={top + 12}>{nowText}</text>
        </g>
        {isFolded
          ? some.map(([at, each]) => {
            // A bar for a quarter of an hour: good runs at the bottom, problems on top.
            const awaited = each.filter(({ outcome }) => outcome !== "excused");
            const tones = Map.groupBy(awaited, ({ outcome }) => PLANNED_MARKS[outcome].tone);
            let y = axis - 1;
            return (
              <g key={at}>
                <title>{clock(at)}: {countsText(each)}</title>
                {(["good", "late", "neutral", "bad"] as const).map((tone) => {
                  const count = tones.get(tone)?.length ?? 0;
                  if (count === 0) return null;
                  // Keeps a single failure among thousands visible.
                  const height = Math.max(tone === "bad" ? 4 : 1, round(count / most * stack));
                  y = round(y - height);
                  const width = tone === "bad" ? 10 : 8;
                  return (
                    <path
                      key={tone}
                      class={tone === "neutral" ? "waiting" : tone}
                      d={`M${round(x(at) - width / 2)} ${y}h${width}v${height}h${-width}z`}
                    />
                  );
                })}
              </g>
            );
          })
          : some.flatMap(([at, each]) =>
            each.map(({ at: due, outcome, name, flaw }, place) => {
              const mark = PLANNED_MARKS[outcome];
              const { tone, shape, words } = flaw ? { ...FLAWED, words: FLAWS[flaw] } : mark;
              const y = axis - 4 - MARK_HEIGHT - place * (MARK_HEIGHT + 2);
              return (
                <path class={tone} d={`M${round(x(at) - MARK_WIDTH / 2)} ${y}${shape}`}>
                  <title>{clock(due)} {name}, {words}</title>
                </path>
              );
            })
          )}
      </>
    );
  };
  return (
    <figure class="day">
      <svg
        class="whole"
        font-size="12"
        viewBox={`0 0 ${RIGHT + LEFT} ${height}`}
        // Without links, a sentence is easier to hear than fifty marks.
        role={isFolded && labels.length === 0 ? "img" : "group"}
        aria-label={words}
      >
        {drawn(() => true, 0)}
        {labels.map(({ mark: { at, scheduleId }, text, x, start, row }) => {
          const y = 26 + row * ROW;
          return (
            <a key={`${scheduleId} ${at}`} href={scheduleHref(scheduleId)}>
              <path class="leader" d={`M${x} ${y - 9}V${axis - MARK_HEIGHT - 6}`} />
              <text class="name" x={round(start)} y={y}>{text}</text>
            </a>
          );
        })}
      </svg>
      <svg
        class="near"
        font-size="12"
        viewBox={`${near} ${labelled} ${NEAR} ${height - labelled}`}
        role="img"
        aria-label={words}
      >
        {drawn(isNear, labelled)}
      </svg>
    </figure>
  );
}

/** A run that went out, but not as it should. */
const FLAWED = { tone: "bad", shape: "m3 6l3 7l-3 7l-3-7z" } as const;

function countsText(marks: readonly MarkOfDay[]): string {
  const groups = Map.groupBy(marks, ({ outcome }) => PLANNED_MARKS[outcome].words);
  return [...groups].map(([words, each]) => `${formatCount(each.length)} ${words}`).join(", ");
}

const WRONG = new Set<MarkOfDay["outcome"]>(["failed", "missed", "overdue", "extra-failed"]);

/** Names what went wrong, each label above its mark and none over another, as far as there is room. */
function placeLabels(
  marks: readonly MarkOfDay[],
  { x, isFolded }: { readonly x: (at: number) => number; readonly isFolded: boolean },
) {
  const free = new Array<number>(LABEL_ROWS).fill(Infinity);
  const all = marks.filter(({ outcome, flaw }) => WRONG.has(outcome) || flaw);
  // What is over has no label where there is no room for what is wrong now.
  const isNow = ({ outcome }: MarkOfDay) => outcome !== "missed";
  const wrong = all.length > LABEL_ROWS && all.some(isNow) ? all.filter(isNow) : all;
  if (isFolded && wrong.length > 12) return [];
  // From the right, so that the line to a mark never crosses the label of a later one.
  return wrong.toReversed().flatMap((mark) => {
    const { at, name, flaw, outcome } = mark;
    const text = `${name} ${flaw ? FLAWS[flaw] : PLANNED_MARKS[outcome].words}`;
    const width = text.length * LETTER;
    const start = Math.max(x(at) - width - 5, 0);
    const row = free.findIndex((end) => end > start + width);
    if (row < 0) return [];
    free[row] = start - 8;
    return [{ mark, text, x: x(at), start, row }];
  });
}

function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
