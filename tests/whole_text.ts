import type { StreamedText } from "../server/http/text_response.ts";

/** The whole of a text that is made as it is sent. */
export async function wholeText({ pieces }: StreamedText): Promise<string> {
  return (await Array.fromAsync(pieces)).join("");
}
