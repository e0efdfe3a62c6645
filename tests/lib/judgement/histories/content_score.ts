/** How reliably changes of content are found and reported once, and how often wrongly. */
import { Content } from "../../../../lib/judgement/content/content.ts";
import { contentHistories, type ContentHistory } from "./content_histories.ts";

/** How many runs after its end a change may still be found. */
const AFTER_END = 3;

interface ContentScore {
  readonly recall: number;
  readonly precision: number;
  /** False reports in 1,000 runs of histories in which nothing changes. */
  readonly falseQuiet: number;
  readonly reportsPerChange: number;
}

/** Judges every `part`th history of a seed after each of its runs. */
export function scoreContent(seed: number, part: number): ContentScore {
  const judged = contentHistories(seed)
    .filter((_, at) => at % part === seed % part)
    .map((history) => ({ history, ...reportsIn(history) }));
  const faulty = judged.filter(({ history }) => history.fault !== null);
  const quiet = judged.filter(({ history }) => history.fault === null);
  const found = faulty.filter(({ right }) => right > 0);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const wrong = sum(judged.map((one) => one.wrong));
  return {
    recall: found.length / faulty.length,
    precision: found.length / (found.length + wrong),
    falseQuiet: sum(quiet.map((one) => one.wrong)) /
      sum(quiet.map(({ history }) => history.runs.length)) * 1000,
    reportsPerChange: sum(found.map(({ right }) => right)) / found.length,
  };
}

/** How often a change was reported, and how often something else was. */
function reportsIn({ runs, fault, usual }: ContentHistory) {
  const content = new Content("UTC");
  let open = new Set<string>();
  let [right, wrong] = [0, 0];
  for (const [at, run] of runs.entries()) {
    const time = Date.parse(run.startTime!);
    content.add({ run, time, ms: Date.parse(run.endTime!) - time, meaning: "good" });
    const holding = [...content.reasons()]
      .map(({ code, first }) => ({ code, key: `${code} ${first}` }));
    for (const { code } of holding.filter(({ key }) => !open.has(key))) {
      // Nobody can know yet that the first empty deliveries are usual.
      const isFirstEmpty = code === "empty-delivery" && usual === "empty at times";
      // The end of a change is a change of its own.
      const isAfter = fault !== null && at >= fault.end;
      const isInTime = fault !== null && at >= fault.first && at < fault.end + AFTER_END;
      if (isInTime && fault.codes.includes(code)) right++;
      else if (!isAfter && !isFirstEmpty) wrong++;
    }
    open = new Set(holding.map(({ key }) => key));
  }
  return { right, wrong };
}
