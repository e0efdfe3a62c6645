import type { ComponentChildren } from "preact";
import type { StatusMeaning } from "../../lib/runs/status.ts";

/** The frame of a chart: its heading, a way past its points, the drawing, and what it says. */
export function Chart({ id, title, width, height, caption, children }: {
  readonly id: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly caption: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <figure class="chart">
      <h2 id={id}>{title}</h2>
      <a class="past" href={`#${id}-end`}>Skip this chart</a>
      <div class="drawing">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-labelledby={id}
        >
          {children}
        </svg>
      </div>
      <figcaption id={`${id}-end`} tabIndex={-1}>{caption}</figcaption>
    </figure>
  );
}

/** A point that is a link: its words are heard, and seen on hover. */
export function Point({ href, words, meaning, x, y, reach, path, mark }: {
  readonly href: string;
  readonly words: string;
  readonly meaning: StatusMeaning;
  readonly x: number;
  readonly y: number;
  /** How far from the middle the pointer still hits. */
  readonly reach: number;
  readonly path: string;
  /** Another class, for what is special about the point. */
  readonly mark?: string;
}) {
  return (
    <a href={href} class={mark ? `${meaning} ${mark}` : meaning} aria-label={words}>
      <title>{words}</title>
      <rect class="target" x={x - reach} y={y - reach} width={2 * reach} height={2 * reach} />
      <path d={path} />
    </a>
  );
}

/** Shapes around a middle: what a status means is told by its shape as well as by its colour. */
export const SHAPES: Readonly<Record<StatusMeaning, (x: number, y: number) => string>> = {
  good: (x, y) => `M${round(x - 2.5)} ${round(y)}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z`,
  bad: (x, y) =>
    `M${round(x - 4)} ${round(y - 3)}l1 -1l3 3l3 -3l1 1l-3 3l3 3l-1 1l-3 -3l-3 3l-1 -1l3 -3z`,
  neutral: (x, y) => `M${round(x)} ${round(y - 3.5)}l3.5 3.5l-3.5 3.5l-3.5 -3.5z`,
};

/** A coordinate without digits that nobody sees. */
export function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
