import { escape } from "@std/html/entities";

/** Escapes text for HTML and XML, without the characters that XML does not allow. */
export function escapeMarkup(text: string): string {
  // deno-lint-ignore no-control-regex
  return escape(text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, " "));
}
