import { assert, assertEquals, assertMatch } from "@std/assert";
import denoConfig from "../deno.json" with { type: "json" };
import { runCommand } from "./processes.ts";
import { withFolder } from "./with_folder.ts";

const ROOT = new URL("..", import.meta.url);
const { version } = denoConfig;

/** Asks whether a tag may be released, of a copy of what counts for that with some files changed. */
async function checkRelease(
  tag: string,
  changed: Readonly<Record<string, string>> = {},
): Promise<{ code: number; text: string }> {
  return await withFolder(async (folder) => {
    for (const name of [".ci", "cli"]) await Deno.mkdir(`${folder}/${name}`);
    for (const name of [".ci/check_release", "deno.json", "cli/version.ts"]) {
      await Deno.copyFile(new URL(name, ROOT), `${folder}/${name}`);
    }
    for (const [name, text] of Object.entries({ "CHANGELOG.md": RELEASED, ...changed })) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const { code, out, err } = await runCommand(`${folder}/.ci/check_release`, { args: [tag] });
    return { code, text: out + err };
  });
}

const RELEASED = `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-01-31\n\n### Added\n`;

Deno.test("release: one version everywhere, with a date, may be released, and nothing else", async () => {
  const tag = `v${version}`;
  const good = { code: 0, text: `${tag} may be released\n` };
  assertEquals(await checkRelease(tag), good);
  for (const other of [version, `${tag}0`, "v", `${tag}-beta`]) {
    const { code, text } = await checkRelease(other);
    assertEquals([other, code], [other, 1]);
    assertMatch(text, /is not v.*, the version in deno\.json/);
  }
  const undated = [
    "[Unreleased]",
    `[${version}]`,
    `${version} - 2026-01-31`,
    `[${version}] - soon`,
  ];
  const files = [
    ["cli/version.ts", `export const VERSION = "${version}1";\n`, "has another VERSION than"],
    ...undated.map((heading) =>
      ["CHANGELOG.md", `## ${heading}\n`, 'has no section "## ['] as const
    ),
  ] as const;
  for (const [name, changed, words] of files) {
    const { code, text } = await checkRelease(tag, { [name]: changed });
    assertEquals([changed, code], [changed, 1]);
    assert(text.startsWith(`${name} ${words}`), text);
  }
});

Deno.test("CHANGELOG: lists unreleased changes, then each version once with its date, newest first", async () => {
  const text = await Deno.readTextFile(new URL("CHANGELOG.md", ROOT));
  const [unreleased, ...released] = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  assertEquals(unreleased, "[Unreleased]");
  for (const heading of released) assertMatch(heading, /^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  const inOrder = released.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
  assertEquals(released, [...new Set(inOrder)]);
});

Deno.test("workflows: each action is pinned to a commit, and what may be done is least", async () => {
  const folder = new URL(".github/workflows/", ROOT);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  assertEquals(names.sort(), ["release.yml", "test.yml"]);
  for (const name of names) {
    const text = await Deno.readTextFile(new URL(name, folder));
    const actions = [...text.matchAll(/uses: (.+)/g)];
    assert(actions.length > 0, name);
    for (const [, action] of actions) {
      assertMatch(action, /^[\w./-]+@[0-9a-f]{40} # v\d/, name);
    }
    assertMatch(text, /^permissions:\n {2}contents: read\n\n/m);
    const granted = [...text.matchAll(/^ +([\w-]+): write$/gm)].map(([, permission]) => permission);
    assertEquals(granted, name === "release.yml" ? ["id-token"] : [], name);
    for (const [, script] of text.matchAll(/run: (\.ci\/\w+)/g)) {
      assert(Deno.statSync(new URL(script, ROOT)).mode! & 0o100, script);
    }
  }
});
