/** Rows as objects, whose properties are named like the columns: `schedule_id` is `scheduleId`. */

/** The rows whose values stand in arrays, in the order of these columns. */
export function toRows<Row>(
  columns: readonly string[],
  arrays: readonly (readonly unknown[])[],
): readonly Row[] {
  const names = columns.map(toPropertyName);
  return arrays.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [at, name] of names.entries()) row[name] = values[at];
    return row as Row;
  });
}

function toPropertyName(column: string): string {
  return column.replace(/_[a-z]/g, ([, letter]) => letter.toUpperCase());
}
