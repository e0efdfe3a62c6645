import { clockFromStart } from "../fixed_clock.ts";
import { assertWritten, describeMarkup } from "../page_text.ts";
import { PARTS } from "./parts.tsx";
import { htmlOf } from "./rendered.ts";

Deno.test("parts: each says and links to what is expected in every state", async () => {
  using _clock = clockFromStart();
  const seen = new Set<string>();
  const texts: string[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    const [words, all] = await describeMarkup(htmlOf(part, "Europe/Berlin"));
    // What a part before it has is not listed again.
    const tags = all.split("\n").filter((tag) => !seen.has(tag));
    for (const tag of tags) seen.add(tag);
    texts.push(`# ${name}\n${words}\n\n${tags.join("\n")}\n`);
  }
  await assertWritten(new URL("parts.txt", import.meta.url), texts.join("\n"));
});
