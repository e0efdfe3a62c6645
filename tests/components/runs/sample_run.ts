import type { ReportRun } from "../../../lib/types.ts";

/** A run with every field but recipients. */
export const sampleRun: ReportRun = {
  id: 12,
  reportId: 3,
  reportTitle: "Open claims",
  reportSubject: "Claims of today",
  startTime: "2026-01-31T05:30:07.000Z",
  endTime: "2026-01-31T05:32:12Z",
  automated: true,
  cardCount: 1200,
  attachmentCount: 0,
  attachmentSize: 0,
  emailSize: 1_400_000,
  status: "success",
  ownerId: 77,
  recipientCount: 3,
  resourceType: "page",
  resourceId: 5,
  resourceName: "Claims",
};
