/** Variables that look like settings and are none: they would be ignored without a word. */
import { editDistance } from "../../lib/terminal.ts";

/** What people put before a setting's name. */
const PREFIXES = /^(DOCKET|WATCH|OBSERVE|OBSERVER)_/;

/** A sentence for each name that is one letter away from a setting's. */
export function mistypedSettings(names: Iterable<string>, known: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !known.includes(name)).flatMap((name) => {
    const meant = nearest(name, known);
    return meant ? [`${name} is ignored: it is not a setting. Did you mean ${meant}?`] : [];
  });
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const upper = name.toUpperCase();
  const bare = upper.replace(PREFIXES, "");
  return known.find((each) => editDistance(upper, each) <= 1) ??
    // Kubernetes itself sets DOCKET_PORT for a service called docket.
    (bare !== upper && bare.includes("_")
      ? known.find((each) => editDistance(bare, each) <= 1)
      : undefined);
}
