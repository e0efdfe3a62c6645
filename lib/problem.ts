/**
 * Problem documents (RFC 9457) in the bodies of bad answers.
 *
 * @module
 */

import type { Problem, ProblemFault } from "./errors.ts";

/** What a body says about a problem. */
export interface ProblemBody {
  /** The problem document, when the body is one. */
  readonly problem?: Problem;
  /** The request's id, when the body has it. */
  readonly requestId?: string;
}

/**
 * Reads a problem document leniently: whatever is of another type is left out.
 *
 * @param text The body.
 * @returns What it says; nothing when it is no problem document.
 */
export function readProblem(text: string): ProblemBody {
  try {
    const body = JSON.parse(text);
    const texts = pick(body, "title", "detail");
    const errors = (Array.isArray(body.errors) ? body.errors : [])
      .map((fault: unknown) => pick(fault, "pointer", "parameter", "detail"))
      .filter((fault: Partial<ProblemFault>) => fault.detail !== undefined);
    if (errors.length === 0 && Object.keys(texts).length === 0) return {};
    return { problem: { ...texts, errors }, ...pick(body, "requestId") };
  } catch {
    return {};
  }
}

/** The members of a value that are texts. */
function pick(value: unknown, ...names: readonly string[]): Record<string, string> {
  const given = Object(value) as Record<string, unknown>;
  return Object.fromEntries(
    names.flatMap((name) => typeof given[name] === "string" ? [[name, given[name]]] : []),
  );
}
