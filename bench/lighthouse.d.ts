/**
 * What the audit uses of Lighthouse, so that the gate checks its types without installing the
 * package. `deno task audit` checks them against the package itself.
 */
declare module "lighthouse" {
  export default function lighthouse(url: string, flags: {
    readonly port: number;
    readonly output: "json";
    readonly logLevel: "error";
    readonly onlyCategories: string[];
    readonly extraHeaders: Record<string, string>;
  }): Promise<{ readonly lhr: Result } | undefined>;

  interface Result {
    readonly categories: Record<string, {
      readonly score: number | null;
      readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
    }>;
    readonly audits: Record<string, { readonly score: number | null; readonly title: string }>;
  }
}
