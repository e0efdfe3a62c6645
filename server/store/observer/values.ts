/** Single values that all instances share: duties, counters, secrets of feeds. */
import type { Engine, TransactionStep } from "../engine.ts";
import type { Sql } from "../sql.ts";

const PUT = "INSERT INTO observer_values (name, number, text) VALUES (?, ?, ?) " +
  "ON CONFLICT (name) DO ";

export interface SharedValue {
  readonly name: string;
  readonly number: number;
  readonly text: string;
}

export function sharedValuesOn(engine: Engine) {
  async function find(name: string): Promise<readonly [number, string] | undefined> {
    const query = "SELECT number, text FROM observer_values WHERE name = ?";
    const rows = await engine.rows(query, [name]);
    return rows[0] as readonly [number, string] | undefined;
  }
  /** The values whose names begin with a prefix, by name. */
  async function beginningWith(prefix: string): Promise<readonly SharedValue[]> {
    const rows = await engine.rows(
      "SELECT name, number, text FROM observer_values WHERE name >= ? AND name < ? ORDER BY name",
      [prefix, `${prefix}\u{ffff}`],
    );
    return (rows as [string, number, string][])
      .map(([name, number, text]) => ({ name, number, text }));
  }
  return {
    number: async (name: string): Promise<number | undefined> => (await find(name))?.[0],
    text: async (name: string): Promise<string | undefined> => (await find(name))?.[1],
    beginningWith,
    /** Stores a text if there is none yet; returns the stored one. */
    async getOrStoreText(name: string, value: string): Promise<string> {
      await engine.rows(`${PUT}NOTHING`, [name, 0, value]);
      return (await find(name))![1];
    },
    async add(counts: ReadonlyMap<string, number>): Promise<void> {
      if (counts.size === 0) return;
      const update = "UPDATE SET number = observer_values.number + excluded.number";
      // Always in the same order, or two instances could wait for each other's locks.
      const names = [...counts.keys()].sort();
      await engine.transact(
        names.map((name) => ({ text: PUT + update, values: [name, counts.get(name)!, ""] })),
      );
    },
    /** Takes a duty that is due, also one whose time is from before a clock was put back. */
    async takeDuty(name: string, now: number, next: number): Promise<boolean> {
      // Read first: mostly it is not due, and reading takes no lock.
      const due = (await find(`duty/${name}`))?.[0] ?? 0;
      const latest = next + (next - now);
      if (due > now && due <= latest) return false;
      const text = `${PUT}UPDATE SET number = excluded.number WHERE observer_values.number <= ? ` +
        "OR observer_values.number > ? RETURNING name";
      return (await engine.rows(text, [`duty/${name}`, next, "", now, latest])).length > 0;
    },
  };
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

/** Replaces a value, or null for none. Required: another instance may have replaced it. */
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
  const update = "UPDATE SET number = excluded.number, text = excluded.text";
  return { text: PUT + update, values: [name, number, text] };
}
