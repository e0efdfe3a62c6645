/** People who left, from lists of leavers or of staff. */
import type { Engine } from "../engine.ts";
import { inChunks } from "./chunks.ts";
import { leftStep } from "./receipts.ts";
import type { LedgerSource } from "./source.ts";
import { judgeAgain } from "./judge_again.ts";
import { placeholders } from "../sql.ts";

export interface Leaver {
  readonly userId: number | null;
  /** In lower case. */
  readonly address: string | null;
  /** The end of the last day, in milliseconds since 1970. */
  readonly leftAt: number;
}

export function leaversOn(engine: Engine, source: LedgerSource) {
  return {
    async count(): Promise<number> {
      return (await engine.rows("SELECT count(*) FROM leavers"))[0][0] as number;
    },
    /** Stores leavers; a date in a later list replaces an earlier one. */
    async add(leavers: readonly Leaver[], now: number): Promise<void> {
      for (const chunk of inChunks(leavers, 200)) {
        for (const column of ["user_id", "address"] as const) {
          const leftAtOf = new Map(
            chunk.flatMap((leaver) => {
              const value = column === "user_id" ? leaver.userId : leaver.address;
              return value === null ? [] : [[value, leaver.leftAt] as const];
            }),
          );
          if (leftAtOf.size === 0) continue;
          await engine.rows(
            `INSERT INTO leavers (${column}, left_at, added_at) VALUES ` +
              [...leftAtOf].map(() => "(?, ?, ?)").join(", ") +
              ` ON CONFLICT (${column}) DO UPDATE SET left_at = excluded.left_at`,
            [...leftAtOf].flatMap(([value, leftAt]) => [value, leftAt, now]),
          );
          const people = await engine.rows(
            `SELECT DISTINCT person_id FROM recipients WHERE ${column} IN ` +
              `(${placeholders([...leftAtOf.keys()])}) AND person_id IS NOT NULL`,
            [...leftAtOf.keys()],
          );
          for (const ids of inChunks(people.map(([id]) => id as number))) {
            const text = "schedule_id IN (SELECT schedule_id FROM receipts " +
              `WHERE person_id IN (${placeholders(ids)}))`;
            await engine.transact([leftStep(ids), ...judgeAgain({ text, values: ids }, now)]);
          }
        }
      }
    },
    /** The watched schedules whose newest run is owned by somebody who left. */
    async ownedSchedules(now: number): Promise<ReadonlySet<number>> {
      const text = "SELECT schedule_id FROM watches WHERE owner_id IN " +
        "(SELECT user_id FROM leavers WHERE left_at <= ? " +
        "UNION SELECT user_id FROM people WHERE source = ? AND left_at <= ?)";
      return new Set((await engine.rows(text, [now, source, now])).map(([id]) => id as number));
    },
    async clear(): Promise<void> {
      await engine.transact([
        { text: "DELETE FROM leavers", values: [] },
        { text: "UPDATE people SET left_at = NULL WHERE left_at IS NOT NULL", values: [] },
      ]);
    },
    /** The people at these domains who receive something and are not on the list of staff. */
    async missingFrom(
      staff: { readonly userIds: ReadonlySet<number>; readonly addresses: ReadonlySet<string> },
      home: readonly string[],
      leftAt: number,
    ): Promise<readonly Leaver[]> {
      const rows = await engine.rows(
        "SELECT people.id, recipients.user_id, recipients.address FROM people JOIN recipients " +
          "ON recipients.person_id = people.id WHERE people.source = ? AND people.receiving > 0 " +
          `AND people.domain IN (${placeholders(home)})`,
        [source, ...home],
      ) as [number, number | null, string | null][];
      const employed = new Set(
        rows.filter(([, userId, address]) =>
          staff.userIds.has(userId!) || staff.addresses.has(address!)
        ).map(([id]) => id),
      );
      return rows.filter(([id]) => !employed.has(id))
        .map(([, userId, address]) => ({
          userId,
          address: userId === null ? address : null,
          leftAt,
        }));
    },
  };
}
