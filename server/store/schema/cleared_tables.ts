/** The tables that hold the service's data, and what was read or concluded from it. */
export const CLEARED_TABLES: readonly string[] = [
  "file_sets",
  "schedules",
  "notes",
  "verdicts",
  "run_versions",
  "receipts",
  "uncounted",
  "recipient_set_members",
  "recipient_sets",
  "recipients",
  "people",
  "reports",
  "recipient_decisions",
];
