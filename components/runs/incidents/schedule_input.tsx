/** The filter field for one schedule, with what was typed. */
export function ScheduleInput({ typed }: { readonly typed: string }) {
  return (
    <div class="labelled">
      <label for="schedule">Schedule id</label>
      <input id="schedule" name="schedule" inputMode="numeric" value={typed} />
    </div>
  );
}
