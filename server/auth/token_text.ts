/** Whether a text can be a developer token: something that a header can carry. */
export function isTokenText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
