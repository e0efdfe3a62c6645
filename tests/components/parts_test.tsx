import { clockFromStart } from "../fixed_clock.ts";
import { assertWritten, describeMarkup } from "../page_text.ts";
import { PARTS } from "./parts.tsx";
import { htmlOf } from "./rendered.ts";

Deno.test("parts: each says and links to what is expected in every state", async () => {
  using _clock = clockFromStart();
  const texts: string[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    const [words, tags] = await describeMarkup(htmlOf(part, "Europe/Berlin"));
    texts.push(`# ${name}\n${words}\n\n${tags}\n`);
  }
  await assertWritten(new URL("parts.txt", import.meta.url), texts.join("\n"));
});
