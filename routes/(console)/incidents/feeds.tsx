import { PageHeader } from "../../../components/page/page_header.tsx";
import { ProblemError } from "../../../server/http/problem.ts";
import { readFormBody } from "../../../server/http/request_body.ts";
import { FEEDS, feedSecret, renewFeedSecret } from "../../../server/observer/feeds.ts";
import { redirectWithNotice } from "../_actions.ts";
import { recordsOf } from "./_incidents.ts";
import { handler, page } from "./$feeds.ts";

const WORDS = {
  "incidents.atom": "Incidents, as an Atom feed",
  "runs.ics": "Planned runs of the next two weeks (fewer with many schedules), as a calendar",
} as const;

export const handlers = handler({
  async GET(ctx) {
    const records = recordsOf(ctx.state.services);
    const secrets = await Promise.all(FEEDS.map((feed) => feedSecret(records, feed)));
    const links = FEEDS.map((feed, at) => ({
      feed,
      href: `${ctx.state.origin}/feeds/${secrets[at]}/${feed}`,
    }));
    return { data: { links } };
  },

  async POST(ctx) {
    const records = recordsOf(ctx.state.services);
    const form = await readFormBody(ctx.req);
    const feed = FEEDS.find((each) => each === form.get("renew"));
    if (!feed) throw new ProblemError(400, "There is no such feed");
    await renewFeedSecret(records, feed);
    return redirectWithNotice(ctx, "/incidents/feeds", "renewed-feed");
  },
});

export default page(({ data: { links } }) => (
  <>
    <PageHeader title="Feeds" path={[["/incidents", "Incidents"]]} />
    <p>Anyone with one of these links can read its feed without signing in.</p>
    <form method="post" action="/incidents/feeds">
      {links.map(({ feed, href }) => (
        <section key={feed} class="card">
          <h2>{WORDS[feed]}</h2>
          <p>
            <a href={href}>{feed}</a>
          </p>
          <button type="submit" class="quiet" name="renew" value={feed}>
            Replace the link <span class="unseen">to {feed}</span>
          </button>
        </section>
      ))}
    </form>
  </>
));
