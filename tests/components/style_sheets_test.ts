import { assert, assertEquals } from "@std/assert";

const ROOM = new URL("../../components/", import.meta.url);

/** What has to be a token: a length of more than a hairline, a weight in numbers, a colour. */
const FORBIDDEN = [
  /^(margin|padding|gap|row-gap|column-gap|border-radius|font)\b.*?(?<![\w.-])(?!1px)[\d.]+(px|r?em)\b/,
  /^font-weight: (?!var\(--w\d\)|inherit)/,
  /(?<![\w-])(#[\da-f]{3,8}|rgb\(|hsl\()/,
];

/** The style sheets, without their comments. */
function styleSheets(): ReadonlyMap<string, string> {
  const folders = [...Deno.readDirSync(ROOM)].map(({ name }) => new URL(`${name}/`, ROOM));
  const sheets = folders.flatMap((folder) =>
    [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".css"))
      .map(({ name }) => [name, Deno.readTextFileSync(new URL(name, folder))] as const)
  );
  return new Map(sheets.map(([name, text]) => [name, text.replaceAll(/\/\*.*?\*\//gs, "")]));
}

Deno.test("tokens.css: has six sizes of text, three weights, and no other sheet has its own", () => {
  const sheets = styleSheets();
  const tokens = [...sheets.get("tokens.css")!.matchAll(/--([a-z])\d:/g)].map(([, kind]) => kind);
  const count = (kind: string) => tokens.filter((token) => token === kind).length;
  assertEquals(["t", "w", "r"].map(count), [6, 3, 2]);
  assert(sheets.size > 4);
  for (const [name, text] of sheets) {
    if (name === "tokens.css") continue;
    const declarations = [...text.matchAll(/[\w-]+: [^;{}]+(?=;)/g)].map(([each]) => each);
    const own = declarations.filter((each) => FORBIDDEN.some((pattern) => pattern.test(each)));
    assertEquals(own, [], name);
  }
});
