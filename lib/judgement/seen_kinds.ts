/** Learns on which nights and weekends a schedule runs, while it is young. */
import { DAY, HOUR, MINUTE } from "../time_units.ts";
import { weekdayOf } from "./plans/due_days.ts";

/** A schedule is young for this long: then enough weekends have passed to show whether it runs. */
const YOUNG = 21 * DAY;

/** Which kinds of slots were met while a schedule was young: plain JSON. */
export interface SeenKinds {
  /** When the first known run started; null if there is none. */
  readonly firstStart: number | null;
  /** Hours, by weekday if maybe on a weekend: when first met, the first and the last minute met. */
  readonly kinds: readonly (readonly [kind: number, since: number, first: number, last: number])[];
}

/** The slots of a plan, their local times, and the runs that met them, by index of the slot. */
interface PlanSlots {
  readonly slots: readonly number[];
  readonly locals: Float64Array;
  readonly runOf: ReadonlyMap<number, number>;
}

/** The kinds of slots that a young schedule has met, and the unmet slots to compare with them. */
export class YoungKinds<JudgedSlot extends { readonly at: number }> {
  readonly youngUntil: number;
  readonly #firstStart: number;
  readonly #met: Map<number, SeenKinds["kinds"][number]>;
  readonly #unmet = new Map<JudgedSlot, { readonly kind: number; readonly minute: number }>();

  constructor(seen: SeenKinds | undefined, firstStart: number = Infinity) {
    this.#firstStart = Math.min(seen?.firstStart ?? Infinity, firstStart);
    this.youngUntil = this.#firstStart + YOUNG;
    this.#met = new Map(seen?.kinds.map((met) => [met[0], met]));
  }

  addMet(at: number, local: number): void {
    const minute = local / MINUTE % 60;
    for (const kind of [hourOf(local), kindOf(at, local)]) {
      const [, since, first, last] = this.#met.get(kind) ?? [kind, at, minute, minute];
      this.#met.set(kind, [kind, since, Math.min(first, minute), Math.max(last, minute)]);
    }
  }

  /** Adds an unmet slot, unless the met slots around it already show that it was due. */
  addUnmet(judged: JudgedSlot, slot: number, plan: PlanSlots): void {
    if (isLoneMiss(slot, plan)) return;
    const local = plan.locals[slot];
    const kind = continuesDay(slot, plan) ? hourOf(local) : kindOf(judged.at, local);
    this.#unmet.set(judged, { kind, minute: local / MINUTE % 60 });
  }

  /** Which runs show that a slot was due; none, if that is not known yet. */
  evidenceOf(judged: JudgedSlot, now: number): "earlier" | "later" | "none" {
    const unmet = this.#unmet.get(judged);
    if (!unmet) return "earlier";
    const [, since = Infinity] = this.#isAtEdge(unmet) ? [] : this.#met.get(unmet.kind) ?? [];
    if (since < judged.at) return "earlier";
    return since === Infinity && now < this.youngUntil ? "none" : "later";
  }

  /** Whether a minute is outside those met in its hour, which may begin or end the planned day. */
  #isAtEdge({ kind, minute }: { readonly kind: number; readonly minute: number }): boolean {
    const [, , first, last] = this.#met.get(kind) ?? [kind, 0, 0, 59];
    const next = minute < first ? -1 : minute > last ? 1 : 0;
    return next !== 0 && !this.#met.has((kind + next + 24) % 24);
  }

  seenAt(now: number): SeenKinds {
    return {
      firstStart: this.#firstStart === Infinity ? null : this.#firstStart,
      kinds: now < this.youngUntil + YOUNG ? [...this.#met.values()].sort(([a], [b]) => a - b) : [],
    };
  }
}

/** The kind of a slot: its hour, with its weekday if it may be on a weekend anywhere. */
function kindOf(at: number, local: number): number {
  // Days begin first at 14 hours from UTC, and last at -12.
  const weekdays = [14 * HOUR, -12 * HOUR].map((offset) =>
    weekdayOf(Math.floor((at + offset) / DAY))
  );
  const isWeekend = weekdays.some((weekday) => weekday % 6 === 0);
  return isWeekend ? 24 * (1 + weekdayOf(Math.floor(local / DAY))) + hourOf(local) : hourOf(local);
}

function hourOf(local: number): number {
  return Math.floor(local / HOUR) % 24;
}

/** Whether a slot is a single miss between met ones that are too close for a night. */
export function isLoneMiss(slot: number, { slots, runOf }: PlanSlots): boolean {
  return runOf.has(slot - 1) && runOf.has(slot + 1) &&
    slots[slot + 1] - slots[slot - 1] < DAY / 2;
}

/** Whether the slot before was met shortly before, on the same day. */
export function continuesDay(slot: number, { slots, locals, runOf }: PlanSlots): boolean {
  const [before, day] = [locals[slot - 1], locals[slot]].map((local) => Math.floor(local / DAY));
  return runOf.has(slot - 1) && before === day && slots[slot] - slots[slot - 1] <= 2 * HOUR;
}
