import { answerOperation } from "../../../../../server/api/operations.ts";
import { operationAt } from "../../../../../server/http/paths.ts";
import { handler } from "./$search.ts";

/** The interface's first operation in development; built, the entry answers it before any route. */
export const handlers = handler(({ req: request, url, state }) =>
  answerOperation({ ...state, request, url, operation: operationAt(url.pathname)! })
);
