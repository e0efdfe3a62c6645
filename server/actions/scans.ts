/** Starts and stops scans, which ask the service for each id of a range. */
import { formatCount } from "../../lib/format.ts";
import { ProblemError, throwIfInvalid, type ValidationIssue } from "../http/problem.ts";
import { whyNotObserved } from "../observer/service_observer.ts";
import { beginScan, DEFAULT_RATE, MAX_IDS, MAX_RATE } from "../schedules/scan.ts";
import type { Acting } from "../store/records/events.ts";
import type { CountedScan } from "../store/records/stored_scans.ts";
import type { ActionServices } from "./action_services.ts";

type Services = Pick<ActionServices, "records" | "settings">;

/**
 * Starts a scan, or continues that of the same range if it was stopped. The observer works on it.
 *
 * @throws {ProblemError} With status 409 while another is running, or if nothing is observed
 */
export async function startScan(
  { records, settings }: Services,
  { from, to, ratePerSecond = DEFAULT_RATE }: {
    readonly from: number;
    readonly to: number;
    readonly ratePerSecond?: number | undefined;
  },
  { now }: Acting,
): Promise<CountedScan> {
  const faults: ValidationIssue[] = [];
  // Forms send NaN where no whole number was typed.
  if (!(from >= 0)) {
    faults.push({ pointer: "/from", detail: "must be a whole number of 0 or more" });
  }
  if (Number.isNaN(to) || to < from || to - from >= MAX_IDS) {
    const detail = `must be a whole number of at least the first id, and at most ${
      formatCount(MAX_IDS - 1)
    } more`;
    faults.push({ pointer: "/to", detail });
  }
  if (!(ratePerSecond >= 1 && ratePerSecond <= MAX_RATE)) {
    const detail = `must be a whole number from 1 to ${MAX_RATE}`;
    faults.push({ pointer: "/ratePerSecond", detail });
  }
  throwIfInvalid(faults);
  const reason = whyNotObserved({ records, settings });
  if (reason !== null) throw new ProblemError(409, reason);
  if (!await beginScan(records, { from, to, rate: ratePerSecond, now })) {
    throw new ProblemError(409, "Another scan is running: stop it first");
  }
  return (await records.scans.counted()).find((each) => each.from === from && each.to === to)!;
}

/** Stops the scan that is running, if there is one. */
export async function stopScan(
  { records: { scans } }: {
    readonly records: Pick<ActionServices["records"], "scans">;
  },
): Promise<void> {
  const scan = await scans.open();
  if (scan) await scans.change(scan, { stopped: "Stopped by a person" });
}
