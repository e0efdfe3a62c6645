import { HttpError } from "fresh/errors";
import { openApi } from "../../../server/api/openapi.ts";
import { handler } from "./$[document].ts";

/**
 * The interface in OpenAPI, at `/api/openapi.json`, for everyone. The path is a parameter because a
 * route's own name can't end in `.json`.
 */
export const handlers = handler({
  GET(ctx) {
    if (ctx.params.document !== "openapi.json") throw new HttpError(404);
    const { origin, services } = ctx.state;
    const tokenHeader = services.settings.serviceTokenHeader;
    return Response.json(openApi({ origin, tokenHeader }));
  },
});
