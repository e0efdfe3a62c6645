import { assert, assertEquals, assertMatch } from "@std/assert";
import denoConfig from "../deno.json" with { type: "json" };

const ROOT = new URL("..", import.meta.url);
const { version } = denoConfig;

async function checkRelease(...args: string[]): Promise<{ code: number; text: string }> {
  const command = new Deno.Command(".ci/check_release", { args, cwd: ROOT });
  const { code, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test("release: the version in deno.json is semantic, and its tag may be released", async () => {
  assertMatch(version, /^\d+\.\d+\.\d+$/);
  const text = `v${version} may be released\n`;
  assertEquals(await checkRelease(`v${version}`), { code: 0, text });
});

Deno.test("release: a tag of another version is refused", async () => {
  for (const tag of [version, `v${version}0`, "v", `v${version}-beta`]) {
    const { code, text } = await checkRelease(tag);
    assertEquals([tag, code], [tag, 1]);
    assertMatch(text, /is not v.*, the version in deno\.json/);
  }
});

Deno.test("CHANGELOG: each version is there once, newest first, after what is not released", async () => {
  const text = await Deno.readTextFile(new URL("CHANGELOG.md", ROOT));
  const [unreleased, ...versions] = [...text.matchAll(/^## \[(.+)\]$/gm)].map(([, name]) => name);
  assertEquals([unreleased, versions[0]], ["Unreleased", version]);
  const inOrder = versions.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }));
  assertEquals(versions, [...new Set(inOrder)]);
});

Deno.test("workflows: each action is pinned to a commit, and what may be done is least", async () => {
  const folder = new URL(".github/workflows/", ROOT);
  for (const { name } of Deno.readDirSync(folder)) {
    const text = await Deno.readTextFile(new URL(name, folder));
    for (const [, action] of text.matchAll(/uses: (.+)/g)) {
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
