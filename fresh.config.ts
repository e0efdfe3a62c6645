/** How Fresh is built: Vite's configuration, shared by `dev.ts` for development and for the build. */
import type { InlineConfig, Plugin } from "vite";
import { fresh } from "fresh/vite";
import denoConfig from "./deno.json" with { type: "json" };

const UNSAFE = `html.replace("</head>", injection + "</head>")`;
const LITERAL = `html.replace("</head>", () => injection + "</head>")`;

/**
 * Fresh inserts the islands' props into the page with `String.replace`, which treats `$'`, `` $` `` and
 * `$&` in a replacement text as patterns, so a name in a prop could rewrite the page. What a replacement
 * function returns is inserted literally. The build fails if Fresh changes this line: then check
 * whether the patch is still needed.
 */
function literalIslandProps(): Plugin {
  let isSeen = false;
  return {
    name: "docket:literal-island-props",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name !== "client",
    transform(code, id) {
      if (!/@frsh[/+]fresh.*\/server\/render\.js/.test(id)) return;
      isSeen = true;
      if (code.split(UNSAFE).length !== 2) {
        throw new Error(`${id} no longer has exactly one ${UNSAFE}`);
      }
      return { code: code.replace(UNSAFE, () => LITERAL), map: null };
    },
    buildEnd(error) {
      if (!error && this.environment.name === "nitro" && !isSeen) {
        throw new Error("Fresh's server/render.js was not built");
      }
    },
  };
}

/**
 * Leaves out Fresh's partials, which no page uses. They would handle Back and Forward on every page,
 * but the pages' policy blocks the way they parse responses.
 */
function withoutPartials(): Plugin {
  return {
    name: "docket:without-partials",
    transform(_code, id) {
      if (!/@frsh[/+]fresh.*\/client\/partials\.js/.test(id)) return;
      return { code: "export function installPartials() {}", map: null };
    },
  };
}

/** Makes Vite load `@std` from where deno.json says. */
function standardLibrary() {
  return Object.entries(denoConfig.imports)
    .filter(([name]) => name.startsWith("@std/"))
    .map(([find, source]) => ({ find, replacement: source.replace(/^npm:([^@]+)@[^/]+/, "$1") }));
}

/** The version in deno.json, followed by the commit or else by Deno Deploy's name for the build. */
function builtVersion(): string {
  const build = commit() ?? Deno.env.get("DENO_DEPLOYMENT_ID");
  return build ? `${denoConfig.version}+${build}` : denoConfig.version;
}

/** This folder's commit, with `-dirty` if files differ from it; null without git. */
function commit(): string | null {
  try {
    const { success, stdout } = new Deno.Command("git", {
      args: ["describe", "--always", "--dirty", "--exclude=*"],
      cwd: import.meta.dirname,
      env: { GIT_CEILING_DIRECTORIES: new URL("..", import.meta.url).pathname },
      stderr: "null",
    }).outputSync();
    return success ? new TextDecoder().decode(stdout).trim() || null : null;
  } catch {
    return null;
  }
}

/**
 * These files keep their names when they change, unlike those under `/assets/`. The same rules in
 * Nitro's configuration would print a warning at every build.
 */
function cacheForADay(nitro: { readonly options: { routeRules: Record<string, unknown> } }) {
  for (const path of ["/icon.svg", "/keys.js"]) {
    nitro.options.routeRules[path] = { headers: { "cache-control": "public, max-age=86400" } };
  }
}

/** Turns off Rolldown's report on which plugins slow down the build. */
const withoutTimings = { checks: { bundlerTimings: false } };

const config: InlineConfig & { nitro: Record<string, unknown> } = {
  root: import.meta.dirname,
  logLevel: "warn",
  // Fresh's own modules import `fresh/…`, its name before it came to npm.
  resolve: {
    alias: [
      { find: /^fresh(?=\/)/, replacement: "@frsh/fresh" },
      // For hot reload: Vite looks for these packages in this folder, where Deno does not link them.
      {
        find: /^@prefresh\/(core|utils)$/,
        replacement: `${import.meta.dirname}/node_modules/.deno/node_modules/@prefresh/$1`,
      },
      ...standardLibrary(),
    ],
  },
  plugins: [
    literalIslandProps(),
    withoutPartials(),
    fresh(),
  ],
  define: { DOCKET_VERSION: JSON.stringify(builtVersion()) },
  // Pages list what they load first; later scripts are small and need no preloading code.
  build: { reportCompressedSize: false, modulePreload: false, rolldownOptions: withoutTimings },
  // Scripts contain the names of those that they import, and hashes do not compress. So hashes are
  // short, and what every page loads is one script.
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            chunkFileNames: "assets/[name]-[hash:6].js",
            codeSplitting: {
              groups: [{
                name: "shared",
                test:
                  /node_modules\/(@preact\/signals|preact)|components\/ui\/(zone|query)\.ts|lib\/format\.ts|vite\/preload-helper|runtime\/(serializable|navigation)/,
              }],
            },
          },
        },
      },
    },
  },
  nitro: {
    preset: "deno-server",
    entry: "./server/program/entry.ts",
    logLevel: 1,
    compressPublicAssets: { gzip: true, brotli: true },
    modules: [cacheForADay],
    rolldownConfig: withoutTimings,
  },
};

export default config;
