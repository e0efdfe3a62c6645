import { formatCountOf } from "../../../lib/format.ts";
import { foundEntries, grouped, searchEntries } from "../../../components/page/go/entries.ts";
import { SmallStrip } from "../../../components/page/go/small_strip.tsx";
import { PageHeader } from "../../../components/page/page_header.tsx";
import { filterText } from "../../../lib/filter_text.ts";
import { GoField } from "../../../components/page/go/go_field.tsx";
import { loadPage } from "../../_errors.ts";
import { findSchedules } from "./_schedules.ts";
import { handler, page } from "./$index.ts";

export const handlers = handler({
  async GET(ctx) {
    const text = filterText(ctx.url.searchParams, "q");
    const loaded = await loadPage(ctx, () => findSchedules(ctx.state, text));
    const found = loaded.data.shown && foundEntries(text, loaded.data.shown);
    // The only place that a text can mean.
    if (text && found?.length === 1) return ctx.redirect(found[0].href, 303);
    return loaded;
  },
});

export default page(({ data: { shown, error }, url }) => {
  const text = filterText(url.searchParams, "q");
  const entries = shown ? foundEntries(text, shown) : [];
  const all = [...entries, ...searchEntries(text)];
  const more = shown ? shown.total - shown.entries.length : 0;
  return (
    <>
      <PageHeader title="Go to" error={error} />
      <form action="/go" role="search" class="row">
        <GoField text={text} isFocused={text === ""} />
        <button type="submit">Go</button>
      </form>
      {entries.length === 0 && (
        <p role="status">No page, person or known schedule matches “{text}”.</p>
      )}
      {grouped(all).map(([group, of]) => (
        <section key={group} aria-labelledby={`go-${group}`}>
          <h2 id={`go-${group}`}>{group}</h2>
          <ul class="plain">
            {of.map(({ name, href, note, strip }) => (
              <li key={href}>
                <a href={href} autofocus={text !== "" && href === all[0].href}>{name}</a>{" "}
                {note && <span class="help">{note}</span>}
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
