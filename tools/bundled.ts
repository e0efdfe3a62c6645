import { createBuilder, type Plugin } from "vite";
import config from "../fresh.config.ts";

/** Builds the app in a temporary folder. Returns the packages in it, as `name@version`. */
export async function bundledPackages(): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  const plugin: Plugin = {
    name: "docket:bundled-packages",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const [id, { renderedLength }] of Object.entries(chunk.modules)) {
          const folder = /^.*\/node_modules\/(@[^/]+\/)?[^./][^/]*\//.exec(id)?.[0];
          if (folder && renderedLength > 0) folders.add(folder.replace(/^\0/, ""));
        }
      }
    },
  };
  const folder = await Deno.makeTempDir();
  try {
    const builder = await createBuilder(
      {
        ...config,
        plugins: [...config.plugins ?? [], plugin],
        nitro: { ...config.nitro, output: { dir: folder } },
      } as typeof config,
    );
    await builder.buildApp();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  return new Set([...folders].map((folder) => {
    const { name, version } = JSON.parse(Deno.readTextFileSync(`${folder}package.json`));
    return `${name}@${version}`;
  }));
}
