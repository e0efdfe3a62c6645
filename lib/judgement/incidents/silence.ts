/** Why a schedule or an incident is silent. */
export interface Silence {
  readonly kind: "muted" | "paused";
  readonly from?: number;
  /** In milliseconds since 1970; null for no end. */
  readonly until: number | null;
  /** Who did it and why; empty if unknown. */
  readonly person: string;
  readonly note: string;
  /** What is silent: an incident, or else a schedule. */
  readonly incidentId: string | null;
  readonly scheduleId: number | null;
}
