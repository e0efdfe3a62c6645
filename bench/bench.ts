/** What all benchmarks share: figures with budgets, and their table. */

export interface Figure {
  readonly what: string;
  /** What was measured, with its unit. */
  readonly measured: string;
  /** The bound, such as `≤ 50 ms`. */
  readonly budget: string;
  /** The measured figure divided by its bound. */
  readonly ratio: number;
  readonly isKept: boolean;
  /** What the figure is compared with, measured in the same run; empty if nothing. */
  readonly baseline: string;
}

/** The default export of `bench/<name>.ts`. A share below 1 asks long benchmarks for smaller sizes. */
export type Bench = (share: number) => Promise<readonly Figure[]>;

export function atMost(
  what: string,
  measured: number,
  budget: number,
  show: (value: number) => string,
  baseline = "",
): Figure {
  const ratio = measured === 0 ? 0 : measured / budget;
  const isKept = ratio <= 1;
  return { what, measured: show(measured), budget: `≤ ${show(budget)}`, ratio, isKept, baseline };
}

export function atLeast(
  what: string,
  measured: number,
  budget: number,
  show: (value: number) => string,
  baseline = "",
): Figure {
  const ratio = measured / budget;
  const isKept = ratio >= 1;
  return { what, measured: show(measured), budget: `≥ ${show(budget)}`, ratio, isKept, baseline };
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The number below which this share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

export function seconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

export function table(figures: readonly Figure[]): string {
  const head = ["| what | measured | budget | ratio | baseline |", "|---|---|---|---|---|"];
  const rows = figures.map(({ what, measured, budget, ratio, baseline }) =>
    `| ${[what, measured, budget, ratio.toFixed(2), baseline].join(" | ")} |`
  );
  return [...head, ...rows].join("\n");
}
