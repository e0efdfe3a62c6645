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

export function writeScript(
  { origin, tokenHeader }: CodeTarget,
  loop: string,
  imports: readonly string[] = [],
): string {
  const header = tokenHeader === "X-SERVICE-Developer-Token"
    ? ""
    : `\n  tokenHeader: ${JSON.stringify(tokenHeader)},`;
  return `import { ${["createClient", ...imports].join(", ")} } from "jsr:@docket/docket";

const client = createClient({
  baseUrl: ${JSON.stringify(origin)},
  token: Deno.env.get("DOCKET_TOKEN")!,${header}
});

${loop}
`;
}
