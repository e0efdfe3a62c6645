import type { ComponentChildren } from "preact";
import { capitalized } from "../../../lib/format.ts";
import { type Headline, headlineOfCode } from "../../../lib/judgement/headline.ts";
import type { Reason } from "../../../lib/judgement/reason.ts";
import { Marked } from "../../ui/notices.tsx";

type Tone = "bad" | "drift" | "good" | "neutral";

/** The sign and tone of each state, the same on every page. */
export const MARKS: Readonly<Record<Headline, readonly [sign: string, tone: Tone]>> = {
  failing: ["✕", "bad"],
  overdue: ["!", "bad"],
  empty: ["□", "bad"],
  outside: ["⚠", "bad"],
  missed: ["∅", "drift"],
  changed: ["△", "drift"],
  flaky: ["~", "drift"],
  late: ["◷", "drift"],
  healthy: ["✓", "good"],
  new: ["○", "neutral"],
  unknown: ["?", "neutral"],
};

export function StateBadge({ headline }: { readonly headline: Headline }) {
  return <Marked mark={MARKS[headline]} look="badge">{capitalized(headline)}</Marked>;
}

export function toneOf(headline: Headline): Tone {
  return MARKS[headline][1];
}

/** The sign and tone of a reason. */
export function reasonMark({ code }: Pick<Reason, "code">): readonly [sign: string, tone: Tone] {
  const headline = headlineOfCode(code);
  return headline === null ? ["◆", "drift"] : MARKS[headline];
}

/** What is so, in one sentence, with what follows from it, beside its evidence. */
export function VerdictPart({ tone, label, sentence, evidence, children }: {
  readonly tone: Tone;
  readonly label: string;
  readonly sentence: ComponentChildren;
  readonly evidence: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={`box verdict ${tone}`} aria-label={label}>
      <div>
        <h2 class="sentence" data-announced>{sentence}</h2>
        {children}
      </div>
      {evidence}
    </section>
  );
}
