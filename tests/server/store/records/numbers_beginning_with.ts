import type { ObserverRecords } from "../../../../server/store/records/observer_records.ts";

/** The numbers of the shared values whose names begin with a prefix. */
export async function numbersBeginningWith(
  { values }: Pick<ObserverRecords, "values">,
  prefix: string,
): Promise<ReadonlyMap<string, number>> {
  return new Map((await values.beginningWith(prefix)).map(({ name, number }) => [name, number]));
}
