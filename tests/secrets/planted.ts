/** Planted secrets, and the search for them in everything that comes out. */
import { makeRuns } from "../../lib/testing/mod.ts";
import type { ReportRun } from "../../lib/types.ts";

/** So much of a secret is as good as the secret. */
const TELLING = 12;

function makeSecret(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toHex();
}

/** Looks for planted secrets in what it sees. */
function createWatch() {
  const planted: { readonly name: string; readonly forms: readonly string[] }[] = [];
  const seen: { place: string; text: string; belongs: readonly string[] }[] = [];
  return {
    /** Plants a value, by default a new one, under a name that several may have; gives the value. */
    plant(name: string, value = makeSecret()): string {
      planted.push({ name, forms: spellings(value) });
      return value;
    },
    /** Takes something that came out; the secrets of those names may be in it. */
    saw(place: string, text: string, belongs: readonly string[] = []): void {
      seen.push({ place, text, belongs });
    },
    /** Searches everything that came out. At the end, for some secrets are made late. */
    search() {
      /** Every secret that is where it does not belong, with the place and what stands around it. */
      const leaks: string[] = [];
      /** The names of the secrets that are where they belong. */
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
    encodeURIComponent(start),
    JSON.stringify(start).slice(1, -1),
    start.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
    new TextEncoder().encode(start).toHex(),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

export type Planted = ReturnType<typeof plantSecrets>;

/** Plants new secrets; gives them with the watch that looks for them. */
export function plantSecrets() {
  const watch = createWatch();
  return {
    watch,
    /** The developer token of the embedded service, or that of an upstream. */
    token: watch.plant("token"),
    /** A token that no service accepts. */
    wrongToken: watch.plant("wrong token"),
    sessionKey: watch.plant("session key"),
    /** Two addresses of recipients; the second one stands where a name belongs. */
    addresses: ["example.com", "elsewhere.example"]
      .map((domain) => watch.plant("address", `x${makeSecret()}@${domain}`)),
    /** What somebody searches for. */
    words: watch.plant("words"),
  };
}

/** Runs as a service answers them, sent to the planted addresses. */
export function plantedRuns({ addresses }: Planted): (ReportRun & { ownerEmail: string })[] {
  return makeRuns(3).map((run) => ({
    ...run,
    emailSize: 10 ** run.id,
    status: run.id === 2 ? "failure" : "success",
    // The interface names no such field; a service may send it nevertheless.
    ownerEmail: addresses[0],
    // The second one is new with each run, so that pages speak of it.
    recipients: [
      { userId: 1, displayName: "Ann", emailAddress: addresses[0] },
      { userId: 10 + run.id, displayName: addresses[1], emailAddress: addresses[1] },
    ],
  }));
}
