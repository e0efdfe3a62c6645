import { Head } from "fresh/runtime";
import { readScheduleId } from "../../_schedule_id.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  GET(ctx) {
    const typed = ctx.url.searchParams.get("id")?.trim() ?? null;
    const scheduleId = readScheduleId(typed ?? "");
    if (scheduleId !== null) return ctx.redirect(`/schedules/${scheduleId}`, 303);
    const { recentSchedules } = ctx.state.preferences;
    const embedded = ctx.state.services.kind === "embedded";
    return { data: { typed, recentSchedules, embedded }, status: typed === null ? 200 : 400 };
  },
});

export default page(({ data: { typed, recentSchedules, embedded } }) => (
  <>
    <Head>
      <title>Report schedules · Docket</title>
    </Head>
    <h1>Report schedules</h1>
    <form method="get" action="/schedules" class="card">
      <label for="schedule-id">Schedule id</label>
      <div class="row">
        <input
          id="schedule-id"
          name="id"
          inputmode="numeric"
          autocomplete="off"
          required
          value={typed ?? ""}
          aria-invalid={typed === null ? undefined : "true"}
          aria-describedby="schedule-help"
        />
        <button type="submit">Show its history</button>
      </div>
      <p
        id="schedule-help"
        class={typed === null ? "help" : "notice bad"}
        role={typed === null ? undefined : "alert"}
      >
        {typed === null
          ? "The interface lists no schedules: the id comes from your platform, where the schedule was made."
          : "A schedule id is a whole number, such as 101."}
        {embedded && typed === null && " The sample data has the schedules 101 to 112."}
      </p>
    </form>
    {recentSchedules.length > 0 && (
      <section aria-labelledby="recent">
        <h2 id="recent">Visited lately</h2>
        <ul class="chips">
          {recentSchedules.map((id) => (
            <li key={id}>
              <a class="chip" href={`/schedules/${id}`}>{id}</a>
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
));
