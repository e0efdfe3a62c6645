/** What makes a database, step by step, one that Docket refuses, and what it says then. */
const UNRELEASED = "it was made by an unreleased version of Docket; export its data with that " +
  "version, start with a new database, and import the data there";

export const REFUSED = [
  ["INSERT INTO schema_migrations VALUES (2, 'later')", "newer version of Docket; start that"],
  ["UPDATE schema_migrations SET digest = 'of other tables'", UNRELEASED],
  ["ALTER TABLE schema_migrations DROP COLUMN digest", UNRELEASED],
  ["DROP TABLE schema_migrations", UNRELEASED],
  ["DROP TABLE file_sets", "it has tables of another application; give Docket a database of its"],
] as const;
