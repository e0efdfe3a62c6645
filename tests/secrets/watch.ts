/** Planted secrets, and the search for them in everything that comes out. */

/** Looks for planted secrets. */
export interface Watch {
  /** Plants a value under a name; several values may have the same one. */
  plant(name: string, value: string): void;
  /** Takes something that came out; the secrets of those names may be in it. */
  saw(place: string, text: string, belongs?: readonly string[]): void;
  /** Searches everything that came out. At the end, for some secrets are made late. */
  search(): Found;
}

/** What was found of the secrets. */
export interface Found {
  /** Every secret that is where it does not belong, with the place and what stands around it. */
  readonly leaks: readonly string[];
  /** The names of the secrets that are where they belong. */
  readonly belonging: readonly string[];
}

/** So much of a secret is as good as the secret. */
const TELLING = 12;

/** A watch that has seen nothing yet. */
export function createWatch(): Watch {
  const planted: { readonly name: string; readonly forms: readonly string[] }[] = [];
  const seen: { place: string; text: string; belongs: readonly string[] }[] = [];
  return {
    plant(name, value) {
      planted.push({ name, forms: spellings(value) });
    },
    saw(place, text, belongs = []) {
      seen.push({ place, text, belongs });
    },
    search() {
      const leaks: string[] = [];
      const belonging = new Set<string>();
      for (const { place, text, belongs } of seen) {
        const lowered = text.toLowerCase();
        for (const { name, forms } of planted) {
          const at = forms.map((form) => lowered.indexOf(form)).find((index) => index >= 0);
          if (at === undefined) continue;
          const around = text.slice(Math.max(0, at - 80), at + 40);
          if (belongs.includes(name)) belonging.add(name);
          else leaks.push(`${name} in ${place}: ${around}`);
        }
      }
      return { leaks, belonging: [...belonging].sort() };
    },
  };
}

/** How a secret may be written, in lower case: plainly, or in a form that is easily undone. */
function spellings(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value);
  const start = value.slice(0, TELLING);
  // In base64, what a text looks like depends on where among three bytes it begins.
  const base64 = [0, 1, 2].map((before) => {
    const text = new Uint8Array([...new Uint8Array(before), ...bytes]).toBase64();
    return text.slice(Math.ceil(before * 4 / 3), Math.ceil(before * 4 / 3) + TELLING);
  });
  const forms = [
    start,
    [...start].reverse().join(""),
    encodeURIComponent(start),
    JSON.stringify(start).slice(1, -1),
    start.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
    new TextEncoder().encode(start).toHex(),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}
