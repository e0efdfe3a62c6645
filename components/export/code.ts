import { toCurl } from "../../lib/client/transport/request.ts";

/** Texts that a view of rows is copied as. */
export interface Code {
  readonly link: string;
  readonly curl: string;
  readonly script: string;
}

export interface CodeTarget {
  readonly origin: string;
  readonly tokenHeader: string;
}

/** Writes a view as code: the link `href`, `request` for its page as curl, and a script with `loop`. */
export function writeCode(
  { origin, tokenHeader }: CodeTarget,
  { href, request, loop, imports = [] }: {
    readonly href: string;
    readonly request: Omit<Parameters<typeof toCurl>[0], "tokenHeader">;
    readonly loop: string;
    readonly imports?: readonly string[];
  },
): Code {
  const header = tokenHeader === "X-SERVICE-Developer-Token"
    ? ""
    : `\n  tokenHeader: ${JSON.stringify(tokenHeader)},`;
  const script = `import { ${["createClient", ...imports].join(", ")} } from "jsr:@docket/docket";

const client = createClient({
  baseUrl: ${JSON.stringify(origin)},
  token: Deno.env.get("DOCKET_TOKEN")!,${header}
});

${loop}
`;
  return { link: origin + href, curl: toCurl({ ...request, tokenHeader }), script };
}
