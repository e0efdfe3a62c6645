import { CopyButton } from "../ui/copy_button.tsx";

export interface Code {
  readonly link: string;
  readonly curl: string;
  readonly script: string;
}

export interface CodeTarget {
  readonly origin: string;
  readonly tokenHeader: string;
}

const KINDS = [["link", "Link"], ["curl", "curl"], ["script", "Script"]] as const;

export function CodeTexts({ code }: { readonly code: Code }) {
  return (
    <>
      {KINDS.map(([kind, name]) => (
        <section key={kind}>
          <h2>
            {name}{" "}
            <CopyButton
              label={
                <>
                  Copy<span class="unseen">{` ${name}`}</span>
                </>
              }
            />
          </h2>
          <pre tabIndex={0}>{code[kind]}</pre>
        </section>
      ))}
      <p class="help">
        The token is not included. Set <code>DOCKET_TOKEN</code> in your environment.
      </p>
    </>
  );
}

export function scriptOf(
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
