/** Says that a watch was ended, and offers to undo that. */
export function UnwatchedNotice({ scheduleId, isShared, next }: {
  readonly scheduleId: number;
  /** Whether Docket watched it for everybody, and not this browser's list alone. */
  readonly isShared: boolean;
  /** The page to return to. */
  readonly next: string;
}) {
  return (
    <form method="post" action="/schedules/watch" class="notice warning" role="status">
      <input type="hidden" name="next" value={next} />
      Schedule {scheduleId}{" "}
      is no longer watched{isShared && ", and its open incidents are resolved"}.{" "}
      <button type="submit" class="quiet" name="undo" value={scheduleId}>Undo</button>
    </form>
  );
}
