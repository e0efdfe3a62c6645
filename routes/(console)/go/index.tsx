import { formatCountOf } from "../../../lib/format.ts";
import {
  type Entry,
  grouped,
  pageEntries,
  scheduleEntries,
  searchEntries,
} from "../../../components/page/go/entries.ts";
import { SmallStrip } from "../../../components/page/go/small_strip.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { filterText, MAX_TEXT } from "../../../components/ui/query.ts";
import { loadPage } from "../../_errors.ts";
import { findSchedules } from "./_schedules.ts";
import { handler, page } from "./$index.ts";

/** The palette as a page, for browsers without JavaScript. */
export const handlers = handler({
  GET: (ctx) =>
    loadPage(ctx, () => findSchedules(ctx.state, filterText(ctx.url.searchParams, "q"))),
});

export default page(({ data: { shown, error }, url }) => {
  const text = filterText(url.searchParams, "q");
  const found = shown?.entries ?? [];
  const people = shown?.people ?? [];
  const entries = [...scheduleEntries(text, found), ...people, ...pageEntries(text)];
  const more = (shown?.total ?? 0) - found.length;
  return (
    <>
      <PageHeader title="Go to" error={error} />
      <form action="/go" role="search" class="row">
        <label for="go-text">Page, person, or a schedule's name or id</label>
        <input id="go-text" name="q" type="search" maxLength={MAX_TEXT} value={text} autofocus />
        <button type="submit">Go</button>
      </form>
      {entries.length === 0 && (
        <p role="status">No page, person or known schedule matches “{text}”.</p>
      )}
      {grouped<Entry>([...entries, ...searchEntries(text)]).map(([group, of]) => (
        <section key={group} aria-labelledby={`go-${group}`}>
          <h2 id={`go-${group}`}>{group}</h2>
          <ul class="plain">
            {of.map(({ name, href, note, strip }) => (
              <li key={href}>
                <a href={href}>{name}</a> {note && <span class="help">{note}</span>}
                {strip && <SmallStrip {...strip} />}
              </li>
            ))}
          </ul>
          {group === "Schedules" && more > 0 && (
            <p class="help">
              {formatCountOf(more, "more schedule matches", "more schedules match")}.{" "}
              <a href={`/schedules?${new URLSearchParams({ q: text })}`}>
                Show all of them
              </a>
            </p>
          )}
        </section>
      ))}
    </>
  );
});
