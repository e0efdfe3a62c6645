/** Rows as arrays of values, which take about half the room in a page or a response. */

/** Rows that share a list of fields. */
export interface PackedRows<Row> {
  readonly fields: readonly (keyof Row & string)[];
  readonly values: readonly (readonly unknown[])[];
}

/** Packs the given fields of rows. Missing values become null. */
export function packRows<Row>(
  rows: readonly Row[],
  fields: readonly (keyof Row & string)[],
): PackedRows<Row> {
  return { fields, values: rows.map((row) => fields.map((field) => row[field] ?? null)) };
}

/** Unpacks rows. */
export function unpackRows<Row>({ fields, values }: PackedRows<Row>): Row[] {
  return values.map((row) =>
    Object.fromEntries(fields.map((field, index) => [field, row[index]])) as Row
  );
}
