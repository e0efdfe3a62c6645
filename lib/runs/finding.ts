/** Inconsistencies, as they are found in runs. */

/** An inconsistency. */
export interface Finding<Run> {
  /** Its kind. */
  readonly kind:
    | "repeated-id"
    | "no-start"
    | "no-end"
    | "end-before-start"
    | "overlap"
    | "recipient-count"
    | "repeated-recipient"
    | "no-recipients"
    | "no-attachments"
    | "attachment-size"
    | "size-jump";
  /** The run that has it. */
  readonly run: Run;
  /** The run that it was compared with, if any. */
  readonly other?: Run;
  /** What was found, in a sentence without its full stop. */
  readonly message: string;
}

export type FindingKind = Finding<unknown>["kind"];

/** A run, with values that are needed often. */
export interface CheckedRun<Run> {
  readonly run: Run;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly isBad: boolean;
}
