/** The examples of the documentation, which tests run. */

const ROOT = new URL("../../", import.meta.url);

/** The examples in a source's comments, or in a file of documentation. */
export function examplesIn(path: string): { readonly place: string; readonly code: string }[] {
  const url = new URL(path, ROOT);
  const text = Deno.readTextFileSync(url);
  const examples = text.matchAll(/^( *\* |)```ts\n([^]*?)^\1```$/gm);
  return [...examples].map(({ index, 1: margin, 2: code }) => ({
    place: `${path}:${text.slice(0, index).split("\n").length}`,
    code: code.split("\n").map((line) => line.slice(margin.length)).join("\n")
      // A few import what is beside them and not exported.
      .replace(/(?<=from ")\.[^"]+/g, (beside) => new URL(beside, url).href),
  }));
}
