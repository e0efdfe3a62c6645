import { pooledMap } from "@std/async/pool";

/** Works on all items, at most `atOnce` of them at a time; the results have the items' order. */
export function pooled<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  return Array.fromAsync<Result>(pooledMap(atOnce, items, work));
}
