import { getCookies } from "@std/http/cookie";
import { wholeNumber } from "./whole_number.ts";

/** A request's cookies by name. One that is malformed, set by whomever, does not hide the others. */
export function cookiesOf(headers: Headers): Readonly<Record<string, string>> {
  const pairs = headers.get("cookie")?.split(";") ?? [];
  return Object.assign({}, ...pairs.map(readPair));
}

/** The ids in a cookie's text, with dots between, each once; what is none is left out. */
export function readIds(text: string): number[] {
  const numbers = text.split(".").map(wholeNumber).filter((number) => number !== null);
  return [...new Set(numbers.filter((number) => number >= 0))];
}

function readPair(cookie: string): Record<string, string> {
  try {
    return getCookies(new Headers({ cookie: cookie.trim() }));
  } catch {
    return {};
  }
}
