/**
 * The two operations' HTTP inputs, read strictly at the border. What only the embedded service
 * refuses comes from its own check, so that one answer names every fault.
 *
 * @module
 */

import type { HistoryOptions, SearchOptions } from "../../lib/backend.ts";
import type { SearchBody } from "../../lib/types.ts";
import { isProblemError, throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { readJsonBody } from "../http/request_body.ts";
import { readNumbers } from "../http/request_query.ts";
import { readSearchBody } from "./search_body.ts";
import { wholeNumber } from "../config/whole_number.ts";

/** What a search request asks for. */
export interface SearchRequest {
  /** The search. */
  readonly body: SearchBody;
  /** The page. */
  readonly options: Pick<SearchOptions, "limit" | "offset">;
}

/** What a request for runs asks for. */
export interface HistoryRequest {
  /** The schedule. */
  readonly scheduleId: number;
  /** The part of its history. */
  readonly options: Pick<HistoryOptions, "limit" | "skip">;
}

/** Reads a search from a request. `check` names the issues that its backend would refuse. */
export async function readSearchRequest(
  request: Request,
  check?: (body: SearchBody, options: SearchRequest["options"]) => readonly ValidationIssue[],
  bodyTimeoutMs?: number,
): Promise<SearchRequest> {
  const issues: ValidationIssue[] = [];
  const query = new URL(request.url).searchParams;
  const options = readNumbers(query, { limit: 1, offset: 0 }, issues);
  const body = readSearchBody(await readJsonOrIssue(request, issues, bodyTimeoutMs), issues);
  throwIfInvalid(mergeIssues(issues, check?.(body, options) ?? []));
  return { body, options };
}

/** Reads a request for runs from its URL and the schedule id of its path. */
export function readHistoryRequest(
  url: URL,
  scheduleId: string,
  check?: (options: HistoryRequest["options"]) => readonly ValidationIssue[],
): HistoryRequest {
  const issues: ValidationIssue[] = [];
  const id = wholeNumber(scheduleId);
  if (id === null) {
    issues.push({ parameter: "scheduleId", detail: "must be a whole number within 2^53" });
  }
  const options = readNumbers(url.searchParams, { limit: 1, skip: 0 }, issues);
  throwIfInvalid(mergeIssues(issues, check?.(options) ?? []));
  return { scheduleId: id!, options };
}

/** A body that can't be read at all is one more fault, unless it has a status of its own. */
async function readJsonOrIssue(
  request: Request,
  issues: ValidationIssue[],
  timeoutMs: number | undefined,
): Promise<unknown> {
  try {
    return await readJsonBody(request, timeoutMs);
  } catch (error) {
    if (!isProblemError(error) || error.problem.status !== 400) throw error;
    issues.push({ pointer: "", detail: error.message });
    return {};
  }
}

/**
 * Both kinds of issues, each place once. In the body the reader is right, since it left faulty parts
 * out of what the backend checked; of a number, the backend knows the narrower range.
 */
function mergeIssues(
  read: readonly ValidationIssue[],
  checked: readonly ValidationIssue[],
): readonly ValidationIssue[] {
  const parameters = new Set(checked.map((fault) => fault.parameter));
  const isRead = ({ pointer }: ValidationIssue) =>
    pointer !== undefined && read.some((other) => isWithin(other.pointer, pointer));
  return [
    ...read.filter((fault) => fault.parameter === undefined || !parameters.has(fault.parameter)),
    ...checked.filter((fault) => !isRead(fault)),
  ];
}

function isWithin(outer: string | undefined, inner: string): boolean {
  return outer !== undefined && (inner === outer || inner.startsWith(`${outer}/`));
}
