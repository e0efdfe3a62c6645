import { answerOperation } from "../../../../server/api/operations.ts";
import { operationAt } from "../../../../server/http/paths.ts";
import { handler } from "./$[...path].ts";

/** Only for development: in a build, `server/program/entry.ts` answers the API before any route. */
export const handlers = handler(({ req: request, url, state }) =>
  answerOperation({ ...state, request, url, operation: operationAt(url.pathname)! })
);
