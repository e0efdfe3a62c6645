/** How Fresh is built: Vite's configuration, shared by `dev.ts` for development and for the build. */
import type { InlineConfig, Plugin } from "vite";
import { fresh } from "fresh/vite";
import denoConfig from "./deno.json" with { type: "json" };

const UNSAFE = `html.replace("</head>", injection + "</head>")`;
const LITERAL = `html.replace("</head>", () => injection + "</head>")`;

/**
 * Fresh puts the islands' props into the page with `String.replace` and a string, which reads `$'`,
 * `` $` `` and `$&` inside any prop as patterns: a name in a prop could rewrite the page. A function
 * as the replacement is taken literally. The build fails when Fresh no longer has that line once:
 * then see whether it still needs this.
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
      if (code.split(UNSAFE).length !== 2) throw new Error(`${id} no longer has once: ${UNSAFE}`);
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
 * Leaves out Fresh's partials. They take over Back and Forward on every page, and parse the answer
 * in a way that the pages' policy blocks; no page uses them.
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

/** deno.json alone says where `@std` comes from; Vite is told the same. */
function standardLibrary() {
  return Object.entries(denoConfig.imports)
    .filter(([name]) => name.startsWith("@std/"))
    .map(([find, source]) => ({ find, replacement: source.replace(/^npm:([^@]+)@[^/]+/, "$1") }));
}

/**
 * The version of what is built: that of deno.json, with the commit if it is known, or else with
 * the name that Deno Deploy gives a build.
 */
function builtVersion(): string {
  const from = commit() ?? Deno.env.get("DENO_DEPLOYMENT_ID");
  return from ? `${denoConfig.version}+${from}` : denoConfig.version;
}

/** The commit in this very folder, marked where files differ from it; null without git. */
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
 * The icon keeps its name when it changes, unlike what is under `/assets/`. As an option of Nitro's the
 * same rule would bring a warning at every build.
 */
function iconIsCachedForADay(nitro: { readonly options: { routeRules: Record<string, unknown> } }) {
  nitro.options.routeRules["/icon.svg"] = {
    headers: { "cache-control": "public, max-age=86400" },
  };
}

/** Rolldown would report which plugins a slow build waited for, and ask Nitro for names to show there. */
const withoutTimings = { checks: { bundlerTimings: false } };

const config: InlineConfig & { nitro: Record<string, unknown> } = {
  root: import.meta.dirname,
  logLevel: "warn",
  // Fresh's own modules import `fresh/…`, its name before it came to npm.
  resolve: {
    alias: [
      { find: /^fresh(?=\/)/, replacement: "@frsh/fresh" },
      // What replaces edited islands: Vite looks for it from here, where Deno has no link to it.
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
  // Pages name what they load at first; what comes later is small and needs no preloading code.
  build: { reportCompressedSize: false, modulePreload: false, rolldownOptions: withoutTimings },
  // Every script names those that it imports, and a hash can't be compressed: shorter hashes, and one
  // script in place of some that every page loads.
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
                  /node_modules\/(@preact\/signals|preact)|components\/ui\/(zone|query|load_document)\.ts|lib\/format\.ts|vite\/preload-helper|runtime\/(serializable|navigation)/,
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
    modules: [iconIsCachedForADay],
    rolldownConfig: withoutTimings,
  },
};

export default config;
