import { assert, assertEquals, equal } from "@std/assert";
import fc from "fast-check";
import type { Reason } from "../../../../lib/judgement/reason.ts";
import { sampleReason } from "../../../sample_reasons.ts";
import { at, Desk, gap, outside } from "./desk.ts";

/** What is true of the three things that a model watches: a gap, an address outside, slowness. */
interface World {
  readonly gap: "met" | "overdue" | "missed" | "came";
  readonly outsiders: number;
  readonly slow: boolean;
}

/**
 * One thing as the page of the table has it, written row by row and without a thought of speed. Times
 * are minutes. It knows one subject only.
 */
class Model {
  state: "none" | "open" | "passed" | "resolved" = "none";
  resolvedAt = -Infinity;
  hadPassed = false;
  said: "nothing" | "open" | "over" = "nothing";
  saidAt: number | null = null;
  notifyAt: number | null = null;
  grown = 0;
  /** Earlier incidents whose end is to be sent yet. */
  unsentEnds = 0;

  constructor(readonly isCritical: boolean, readonly isGap = false) {}

  /** When something is to be sent, though nothing changes; null for never. */
  get pendingAt(): number | null {
    return this.unsentEnds > 0 ? 0 : this.notifyAt;
  }

  /** The messages at a minute: `size` is 0 where nothing holds, and more where it has grown. */
  see(now: number, mutedUntil: number, size: number, isPassed = false, hasCome = false): string[] {
    const holds = size > 0;
    const anHourAfter = this.saidAt === null ? now : Math.max(now, this.saidAt + 60);
    const before = this.state;
    if (holds && before === "resolved" && now - this.resolvedAt < 60) {
      // Row 7: it holds again.
      this.state = isPassed ? "passed" : "open";
      const isSaid = isPassed
        ? this.hadPassed && this.said === "over" && this.saidAt! < this.resolvedAt
        : this.said === "open";
      this.notifyAt = isSaid ? null : this.isCritical && !isPassed ? now : anHourAfter;
      this.grown = size;
    } else if (holds && (before === "none" || before === "resolved")) {
      // Row 1: another incident, beside one whose end is to be sent yet.
      if (this.notifyAt !== null) this.unsentEnds++;
      Object.assign(this, { said: "nothing", saidAt: null, grown: size });
      this.state = isPassed ? "passed" : "open";
      this.notifyAt = now;
    } else if (holds && before === "open" && isPassed) {
      // Row 5.
      this.state = "passed";
      this.notifyAt = this.said === "open" || this.notifyAt !== null ? now : null;
    } else if (holds && before === "passed" && !isPassed) {
      this.state = "open";
      this.notifyAt = this.said === "open" ? null : now;
    } else if (holds) {
      // Rows 2 and 3.
      if (size > this.grown) this.notifyAt = Math.min(this.notifyAt ?? Infinity, anHourAfter);
      this.grown = size;
    } else if (before === "open" || before === "passed") {
      // Rows 4, 5 and 6.
      const isNotified = this.said === "open" ||
        before === "passed" && hasCome && this.said === "over";
      this.state = "resolved";
      this.hadPassed = before === "passed";
      this.resolvedAt = now;
      this.notifyAt = isNotified ? now : null;
    }
    // Rows 8, 9 and 10.
    if (mutedUntil > now) return [];
    const ends = Array<string>(this.unsentEnds).fill("resolved");
    this.unsentEnds = 0;
    if (this.notifyAt === null || this.notifyAt > now) return ends;
    const kind = this.state === "resolved"
      ? "resolved"
      : this.state === "passed"
      ? "passed"
      : this.said === "open"
      ? "grew"
      : "opened";
    Object.assign(this, {
      notifyAt: null,
      saidAt: now,
      said: this.state === "open" ? "open" : "over",
    });
    return [...ends, kind];
  }
}

const anyStep = fc.record({
  after: fc.constantFrom(1, 5, 29, 59, 60, 61, 200),
  gap: fc.constantFrom("met", "overdue", "missed", "came" as const),
  outsiders: fc.constantFrom(0, 0, 1, 2, 3),
  slow: fc.boolean(),
  mutes: fc.constantFrom(null, null, null, 0, 30, 90),
});

function reasonsIn({ gap: what, outsiders, slow }: World): Reason[] {
  return [
    ...what === "overdue" || what === "missed" ? [gap(what, 0)] : [],
    ...outsiders > 0 ? [outside("a.example", outsiders)] : [],
    ...slow ? [sampleReason("slower")] : [],
  ];
}

Deno.test("transition: sends what a slow model of the table sends, whatever happens", () =>
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const desk = new Desk();
      const models = {
        gap: new Model(true, true),
        outsiders: new Model(true),
        slow: new Model(false),
      };
      let [now, mutedUntil] = [0, 0];
      for (const step of steps) {
        now += step.after;
        if (step.mutes !== null) mutedUntil = now + step.mutes;
        const isMissed = step.gap === "missed";
        const holds = isMissed || step.gap === "overdue";
        const hasCome = step.gap === "came";
        const expected = [
          ...models.gap.see(now, mutedUntil, holds ? 1 : 0, isMissed, hasCome)
            .map((kind) => `${kind} gap`),
          ...models.outsiders.see(now, mutedUntil, step.outsiders)
            .map((kind) => `${kind} outside-recipient`),
          ...models.slow.see(now, mutedUntil, step.slow ? 1 : 0)
            .map((kind) => `${kind} slower`),
        ];
        const reasons = reasonsIn(step);
        const sent = desk.see(now, reasons, {
          mutedUntil: at(mutedUntil),
          endingOf: () =>
            hasCome ? { how: "started", due: at(0), at: at(now), isGood: true } : null,
        }).flatMap((each) => {
          const [, kind, code] = />(\w+) ([\w-]+)/.exec(each) ?? [];
          return kind ? [`${kind} ${code === "overdue" || code === "missed" ? "gap" : code}`] : [];
        });
        assertEquals(sent.toSorted(), expected.toSorted(), `at minute ${now}`);
        const coming = Object.values(models).flatMap((each) => each.pendingAt ?? []);
        const next = Math.max(mutedUntil, Math.min(...coming));
        assertEquals(desk.next(now, at(mutedUntil)), next === Infinity ? null : next);
        const open = desk.incidents.filter(({ resolved }) => resolved === null);
        const isRenewed = open.every((each) =>
          reasons.some((reason) => equal(each.reason, reason))
        );
        assert(isRenewed, `at minute ${now}`);
        const keys = open.map(({ family, subject }) => `${family} ${subject}`);
        assertEquals(new Set(keys).size, keys.length);
      }
    }),
    { numRuns: 300 },
  ));
