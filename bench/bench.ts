/** Benchmarks: figures, each a ratio to a baseline that was measured in the same run. */

/** One measured figure. */
export interface Figure {
  /** What was measured, and against what, as a line of the table. */
  readonly what: string;
  /** What was measured, with its unit. */
  readonly measured: string;
  /** The baseline's figure, with its unit. */
  readonly baseline: string;
  /** The measured figure divided by the baseline's. */
  readonly ratio: number;
  /** The bound, such as `≥ 0.7`; none if the figure is only published for comparison. */
  readonly target?: `${"≥" | "≤"} ${number}`;
}

/**
 * A file of benchmarks: the default export of `bench/<room>_<subject>.ts`. A share below 1 asks for
 * smaller sizes, for a try; short benchmarks ignore it.
 */
export type Bench = (share: number) => Promise<readonly Figure[]>;

/** A figure of a number and its baseline, or the bound that it is held against. */
export function figureOf(
  what: string,
  { measured, baseline, ratio = measured / baseline }: {
    readonly measured: number;
    readonly baseline: number;
    /** Of several rounds; otherwise that of the two numbers. */
    readonly ratio?: number;
  },
  show: (value: number) => string,
  target?: Figure["target"],
): Figure {
  return { what, measured: show(measured), baseline: show(baseline), ratio, target };
}

/** Runs something with a folder of its own, which is removed afterwards. */
export async function withFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  try {
    return await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Whether a figure keeps its bound. */
export function keepsTarget({ ratio, target }: Figure): boolean {
  if (!target) return true;
  const [sign, bound] = target.split(" ");
  return sign === "≥" ? ratio >= Number(bound) : ratio <= Number(bound);
}

/** The median of several numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

/** Figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const head = ["| what | measured | baseline | ratio | target |", "|---|---|---|---|---|"];
  return [...head, ...figures.map(row)].join("\n");
}

function row({ what, measured, baseline, ratio, target }: Figure): string {
  return `| ${[what, measured, baseline, ratio.toFixed(2), target ?? ""].join(" | ")} |`;
}
