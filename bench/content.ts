/** How reliably changes of content are found and reported once, and how often wrongly. */
import { scoreContent } from "../tests/lib/judgement/histories/content_score.ts";
import { atLeast, atMost, type Figure } from "./bench.ts";

/** Every third history is judged. */
const PART = 3;

export function contentFigures(seed: number): readonly Figure[] {
  const { recall, precision, falseQuiet, reportsPerChange } = scoreContent(seed, PART);
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  const rounded = (value: number) => value.toFixed(2);
  const of = `content, seed ${seed}`;
  return [
    atLeast(`${of}: changes found`, recall, 0.94, percent),
    atLeast(`${of}: correct reports`, precision, 0.93, percent),
    atMost(`${of}: false reports in 1,000 quiet runs`, falseQuiet, 1, rounded),
    atMost(`${of}: reports per change`, reportsPerChange, 1.5, rounded),
  ];
}
