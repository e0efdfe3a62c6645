/** The differences between the engines' schemas. */
export interface Dialect {
  readonly integer: string;
  /** The type of a text, which is sorted by code points. */
  readonly text: string;
  /** The type of an automatically increasing key. */
  readonly key: string;
  /** What follows the columns of each table. */
  readonly options: string;
  /** Follows the columns of a table that is stored in the order of its key. */
  readonly clustered: string;
  /** Follows the columns of runs, which PostgreSQL partitions by month. */
  readonly monthly: string;
  /** Tables that only this engine has, or that differ between the engines. */
  readonly ownTables: string;
  /** Lets all fields of file sets but the id be missing. */
  readonly fieldsMayBeMissing: string;
  /** How JSON in a column of texts is read, made and merged. */
  readonly json: {
    readonly column: (name: string) => string;
    readonly object: string;
    readonly array: string;
    /** The members of both; the second one's replace the first one's. Gives a text or JSON. */
    readonly merge: (first: string, second: string) => string;
  };
}
