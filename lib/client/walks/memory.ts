/** What a walk remembers of the rows it has read, to recognise them when they come again. */

type Id = string | number;

/** Takes in the ids of a page, and tells for each row whether it is new. */
export type Memory = (ids: readonly Id[]) => readonly boolean[];

/**
 * Takes in an id.
 *
 * @returns Whether it is new.
 */
export type AddId = (id: string | number) => boolean;

/**
 * Remembers every row, for a walk by row: no row is emitted twice. The memory begins with the rows
 * that an earlier walk emitted last.
 */
export function rememberAll(add: AddId = plainIdSet()): (last: readonly Id[]) => Memory {
  return (last) => {
    last.forEach((id) => add(id));
    return (ids) => ids.map((id) => add(id));
  };
}

function plainIdSet(): AddId {
  const ids = new Set<Id>();
  return (id) => {
    const before = ids.size;
    return ids.add(id).size > before;
  };
}

/**
 * Remembers the last row, and the first row of each page, for a walk by page: enough to notice rows
 * that moved and pages that come again, at hardly any cost. `last` are the rows that an earlier
 * walk emitted last.
 */
export function rememberEdges(last: readonly Id[]): Memory {
  const addFirst = plainIdSet();
  let previous = last.at(-1);
  return (ids) => {
    // Whatever stands before the row that was last has been read, unless the order changed.
    const until = ids.lastIndexOf(previous!);
    const known = !addFirst(ids[0]) && until < 0 ? ids.length : until + 1;
    previous = ids.at(-1) ?? previous;
    return Array(ids.length).fill(true).fill(false, 0, known);
  };
}
