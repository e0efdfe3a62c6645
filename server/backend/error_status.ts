/** The HTTP status that a backend's error stands for. */
import { isDocketError } from "../../lib/errors.ts";

/** The status of a service's answer, upstream or embedded; null if the error is not an answer. */
export function errorStatus(error: unknown): number | null {
  if (isDocketError(error)) return error.kind === "http" ? error.status : null;
  const { status } = (error as { problem?: { status?: unknown } }).problem ?? {};
  return typeof status === "number" ? status : null;
}
