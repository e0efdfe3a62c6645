/** Finds domains that look like a known one: a mistake, or a trick. */

/** Characters, and the Latin letter that they look like. */
const ALIKE: readonly (readonly [RegExp, string])[] = [
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/cl/g, "d"],
  [/[1i|!ıІі]/g, "l"],
  [/0|о|ο/g, "o"],
  [/5|ѕ/g, "s"],
  [/а|ɑ|α/g, "a"],
  [/е|ё/g, "e"],
  [/р|ρ/g, "p"],
  [/с/g, "c"],
  [/х/g, "x"],
  [/у/g, "y"],
];

/** Shorter names are similar by chance. */
const SHORTEST = 4;

/** A domain as DNS has it, in lower case and punycode, however it is written. */
export function canonicalDomain(domain: string): string {
  const lower = domain.trim().toLowerCase();
  try {
    return new URL(`http://${lower}`).hostname;
  } catch {
    return lower;
  }
}

/** The known domain that an outside one looks like, such as `example.com` for `examp1e.com`. */
export function resembledDomain(domain: string, known: Iterable<string>): string | undefined {
  const canonical = canonicalDomain(domain);
  const shapes = new Set([canonical, domain.toLowerCase()].map(toShape));
  for (const other of known) {
    if (shapes.has(toShape(other)) || isNear(canonical, other)) return other;
  }
  return undefined;
}

function toShape(domain: string): string {
  return ALIKE.reduce((shape, [characters, letter]) => shape.replace(characters, letter), domain);
}

/** Whether the domains differ by one letter, or only after the last dot. */
function isNear(domain: string, other: string): boolean {
  const [name, end] = split(domain);
  const [otherName, otherEnd] = split(other);
  if (Math.min(name.length, otherName.length) < SHORTEST) return false;
  if (name === otherName) return end !== otherEnd;
  // A known domain at the beginning of another, such as example.com.login.test.
  if (domain.startsWith(`${other}.`)) return true;
  return end === otherEnd && differByOne(name, otherName);
}

function split(domain: string): [name: string, end: string] {
  const dot = domain.lastIndexOf(".");
  return dot < 0 ? [domain, ""] : [domain.slice(0, dot), domain.slice(dot + 1)];
}

/** Whether one letter was changed, added, removed, or swapped with the next. */
function differByOne(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++;
  const rest = one.slice(start, one.length - end);
  const otherRest = other.slice(start, other.length - end);
  const isSwapped = rest.length === 2 && rest === [...otherRest].reverse().join("");
  return isSwapped || Math.max(rest.length, otherRest.length) === 1;
}
