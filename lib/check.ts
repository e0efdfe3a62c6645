/** Checks of arguments and options. */
import { ConfigurationError } from "./errors.ts";

/**
 * Makes the error for an argument or an option that can't be used. Its value is not repeated: it may
 * be long, or secret.
 *
 * @param parameter Its name, or the path to a part of it.
 * @param expected What is allowed, to be read after "must be".
 * @returns The error.
 */
export function parameterError(parameter: string, expected: string): ConfigurationError {
  return new ConfigurationError(parameter, `${parameter} must be ${expected}`);
}

/**
 * Checks an argument or an option.
 *
 * @param isGood Whether it can be used.
 * @param parameter Its name.
 * @param expected What is allowed, to be read after "must be".
 * @throws {ConfigurationError} When it can't be used.
 */
export function check(isGood: boolean, parameter: string, expected: string): asserts isGood {
  if (!isGood) throw parameterError(parameter, expected);
}

/**
 * Whether a value counts something.
 *
 * @param value The value.
 * @returns True for an integer from 0.
 */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Checks a number that counts something.
 *
 * @param parameter Its name.
 * @param count The number.
 * @param least The least that is allowed.
 * @throws {ConfigurationError} When it is no integer, or less.
 */
export function checkCount(parameter: string, count: number, least: number): void {
  check(isCount(count) && count >= least, parameter, `an integer of at least ${least}`);
}

/**
 * Checks a length of time.
 *
 * @param parameter Its name.
 * @param ms Milliseconds.
 * @throws {ConfigurationError} When no time is left by it.
 */
export function checkMs(parameter: string, ms: number): void {
  check(ms > 0, parameter, "greater than 0");
}

/**
 * Whether a text can be a developer token: something that a header can carry.
 *
 * @param text The text.
 * @returns True for printable ASCII without spaces.
 */
export function isTokenText(text: string): boolean {
  // A line break in a header's value would begin another header.
  return /^[!-~]+$/.test(text);
}

/**
 * Checks what is to be sent as a token.
 *
 * @param token The value.
 * @throws {ConfigurationError} When it is no text, or can't stand in a header.
 */
export function checkToken(token: unknown): asserts token is string {
  check(
    typeof token === "string" && isTokenText(token),
    "token",
    "printable ASCII text without spaces, a function that returns it, or null",
  );
}

/**
 * Whether a header carries a secret, by its name.
 *
 * @param name The name.
 * @returns True for names that sound secret.
 */
export function isSecretHeader(name: string): boolean {
  return /auth|cookie|key|secret|token/i.test(name);
}
