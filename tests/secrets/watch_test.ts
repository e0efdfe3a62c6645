import { assertEquals } from "@std/assert";
import { createWatch } from "./watch.ts";

const TOKEN = 'planted+token/of "nobody" & 1';

function leaksIn(text: string, belongs?: readonly string[]): number {
  const watch = createWatch();
  watch.plant("token", TOKEN);
  watch.saw("a test", text, belongs);
  return watch.search().leaks.length;
}

Deno.test("watch: finds a secret however it is written", () => {
  const written = [
    TOKEN,
    TOKEN.toUpperCase(),
    encodeURIComponent(TOKEN),
    JSON.stringify({ TOKEN }),
    btoa(TOKEN),
    btoa(`a${TOKEN}`),
    btoa(`ab${TOKEN}`),
    btoa(`user:${TOKEN}`).replaceAll("+", "-").replaceAll("/", "_"),
    new TextEncoder().encode(TOKEN).toHex(),
    [...TOKEN].reverse().join(""),
    `cut off: ${TOKEN.slice(0, 15)}`,
  ];
  for (const text of written) assertEquals(leaksIn(`before ${text} after`), 1, text);
});

Deno.test("watch: finds nothing where nothing is", () => {
  assertEquals(leaksIn("planted by nobody"), 0);
  assertEquals(leaksIn(""), 0);
});

Deno.test("watch: a secret where it belongs is no leak, but found", () => {
  assertEquals(leaksIn(TOKEN, ["token"]), 0);
  assertEquals(leaksIn(TOKEN, ["another"]), 1);
  const watch = createWatch();
  watch.saw("a form", TOKEN, ["token"]);
  assertEquals(watch.search().belonging, []);
  watch.plant("token", TOKEN);
  assertEquals(watch.search().belonging, ["token"]);
});
