/** Values per statement or transaction, unless the caller says otherwise. */
const CHUNK = 500;

export function inChunks<Value>(values: Iterable<Value>, size = CHUNK): Value[][] {
  const all = [...values];
  return Array.from(
    { length: Math.ceil(all.length / size) },
    (_, at) => all.slice(at * size, (at + 1) * size),
  );
}
