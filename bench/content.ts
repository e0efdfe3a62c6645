/** How reliably changes of content are found and reported once, and how often wrongly. */
import {
  type ContentMemory,
  emptyContent,
  updateContent,
} from "../lib/judgement/content/content.ts";
import { contentReasons } from "../lib/judgement/content/content_reasons.ts";
import { defaultStatusDictionary } from "../lib/mod.ts";
import { meaningOf } from "../lib/runs/status.ts";
import {
  contentHistories,
  type ContentHistory,
} from "../tests/lib/judgement/histories/content_histories.ts";
import { atLeast, atMost, type Figure } from "./bench.ts";

/** How many runs after its end a change may still be found. */
const AFTER_END = 3;
/** Every third history is judged. */
const PART = 3;

/**
 * The first three empty deliveries are reported, since nobody can know yet whether they are usual. If
 * they are, they count neither as right nor as wrong.
 */
const FIRST_EMPTY = 3;

export function contentFigures(seed: number): readonly Figure[] {
  const histories = contentHistories(seed).filter((_, at) => at % PART === seed % PART);
  const judged = histories.map((history) => ({ history, ...reportsOf(history) }));
  const faulty = judged.filter(({ history }) => history.fault !== null);
  const quiet = judged.filter(({ history }) => history.fault === null);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const found = faulty.filter(({ right }) => right > 0);
  const messages = sum(found.map(({ right }) => right));
  const falseQuiet = sum(quiet.map(({ wrong }) => wrong));
  const wrong = falseQuiet + sum(faulty.map((one) => one.wrong));
  const quietRuns = sum(quiet.map(({ history }) => history.runs.length));
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  const rounded = (value: number) => value.toFixed(2);
  const of = `${histories.length} histories of content`;
  return [
    atLeast(`${of}: changes found`, found.length / faulty.length, 0.98, percent),
    atLeast(
      `${of}: correct reports, without the first empty deliveries where these are usual`,
      found.length / (found.length + wrong),
      0.92,
      percent,
    ),
    atMost(`${of}: false reports in 1,000 quiet runs`, falseQuiet / quietRuns * 1000, 1, rounded),
    atMost(`${of}: reports per change`, messages / found.length, 1.3, rounded),
  ];
}

/** How often a change was reported, and how often something else was. */
function reportsOf(
  { runs, fault, usual }: ContentHistory,
): { readonly right: number; readonly wrong: number } {
  const statuses = defaultStatusDictionary();
  let memory = emptyContent();
  let open = new Set<string>();
  let [right, wrong] = [0, 0];
  for (const [at, run] of runs.entries()) {
    const time = Date.parse(run.startTime!);
    const ms = Date.parse(run.endTime!) - time;
    const one = { run, time, ms, meaning: meaningOf(run.status, statuses) };
    memory = updateContent(memory, [one], { now: Infinity, zone: "UTC" });
    const holding = [...contentReasons(memory)].filter(({ severity }) => severity !== "info")
      .map(({ code, first }) => ({ code, key: `${code} ${first}` }));
    const outsiders = memory.outsiders.outsiders.map(({ key, domain }) => ({
      code: "outside-recipient",
      key: `outside-recipient ${key} ${domain}`,
    }));
    const all = [...holding, ...outsiders];
    for (const { code } of all.filter(({ key }) => !open.has(key))) {
      const isLate = fault && at >= fault.end;
      if (fault?.codes.includes(code) && at >= fault.first && at < fault.end + AFTER_END) right++;
      // The end of a change is a change of its own.
      else if (!isLate && !isFirstEmpty(memory, code, usual)) wrong++;
    }
    open = new Set(all.map(({ key }) => key));
  }
  return { right, wrong };
}

function isFirstEmpty({ zeros }: ContentMemory, code: string, usual: string): boolean {
  return code === "empty-delivery" && usual === "empty at times" &&
    zeros.attachmentSize.streaks < FIRST_EMPTY;
}
