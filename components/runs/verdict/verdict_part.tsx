import type { ComponentChildren } from "preact";
import type { Tone } from "./state_badge.tsx";

/** What is so, in one sentence, with what follows from it, beside its evidence. */
export function VerdictPart({ tone, label, sentence, evidence, children }: {
  readonly tone: Tone;
  readonly label: string;
  readonly sentence: ComponentChildren;
  readonly evidence: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={`verdict ${tone}`} aria-label={label} data-announced>
      <div>
        <p class="sentence">{sentence}</p>
        {children}
      </div>
      {evidence}
    </section>
  );
}
