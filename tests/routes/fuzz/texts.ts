/** Nonsense of many kinds, for the fuzz tests. */
import fc from "fast-check";
import { anyText } from "../../any_text.ts";

/** Texts that are seldom meant well. */
export const junk = fc.oneof(
  anyText(30),
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "\u202e",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "NaN",
    "1e309",
    "-0",
    "9".repeat(400),
    "../../etc/passwd",
    "$'$`$&",
    "</script><script>alert(1)</script>",
    "'; DROP TABLE file_sets; --",
    "{{7*7}}",
    "%s%n",
    "\r\nset-cookie: a=b",
    "\u{1f600}".repeat(50),
    "x".repeat(5000),
  ),
);
