import { answerOperation } from "../../../../../../server/api/operations.ts";
import { operationAt } from "../../../../../../server/http/paths.ts";
import { handler } from "./$history.ts";

/** The interface's second operation in development; built, the entry answers it before any route. */
export const handlers = handler(({ req: request, url, state }) =>
  answerOperation({ ...state, request, url, operation: operationAt(url.pathname)! })
);
