/** Which licences packages may have. */

/** Whether a package is part of the running program, or only helps to build and test it. */
export type Use = "runs" | "builds";

/** Permissive licences, which only ask for attribution. */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
];

/**
 * The allowed licences for each use. MPL-2.0 is copyleft for the package's own files, which Docket
 * uses as they are. Packages that are not distributed may have other such licences.
 */
export const ALLOWED: Readonly<Record<Use, readonly string[]>> = {
  runs: [...PERMISSIVE, "MPL-2.0"],
  builds: [...PERMISSIVE, "CC-BY-4.0", "MPL-2.0"],
};

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly use: Use;
  /** Its `package.json`; null if it is not installed, because it is for another platform. */
  readonly manifest: Readonly<Record<string, unknown>> | null;
}

export interface Judged extends Package {
  /** The licence as an SPDX expression, or the empty text. */
  readonly licence: string;
  /** Why the package is not allowed, or null. */
  readonly issue: string | null;
}

export function judge(each: Package): Judged {
  const licence = licenceIn(each.manifest ?? {});
  const allowed = ALLOWED[each.use];
  const issue = each.manifest === null || isAllowed(licence, allowed)
    ? null
    : licence === ""
    ? "names no licence"
    : `has the licence ${licence}; allowed are ${allowed.join(", ")}`;
  return { ...each, licence, issue };
}

/** The licence in a manifest, in new or old form; the empty text if there is none. */
export function licenceIn(manifest: Readonly<Record<string, unknown>>): string {
  const { license, licenses } = manifest;
  const named = [license, licenses].flat().map((each) =>
    typeof each === "object" && each !== null && "type" in each ? each.type : each
  ).filter((each) => typeof each === "string");
  return named.length > 1 ? `(${named.join(" OR ")})` : named[0] ?? "";
}

/** Whether an SPDX expression is allowed: of OR one licence must be, of AND all. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const words = expression.replace(/[()]/g, " $& ").split(/\s+/).filter((word) => word !== "");
  let at = 0;
  function parts(word: string, part: () => boolean): boolean[] {
    const read = [part()];
    while (words[at] === word) {
      at++;
      read.push(part());
    }
    return read;
  }
  const either = (): boolean => parts("OR", both).some(Boolean);
  const both = (): boolean => parts("AND", one).every(Boolean);
  function one(): boolean {
    const word = words[at++];
    if (word !== "(") return allowed.includes(word);
    const inner = either();
    return words[at++] === ")" && inner;
  }
  const isMet = either();
  return isMet && at === words.length;
}
