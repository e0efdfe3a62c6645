/** A row as an engine returns it: its values, in the order of the selected columns. */
export type SqlRow = readonly unknown[];
