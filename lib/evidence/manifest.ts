/** The types of manifest.json and proof.json, and the rules for a complete pack. */
import { formatCountOf } from "../format.ts";
import type { Actor } from "../judgement/actor.ts";
import { canonicalJson } from "./canonical_json.ts";
import type { ResolvedQuestion, RowList } from "./question.ts";

/** The value of `format` in each manifest of this format. */
export const FORMAT = "docket-evidence/1";

/** The files that a pack may hold, and the most bytes of each. */
export const MAX_BYTES: Readonly<Record<string, number>> = {
  "items.ndjson": 2 ** 32 - 1,
  "people.json": 2 ** 28,
  "proof.json": 2 ** 22,
  "report.html": 2 ** 22,
  "manifest.json": 2 ** 22,
  "signature.json": 2 ** 12,
};

/** The most characters of a line in items.ndjson. */
export const MAX_LINE: number = 2 ** 20;

/** One reading of one list, from its first page to an empty one. */
export interface ListReading {
  /** Index of the list in proof.json. */
  readonly list: number;
  /** Number of the round, 1 or 2. */
  readonly round: number;
  /** When it began: ISO 8601 date-time in UTC. */
  readonly began: string;
  /** When it ended: ISO 8601 date-time in UTC. */
  readonly ended: string;
  /** Number of pages requested. */
  readonly requests: number;
  /** The total that the service claimed last, or null. */
  readonly total: number | null;
  /** Number of distinct rows, including those that the pack leaves out. */
  readonly rows: number;
  /** Number of distinct rows that the pack contains. */
  readonly size: number;
  /** Root of the tree over these rows, sorted by id. */
  readonly root: string;
  /** How often rows moved, came again or contradicted a claim, by kind. */
  readonly drift: Readonly<Record<string, number>>;
}

export type ProvedList = RowList & { readonly size: number; readonly root: string };

/** The content of proof.json. */
export interface Proof {
  readonly tree: "RFC 6962, SHA-256";
  /** The lists that answer the question; the first one of a search has all rows. */
  readonly lists: readonly ProvedList[];
  /** Number of rows of a search that are in none of its other lists. */
  readonly inNone: number;
}

/** How much of the service a Docket server knows. */
export interface Coverage {
  /** Number of schedules that the server knows. */
  readonly schedulesKnown: number | null;
  /** Which ids of schedules the server has asked the service for, in words. */
  readonly idsAsked: string | null;
  /** Since when runs are stored, if older ones were removed. */
  readonly ledgerSince: string | null;
}

/** The content of manifest.json. */
export interface EvidenceManifest {
  /** Name and version of the format. */
  readonly format: "docket-evidence/1";
  /** The question that the pack answers. */
  readonly asked: ResolvedQuestion;
  /** Address of the service. */
  readonly service: string;
  /** Who made the pack, or null if unknown. */
  readonly by: Actor | null;
  /** When the pack was made: ISO 8601 date-time in UTC. It can't be proved. */
  readonly made: string;
  /** Version of Docket. */
  readonly docket: string;
  /** How much of the service the server knows, or null if no server made the pack. */
  readonly coverage: Coverage | null;
  /** Each reading, in the order of reading. */
  readonly readings: readonly ListReading[];
  /** For a question about recipients: the run of each schedule that shows who was on the list. */
  readonly snapshot: readonly { readonly scheduleId: number; readonly run: number | null }[] | null;
  /** Whether the readings show that nothing is missing. */
  readonly complete: boolean;
  /** Why they don't show that, as sentences. */
  readonly incomplete: readonly string[];
  /** Size and digest of each file except manifest.json and signature.json. */
  readonly files: Readonly<Record<string, { readonly size: number; readonly sha256: string }>>;
  /** What a pack proves. */
  readonly proves: string;
  /** What it can't prove. */
  readonly doesNotProve: string;
}

/** What a pack proves if it is complete and the signature holds. */
export const PROVES: string =
  "Whoever has the key vouches that the service sent these rows, in readings that " +
  "agree where the pack is complete, and that nothing in the pack was changed since it was signed.";

export const DOES_NOT_PROVE: string =
  "It can't prove that the service itself left nothing out, that nothing " +
  "was changed before signing, or when it was signed: whoever has the key can write any date.";

/** The note of a reading that counts runs with a status that the dictionary does not explain. */
export const UNKNOWN_STATUS = "unknown status";

/** Why the readings and the proof of a pack don't show that nothing is missing, as sentences. */
export function gapsOf(
  readings: readonly ListReading[],
  { lists, inNone }: Proof,
): string[] {
  const gaps: string[] = [];
  if (inNone > 0) {
    gaps.push(`Rows that no condition places, perhaps for lack of a value: ${inNone}.`);
  }
  lists.forEach(({ size, root }, list) => {
    for (const round of [1, 2]) {
      const where = `Reading ${round} of list ${list}`;
      const found = readings.filter((reading) => reading.list === list && reading.round === round);
      if (found.length !== 1) gaps.push(`${where} is missing.`);
      else if (found[0].root !== root || found[0].size !== size) {
        gaps.push(`${where} has other rows than the pack.`);
      }
      const { drift = {} } = found[0] ?? {};
      const unknown = drift[UNKNOWN_STATUS] ?? 0;
      if (unknown > 0) {
        const runs = formatCountOf(unknown, "run", "runs");
        gaps.push(`${where} has ${runs} of which nobody knows whether they went out.`);
      }
      const known = unknown > 0 ? { [UNKNOWN_STATUS]: unknown } : {};
      if (canonicalJson(drift) !== canonicalJson(known)) {
        const moved = Object.keys(drift).filter((kind) => kind !== UNKNOWN_STATUS);
        gaps.push(`${where} saw rows move or contradict: ${moved.join(", ")}.`);
      }
    }
  });
  if (readings.length > lists.length * 2) {
    gaps.push("There are more readings than two of each list.");
  }
  return gaps;
}
