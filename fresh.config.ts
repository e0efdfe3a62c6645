/** How Fresh is built: Vite's configuration, shared by `dev.ts` for development and for the build. */
import type { InlineConfig, Plugin } from "vite";
import { preactSsrPrecompile } from "@pracht/preact-ssr-precompile";
import { fresh } from "fresh/vite";
import denoConfig from "./deno.json" with { type: "json" };

/**
 * A plugin that mends places in the server's copy of a package. The build fails when a place is not
 * there once: then see whether the mend is still needed, and remove or renew it.
 */
function mend(
  name: string,
  file: RegExp,
  places: readonly (readonly [text: string, mended: string])[],
): Plugin {
  let seen = false;
  return {
    name: `docket:${name}`,
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name !== "client",
    transform(code, id) {
      if (!file.test(id)) return;
      seen = true;
      for (const [text, mended] of places) {
        if (code.split(text).length !== 2) {
          throw new Error(`${id} no longer has once what fresh.config.ts mends: ${text}`);
        }
        code = code.replace(text, () => mended);
      }
      return { code, map: null };
    },
    buildEnd(error) {
      if (!error && this.environment.name === "nitro" && !seen) {
        throw new Error(`What ${name} mends was not built: ${file}`);
      }
    },
  };
}

/**
 * Fresh puts the islands' props into the page with `String.replace` and a string, which reads `$'`,
 * `` $` `` and `$&` inside any prop as patterns: a file set's name could rewrite the page. A function
 * as the replacement is taken literally.
 */
const literalIslandProps = mend(
  "literal-island-props",
  /@frsh[/+]fresh.*\/server\/render\.js/,
  [[
    `html.replace("</head>", injection + "</head>")`,
    `html.replace("</head>", () => injection + "</head>")`,
  ]],
);

/**
 * V8 puts a function that stands directly behind the `=` of a property among what lives long. Those of
 * Preact's context providers hold the whole page, which then outlived its request until the slow
 * collection. Behind an operator, a function is like any other; `t` is an object there.
 */
const shortLivedProviders = mend(
  "short-lived-providers",
  /\/preact\/dist\/preact\.mjs/,
  [
    "this.getChildContext=",
    "this.componentWillUnmount=",
    "this.shouldComponentUpdate=",
    "this.sub=",
    "n.componentWillUnmount=",
  ].map((property) => [`${property}function`, `${property}t&&function`]),
);

/**
 * Pages do not vary by the header that asks for partials, as none has any. With a single header, Deno
 * leaves Fresh's response alone; with two it copies the page, which is sent by another response.
 */
const withoutPartialHeader = mend(
  "without-partial-header",
  /@frsh[/+]fresh.*\/server\/handler\.js/,
  [[
    "addVary(headers, PARTIAL_HEADER);\n    return new Response(body,",
    "return new Response(body,",
  ]],
);

/**
 * What browsers would load for nothing, written anew: Vite's module around every later import, with
 * nothing to preload, and Fresh's navigation by partials, which no page uses and the pages' policy
 * forbids.
 */
function withoutUnused(): Plugin {
  return {
    name: "docket:without-unused",
    transform(_code, id) {
      if (id === "\0vite/preload-helper.js") {
        return { code: "export const __vitePreload = (load) => load();", map: null };
      }
      if (/@frsh[/+]fresh.*\/client\/partials\.js/.test(id)) {
        return { code: "export function installPartials() {}", map: null };
      }
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
 * The version of what is built: that of deno.json, with the commit where one is known, or else with
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
      {
        find: "docket/jsx-runtime",
        replacement: `${import.meta.dirname}/components/ui/jsx_templates.ts`,
      },
      ...standardLibrary(),
    ],
  },
  plugins: [
    literalIslandProps,
    shortLivedProviders,
    withoutPartialHeader,
    withoutUnused(),
    // Turns the server's JSX into string templates. Fresh looks for the document's own elements as
    // virtual nodes, so those stay as they are.
    preactSsrPrecompile({
      importSource: "docket",
      skipElements: ["html", "head", "body", "title", "link", "meta", "script", "style", "base"],
    }),
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
