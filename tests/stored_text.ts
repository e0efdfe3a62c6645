/** Texts that tests compare with a file, so that a change of them is read as a diff. */
import { assertEquals } from "@std/assert";

/** Compares a text with its file, or writes the file. */
export async function assertStored(text: string, file: URL, what: string): Promise<void> {
  if (Deno.env.get("DOCKET_STORY_PAGES") === "renew") await Deno.writeTextFile(file, text);
  // Line by line, as the difference alone counts.
  assertEquals(
    text.split("\n"),
    (await Deno.readTextFile(file)).split("\n"),
    `${what}: see deno task story-pages`,
  );
}
