import { assertEquals } from "@std/assert";
import { CodeTexts, scriptOf } from "../../../components/export/code_texts.tsx";
import { htmlOf, textsOf } from "../rendered.ts";

Deno.test("CodeTexts: shows the link, curl and script, without the token", () => {
  const html = htmlOf(<CodeTexts code={{ link: "/a?b", curl: "curl 'a'", script: "import 1" }} />);
  assertEquals(textsOf(html, "h2"), ["Link Copy Link", "curl Copy curl", "Script Copy Script"]);
  assertEquals(textsOf(html, "pre"), ["/a?b", "curl 'a'", "import 1"]);
  assertEquals(textsOf(html, "p"), [
    "The token is not included. Set DOCKET_TOKEN in your environment.",
  ]);
});

Deno.test("scriptOf: writes a complete script, with another token's header", () => {
  const origin = "https://docket.example";
  assertEquals(
    scriptOf({ origin, tokenHeader: "X-SERVICE-Developer-Token" }, "// loop"),
    `import { createClient } from "jsr:@docket/docket";

const client = createClient({
  baseUrl: "https://docket.example",
  token: Deno.env.get("DOCKET_TOKEN")!,
});

// loop
`,
  );
  const other = scriptOf({ origin, tokenHeader: 'X-"T"' }, "", ["csvStream"]);
  assertEquals(
    other.split("\n")[0],
    'import { createClient, csvStream } from "jsr:@docket/docket";',
  );
  assertEquals(other.split("\n")[5], '  tokenHeader: "X-\\"T\\"",');
});
