/** What a walk remembers of the rows it has read, to recognise them when they come again. */

type Id = string | number;

/** Takes in the ids of a page, and returns for each row whether it is new. */
export type Memory = (ids: readonly Id[]) => readonly boolean[];

/**
 * Remembers every row, for a walk by row: no row is emitted twice. `last` are the rows that an
 * earlier walk emitted last.
 */
export function rememberAll(last: readonly Id[]): Memory {
  const known = new Set(last);
  return (ids) => ids.map((id) => addTo(known, id));
}

/**
 * Remembers the last row, and the first row of each page, for a walk by page: enough to notice rows
 * that moved and pages that come again, at hardly any cost. `last` are the rows that an earlier
 * walk emitted last.
 */
export function rememberEdges(last: readonly Id[]): Memory {
  const firstIds = new Set<Id>();
  let previous = last.at(-1);
  return (ids) => {
    // All rows up to the one that was last have been read, unless the order changed.
    const until = ids.lastIndexOf(previous!);
    const known = !addTo(firstIds, ids[0]) && until < 0 ? ids.length : until + 1;
    previous = ids.at(-1) ?? previous;
    return Array(ids.length).fill(true).fill(false, 0, known);
  };
}

function addTo(known: Set<Id>, id: Id): boolean {
  const before = known.size;
  return known.add(id).size > before;
}
