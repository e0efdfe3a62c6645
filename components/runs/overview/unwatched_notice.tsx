/** Says that a watch was ended, and offers to undo that. */
export function UnwatchedNotice({ scheduleId, next }: {
  readonly scheduleId: number;
  /** The page to return to. */
  readonly next: string;
}) {
  return (
    <form method="post" action="/schedules/watch" class="notice warning" role="status">
      <input type="hidden" name="next" value={next} />
      Schedule {scheduleId} is no longer watched, and its open incidents are resolved.{" "}
      <button type="submit" class="quiet" name="undo" value={scheduleId}>Undo</button>
    </form>
  );
}
