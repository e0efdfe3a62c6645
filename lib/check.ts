import { ConfigurationError } from "./errors.ts";

/** The error for an invalid argument, without its value, which may be long or secret. */
export function parameterError(parameter: string, expected: string): ConfigurationError {
  return new ConfigurationError(parameter, `${parameter} must be ${expected}`);
}

/** Throws a ConfigurationError unless an argument is valid; `expected` follows "must be". */
export function check(isValid: boolean, parameter: string, expected: string): asserts isValid {
  if (!isValid) throw parameterError(parameter, expected);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function checkCount(parameter: string, count: number, least: number): void {
  const expected = `an integer from ${least} to ${Number.MAX_SAFE_INTEGER}`;
  check(isCount(count) && count >= least, parameter, expected);
}

export function checkMs(parameter: string, ms: number): void {
  check(ms > 0, parameter, "greater than 0");
}

/** Whether a header can carry a text as a token: printable ASCII without spaces. */
export function isTokenText(text: string): boolean {
  // A line break in a header's value would begin another header.
  return /^[!-~]+$/.test(text);
}

/** Throws a ConfigurationError if an option has no value, such as that of an unset variable. */
export function checkPresent(parameter: string, isPresent: boolean): void {
  if (!isPresent) throw new ConfigurationError(parameter, `${parameter} is missing`);
}

export function checkToken(token: unknown): asserts token is string {
  checkPresent("token", token !== undefined && token !== "");
  check(
    typeof token === "string" && isTokenText(token),
    "token",
    "printable ASCII text without spaces, a function that returns it, or null",
  );
}

/** Whether a header carries a secret, judged by its name. */
export function isSecretHeader(name: string): boolean {
  return /auth|cookie|key|secret|token/i.test(name);
}
