import { assert, assertEquals, assertMatch } from "@std/assert";
import denoConfig from "../deno.json" with { type: "json" };
import { runCommand } from "./processes.ts";
import { withFolder } from "./with_folder.ts";

const ROOT = new URL("..", import.meta.url);
const { version } = denoConfig;

Deno.test("release: one version everywhere, with a date, may be released, and nothing else", () =>
  withFolder(async (folder) => {
    for (const name of [".ci", "cli"]) await Deno.mkdir(`${folder}/${name}`);
    for (const name of [".ci/check_release", "deno.json"]) {
      await Deno.copyFile(new URL(name, ROOT), `${folder}/${name}`);
    }
    const date = "2026-01-31";
    const sound = {
      "CHANGELOG.md": `## [Unreleased]\n\n## [${version}] - ${date}\n\n### Added\n`,
      "cli/version.ts": await Deno.readTextFile(new URL("cli/version.ts", ROOT)),
    };
    const tag = `v${version}`;
    /** What is said of a tag where some files are changed. */
    const check = async (tag: string, changed: Readonly<Record<string, string>> = {}) => {
      for (const [name, text] of Object.entries({ ...sound, ...changed })) {
        await Deno.writeTextFile(`${folder}/${name}`, text);
      }
      const { code, out, err } = await runCommand(`${folder}/.ci/check_release`, { args: [tag] });
      return `${code} ${out}${err}`;
    };
    assertEquals(await check(tag), `0 ${tag} may be released\n`);
    for (const other of [version, `${tag}0`, "v", `${tag}-beta`]) {
      assertMatch(await check(other), /^1 .* is not v.*, the version in deno\.json/, other);
    }
    const changed = await check(tag, {
      "cli/version.ts": `export const VERSION = "${version}1";\n`,
    });
    assertMatch(changed, /^1 cli\/version\.ts has another VERSION than/);
    for (
      const name of ["[Unreleased]", `[${version}]`, `${version} - ${date}`, `[${version}] - soon`]
    ) {
      const undated = await check(tag, { "CHANGELOG.md": `## ${name}\n` });
      assertMatch(undated, /^1 CHANGELOG\.md has no section "## \[/, name);
    }
  }));

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
  }
});
