import { assertEquals } from "@std/assert";
import { Window } from "happy-dom";
import { clockFromStart } from "../fixed_clock.ts";
import { linesOf, tagsOf } from "../page_text.ts";
import { PARTS } from "./parts.tsx";
import { htmlOf } from "./rendered.ts";

const FILE = new URL("parts.txt", import.meta.url);

Deno.test("parts: each says and links to what is expected in every state", async () => {
  using _clock = clockFromStart();
  const window = new Window();
  const seen = new Set<string>();
  const texts = Object.entries(PARTS).map(([name, part]) => {
    window.document.body.innerHTML = htmlOf(part, "Europe/Berlin");
    const body = window.document.body as unknown as Element;
    // What a part before it has is not listed again.
    const tags = tagsOf(body).split("\n").filter((tag) => !seen.has(tag));
    for (const tag of tags) seen.add(tag);
    return `# ${name}\n${linesOf(body)}\n\n${tags.join("\n")}\n`;
  });
  await window.happyDOM.close();
  const text = texts.join("\n");
  if (Deno.env.get("DOCKET_STORY_PAGES") === "renew") await Deno.writeTextFile(FILE, text);
  assertEquals(
    text.split("\n"),
    (await Deno.readTextFile(FILE)).split("\n"),
    "see deno task story-pages",
  );
});
