import { conditionalJsonResponse } from "../../../../../../server/http/json_response.ts";
import { readHistoryRequest } from "../../../../../../server/api/search_request.ts";
import { handler } from "./$history.ts";

/** The interface's second operation: a part of one schedule's history, as a bare array. */
export const handlers = handler({
  async GET(ctx) {
    const { backend, json, services } = ctx.state;
    const { scheduleId, options } = readHistoryRequest(
      ctx.url,
      ctx.params.scheduleId,
      services.store?.historyIssues,
    );
    const { signal } = ctx.req;
    return conditionalJsonResponse(
      ctx.req,
      await (json ?? backend).reportSchedules.history(scheduleId, { ...options, signal }),
    );
  },
});
