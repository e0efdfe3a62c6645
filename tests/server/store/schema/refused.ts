/** What makes a database, step by step, one that Docket refuses, and what it says then. */
const UNRELEASED = "it was made by an unreleased version of Docket; export its data with that " +
  "version, start with a new database, and import the data there";

export const REFUSED = [
  ["UPDATE schema_migrations SET digest = 'of other tables'", UNRELEASED],
  ["ALTER TABLE schema_migrations DROP COLUMN digest", UNRELEASED],
  ["INSERT INTO schema_migrations VALUES (100)", "newer version of Docket; start that version"],
  ["DROP TABLE schema_migrations", UNRELEASED],
  ["DROP TABLE file_sets", "it has tables of another application; give Docket a database of its"],
] as const;
