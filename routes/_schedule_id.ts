/** The schedule id that somebody typed or linked to, or null where it is none. */
export function readScheduleId(text: string): number | null {
  const id = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(id) ? id : null;
}
