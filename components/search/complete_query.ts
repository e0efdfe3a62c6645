/** Lets the browser complete the last word of the query; by itself, it completes only the first. */
export function completeQuery({ target }: Event): void {
  const { id, value, list } = target as HTMLInputElement;
  if (id !== "q" || !list) return;
  const before = /^(?:[^\s"]|"[^"]*"|\s)*[\s]-?|^-?/.exec(value)![0];
  for (const option of (list as HTMLDataListElement).options) {
    option.dataset.word ??= option.value;
    option.value = before + option.dataset.word;
  }
}
