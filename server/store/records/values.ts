/** Single values that all instances share: duties and counters. */
import type { Engine, TransactionStep } from "../engine.ts";
import type { Sql } from "../sql.ts";
import { recordsOf, select, upsert } from "./table.ts";

interface SharedValue {
  readonly name: string;
  readonly number: number;
  readonly text: string;
}

const VALUES = recordsOf<SharedValue>("observer_values", "name, number, text");
const PUT = "INSERT INTO observer_values (name, number, text) VALUES (?, ?, ?) " +
  "ON CONFLICT (name) DO ";

export function sharedValuesOn(engine: Engine) {
  const find = async (name: string): Promise<SharedValue | undefined> =>
    (await select(engine, VALUES, "WHERE name = ?", [name]))[0];
  return {
    number: async (name: string): Promise<number | undefined> => (await find(name))?.number,
    text: async (name: string): Promise<string | undefined> => (await find(name))?.text,
    beginningWith: (prefix: string): Promise<readonly SharedValue[]> =>
      select(engine, VALUES, "WHERE name >= ? AND name < ? ORDER BY name", [
        prefix,
        `${prefix}\u{ffff}`,
      ]),
    /** Stores a text if there is none yet; returns the stored one. */
    async getOrStoreText(name: string, value: string): Promise<string> {
      await engine.rows(`${PUT}NOTHING`, [name, 0, value]);
      return (await find(name))!.text;
    },
    async add(counts: ReadonlyMap<string, number>): Promise<void> {
      if (counts.size === 0) return;
      // In a fixed order, because two instances could otherwise wait for each other's locks.
      const names = [...counts.keys()].sort();
      await engine.transact(names.map((name) => addNumber(name, counts.get(name)!)));
    },
    /** Claims a duty that is due, or whose time was stored before a clock was set back. */
    async claimDuty(name: string, now: number, next: number): Promise<boolean> {
      // Reads first, which takes no lock: usually the duty is not due.
      const due = (await find(`duty/${name}`))?.number ?? 0;
      const latest = next + (next - now);
      if (due > now && due <= latest) return false;
      const text = `${PUT}UPDATE SET number = excluded.number WHERE observer_values.number <= ? ` +
        "OR observer_values.number > ? RETURNING name";
      return (await engine.rows(text, [`duty/${name}`, next, "", now, latest])).length > 0;
    },
  };
}

export function addNumber(name: string, count: number): Sql {
  const text = `${PUT}UPDATE SET number = observer_values.number + excluded.number`;
  return { text, values: [name, count, ""] };
}

export function setNumber(name: string, value: number): Sql {
  return setShared(name, value, "");
}

export function setText(name: string, value: string): Sql {
  return setShared(name, 0, value);
}

export function removeValue(name: string): Sql {
  return { text: "DELETE FROM observer_values WHERE name = ?", values: [name] };
}

/** Replaces a value; `before` is null if there is none. Required, because it may have changed. */
export function replaceText(
  name: string,
  before: Omit<SharedValue, "name"> | null,
  { number, text }: Omit<SharedValue, "name">,
): TransactionStep {
  const update = before
    ? "UPDATE SET number = excluded.number, text = excluded.text " +
      "WHERE observer_values.number = ? AND observer_values.text = ?"
    : "NOTHING";
  return {
    text: `${PUT}${update} RETURNING name`,
    values: [name, number, text, ...before ? [before.number, before.text] : []],
    required: true,
  };
}

export function setShared(name: string, number: number, text: string): Sql {
  return upsert("observer_values", { name, number, text }, "name");
}
