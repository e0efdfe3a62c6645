/** Text within HTML and XML. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML and XML, without the characters that XML does not allow. */
export function escapeMarkup(text: string): string {
  // deno-lint-ignore no-control-regex
  const possible = text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, " ");
  return possible.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}
