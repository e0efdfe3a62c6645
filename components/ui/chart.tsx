import type { ComponentChildren } from "preact";
import type { StatusMeaning } from "../../lib/runs/status.ts";

/** The look of what a status means. */
export type StatusTone = "good" | "bad" | "neutral";

export function statusTone(meaning: StatusMeaning): StatusTone {
  return meaning === "good" || meaning === "bad" ? meaning : "neutral";
}

/** A chart with a heading for screen readers, a link to skip it, and a caption. */
export function Chart({ id, title, width, height, caption, side, children }: {
  readonly id: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly caption: ComponentChildren;
  /** The labels of the rows, which stay in sight while the chart scrolls. */
  readonly side: { readonly width: number; readonly labels: ComponentChildren };
  readonly children: ComponentChildren;
}) {
  return (
    <figure class={`chart ${id}`}>
      <h2 class="unseen" id={id}>{title}</h2>
      <a class="past" href={`#${id}-end`}>Skip chart</a>
      <div class="drawing">
        <div>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            width={width}
            height={height}
            role="group"
            aria-labelledby={id}
          >
            {children}
          </svg>
          <svg
            class="side"
            viewBox={`0 0 ${side.width} ${height}`}
            width={side.width}
            height={height}
            aria-hidden="true"
          >
            {side.labels}
          </svg>
        </div>
      </div>
      <figcaption id={`${id}-end`} tabIndex={-1}>{caption}</figcaption>
    </figure>
  );
}

/** A point that is a link. A function instead of a component: a page has hundreds of them. */
export function pointOf({ href, label, tone, path }: {
  readonly href: string;
  readonly label: string;
  readonly tone: StatusTone;
  readonly path: string;
}) {
  return (
    <a key={href} href={href} class={tone}>
      <title>{label}</title>
      <path d={path} />
    </a>
  );
}

/** Equal marks as one path: an element for each would make the page many times larger. */
export function seriesOf({ label, kind, paths }: {
  readonly label: string;
  readonly kind: string;
  readonly paths: readonly string[];
}) {
  if (paths.length === 0) return null;
  return (
    <path key={kind} class={kind} d={paths.join("")}>
      <title>{label}</title>
    </path>
  );
}

/** The most marks of a chart that are links: the newest of those that need attention. */
export const MAX_LINKS = 40;

/** Shapes around a centre, so that statuses differ in more than colour. */
export const SHAPES: Readonly<Record<StatusTone, (x: number, y: number) => string>> = {
  good: (x, y) => `M${round(x - 2.5)} ${round(y)}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z`,
  bad: (x, y) =>
    `M${round(x - 4)} ${round(y - 3)}l1 -1l3 3l3 -3l1 1l-3 3l3 3l-1 1l-3 -3l-3 3l-1 -1l3 -3z`,
  neutral: (x, y) => `M${round(x)} ${round(y - 3.5)}l3.5 3.5l-3.5 3.5l-3.5 -3.5z`,
};

export function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
