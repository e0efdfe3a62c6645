/** Works on all items, at most so many at once; the results have the items' order. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  async function workOn() {
    for (const [at, item] of waiting) results[at] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOn));
  return results;
}
