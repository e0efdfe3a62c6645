import { assert, assertEquals } from "@std/assert";

const ROOM = new URL("../../components/", import.meta.url);

/** What has to be a token: a length of more than a hairline, a weight in numbers, a colour. */
const FORBIDDEN = [
  /^(margin|padding|gap|row-gap|column-gap|border-radius|font)\b.*?(?<![\w.-])(?!1px)[\d.]+(px|r?em)\b/,
  /^font-weight: (?!var\(--w\d\)|inherit)/,
  /(?<![\w-])(#[\da-f]{3,8}|rgb\(|hsl\()/,
];

/** The style sheets in a folder and those below it, without their comments. */
function styleSheets(folder = ROOM): (readonly [name: string, text: string])[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return styleSheets(new URL(`${name}/`, folder));
    if (!name.endsWith(".css")) return [];
    const text = Deno.readTextFileSync(new URL(name, folder));
    return [[name, text.replaceAll(/\/\*.*?\*\//gs, "")] as const];
  });
}

Deno.test("style sheets: the build keeps digits of one width, which a font would reset", () => {
  const built = styleSheets(new URL("../../.output/public/", import.meta.url));
  const rules = built.flatMap(([, text]) => text.match(/\{[^{}]*tabular-nums[^{}]*\}/g) ?? []);
  assertEquals(rules.filter((rule) => /[{;]font:/.test(rule)), []);
  assert(rules.length > 0);
});

Deno.test("tokens.css: has six sizes of text, three weights, and no other sheet has its own", () => {
  const sheets = new Map(styleSheets());
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
