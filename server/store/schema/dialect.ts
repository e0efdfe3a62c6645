/** The differences between the engines' schemas. */
export interface Dialect {
  /** The type of a whole number of 64 bits. */
  readonly integer: string;
  /** The type of a text, which is sorted by code points. */
  readonly text: string;
  /** The type of a key that counts up by itself. */
  readonly key: string;
  /** What follows the columns of each table. */
  readonly options: string;
  /** The same for a table that is stored in the order of its key. */
  readonly clustered: string;
  /** The same for runs, which are stored by month where the engine can do that. */
  readonly monthly: string;
  /** The tables that only this engine has, or has in its own form, and its triggers. */
  readonly ownTables: string;
}
