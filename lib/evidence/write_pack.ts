/** Makes packs: reads lists twice, and writes rows, manifest, report and signature into a ZIP. */
import { createHash, sign } from "node:crypto";
import { check, isCount } from "../check.ts";
import type { Backend } from "../client/backend.ts";
import { walkFileSets, walkHistory } from "../client/walks/lists.ts";
import type { Walk, WalkReport } from "../client/walks/walk.ts";
import { timeText } from "../format.ts";
import type { Actor } from "../actor.ts";
import { listsLess, maskRecipient } from "../runs/recipients.ts";
import {
  defaultStatusDictionary,
  meaningOf,
  type StatusDictionary,
  type UnknownStatus,
  unknownStatuses,
  unknownStatusText,
} from "../runs/status.ts";
import { newestFirst, timeOf } from "../runs/times.ts";
import type { FileSet, ReportRun, SearchBody, SearchInput } from "../types.ts";
import { readKey } from "./keys.ts";
import {
  describeQuestion,
  type EvidenceManifest,
  type EvidenceQuestion,
  findGaps,
  FORMAT,
  type ListReading,
  sayWhatItProves,
  turnedConditions,
} from "./manifest.ts";
import { MOST_SHOWN, reportHtml } from "./report.ts";
import { type Bytes, writeZip } from "./zip_files.ts";

/** More need too much memory, since their ids are compared. */
const MOST_ROWS = 1_000_000;
const PIECE = 2 ** 16;

export type EvidenceOptions = {
  /** The private key as PEM. */
  readonly key: string;
  /** Address of the service, version of Docket and who asks, for the manifest. */
  readonly service: string;
  readonly docket: string;
  readonly by?: Actor;
  /** Whether to mask the addresses of recipients. Default: rows are written as they were read. */
  readonly masked?: boolean;
  /** What each status means. Default: the words that are known from the start. */
  readonly statuses?: StatusDictionary;
  /** The IANA name of the zone of times that name none. Default: UTC. */
  readonly serviceZone?: string;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
  /** Called now and then, with what was read of a list so far. */
  readonly onProgress?: (reading: 1 | 2, report: WalkReport) => void;
};

/**
 * Makes a pack: the bytes of a ZIP, and at the end its manifest. The first bytes come after the first rows
 * were read. Throws a ConfigurationError if question or key are not valid, or too much was asked for.
 */
export async function* makePack(
  backend: Backend,
  question: EvidenceQuestion,
  options: EvidenceOptions,
): AsyncGenerator<Bytes, EvidenceManifest> {
  const { now = Date.now, masked = false, statuses = defaultStatusDictionary() } = options;
  const key = readKey(options.key, "PRIVATE KEY");
  const asked = describeQuestion(question, now());
  const lists = "body" in asked ? [asked.body] : asked.scheduleIds;
  const readings: ListReading[] = [];
  const unknown: UnknownStatus[] = [];
  const short: string[] = [];
  const shown: object[] = [];
  const sums: string[] = [];
  const encoder = new TextEncoder();
  let manifest!: EvidenceManifest;

  /** Reads all lists; yields the rows of items.ndjson. */
  async function* readLists(reading: 1 | 2): AsyncGenerator<object> {
    for (const list of lists) {
      const scheduleId = typeof list === "number" ? list : null;
      const started = timeText(now());
      const totals = new Set<number>();
      const walk = openWalk(backend, list, totals, options);
      const hash = createHash("sha256");
      const unclear: Pick<ReportRun, "status" | "endTime">[] = [];
      let [rows, refused, undated] = [0, null as number | null, null as number | null];
      let newest: ReportRun | undefined;
      try {
        for await (const read of walk) {
          check(++rows <= MOST_ROWS, "question", `smaller: at most ${MOST_ROWS} rows of a list`);
          if (rows % 100 === 1) options.onProgress?.(reading, walk.report);
          const run = read as ReportRun;
          const recipients = masked && run.recipients?.map(maskRecipient);
          const row = scheduleId === null
            ? run
            : { scheduleId, ...run, ...(recipients && { recipients }) };
          hash.update(`${JSON.stringify(row)}\n`);
          if (!asked.before) yield row;
          if (scheduleId === null) continue;
          const start = timeOf(run.startTime, options.serviceZone);
          if (meaningOf(run.status, statuses) !== "good") {
            unclear.push({ status: run.status, endTime: run.endTime });
          } else if (start === undefined) undated = run.id;
          else if (start < Date.parse(asked.before!)) newest = newestFirst([row, newest ?? row])[0];
        }
      } catch (error) {
        const { status } = error as { readonly status?: number };
        if (lists.length === 1 || ![403, 404, 409].includes(status!)) throw error;
        refused = status!;
      }
      const left = unknownStatuses(unclear, statuses);
      const isNobody = asked.before && (refused ?? undated) === null && left.length === 0;
      if (newest) yield newest;
      else if (isNobody) yield { scheduleId, id: null };
      if (reading === 1) {
        unknown.push(...left);
        const say = (id: number, fault: string) =>
          short.push(`Run ${id} of schedule ${scheduleId} ${fault}.`);
        if (newest && listsLess(newest)) say(newest.id, "does not list all its recipients");
        if (undated !== null && asked.before) say(undated, "has no start");
      }
      readings.push({
        reading,
        scheduleId,
        started,
        ended: timeText(now()),
        requests: walk.report.pages,
        totals: typeof list === "number" ? {} : await readTotals(backend, list, [...totals]),
        rows,
        sha256: hash.digest("hex"),
        drift: walk.report.drift,
        refused,
      });
    }
  }
  async function* items(): AsyncGenerator<Bytes> {
    let piece = "";
    for await (const row of readLists(1)) {
      if (shown.length < MOST_SHOWN) shown.push(row);
      piece += `${JSON.stringify(row)}\n`;
      if (piece.length < PIECE) continue;
      yield encoder.encode(piece);
      piece = "";
    }
    yield encoder.encode(piece);
  }
  async function* files(): AsyncGenerator<[string, AsyncIterable<Bytes> | Bytes[]]> {
    yield ["items.ndjson", items()];
    for await (const _ of readLists(2));
    const left = unknown.length > 0 ? [`${unknownStatusText(unknown)}.`] : [];
    const incomplete = [...findGaps(readings), ...left, ...short];
    manifest = {
      format: FORMAT,
      asked,
      service: options.service,
      by: options.by ?? null,
      made: timeText(now()),
      docket: options.docket,
      addresses: masked ? "masked" : "as read",
      complete: incomplete.length === 0,
      incomplete,
      proves: sayWhatItProves(asked),
      readings,
    };
    yield ["manifest.json", [encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`)]];
    yield ["report.html", [encoder.encode(reportHtml(manifest, shown))]];
    const signed = encoder.encode(sums.join(""));
    yield ["SHA256SUMS", [signed]];
    yield ["SHA256SUMS.sig", [new Uint8Array(sign(null, signed, key))]];
  }
  yield* writeZip(files(), sums);
  return manifest;
}

/** Walks over the file sets that match, or a schedule's runs; adds the totals that are claimed. */
function openWalk(
  backend: Backend,
  list: SearchBody | number,
  totals: Set<number>,
  { signal }: EvidenceOptions,
): Walk<unknown, FileSet | ReportRun> {
  const options = { verify: true, prefetch: 4, ...(signal && { signal }) };
  if (typeof list === "number") return walkHistory(backend, list, options);
  const search = async (body: SearchInput | undefined, page: object) => {
    const { fileSets, pageContext } = await backend.fileSets.search(body, page);
    if (isCount(pageContext.total)) totals.add(pageContext.total);
    // Without a total, the walk goes on until a page is empty.
    return { fileSets, pageContext: { ...pageContext, total: null } };
  };
  return walkFileSets({ ...backend, fileSets: { search } }, list, options);
}

/** The totals that the service claims; with one condition, also of all file sets and of the others. */
async function readTotals(
  { fileSets }: Backend,
  body: SearchBody,
  claimed: readonly number[],
): Promise<ListReading["totals"]> {
  // A total that changed is none.
  const matching = claimed.length === 1 ? claimed[0] : null;
  const turned = turnedConditions(body);
  if (turned.length !== 1) return { matching };
  const [all, others] = await Promise.all([{}, turned[0]].map(async (each) => {
    const { pageContext: { total } } = await fileSets.search(each, { limit: 1 });
    return isCount(total) ? total : null;
  }));
  return { matching, all, others };
}
