/** Notices that the next page shows once. */
import { leaveNotice } from "../../server/http/cookies.ts";

/** The notices by code. The notice of an ended watch is not here, as it has a button. */
export const NOTICES = {
  "schedules-added": "The schedules of the file are taken over, and read next.",
  "saved-plan": "The plan is saved and confirmed.",
  "saved-inferred": "The inferred plan is used again.",
  "saved-statuses": "The status meanings are saved.",
  "saved-preferences": "Your preferences are saved in this browser.",
  "delivery-test": "The test will be sent shortly.",
  "delivery-replay": "It will be sent again shortly.",
  "saved-owner": "The owner is saved.",
  "removed-owner": "The owner is removed. Its open incidents go to the default outlets.",
  "saved-calendar": "The calendar is saved. Schedules are judged by it within a round.",
  "removed-calendar": "The calendar is removed.",
  "decided": "Recorded. The schedules are judged again shortly.",
  "leavers-noted":
    "The list is taken over. Who left and received reports afterwards is listed below.",
  "leavers-cleared": "Nobody counts as having left any more.",
  "renewed-feed": "The old link no longer works.",
} as const;

export function redirectWithNotice(
  ctx: {
    redirect(to: string, status: 303): Response;
    readonly state: { readonly origin: string };
  },
  to: string,
  code: keyof typeof NOTICES | `unwatched-${number}`,
): Response {
  const response = ctx.redirect(to, 303);
  leaveNotice(response.headers, code, ctx.state.origin);
  return response;
}
