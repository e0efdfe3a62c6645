/** The whole program: a report fails, every outlet is notified, and the report recovers. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { inDatabase } from "../server/store/tasks/task_context.ts";
import { eventually } from "../eventually.ts";
import { withProgram } from "../program.ts";
import { withMailServer } from "../server/observer/mail_server.ts";
import { withReceiver } from "../server/observer/receiver.ts";

const SECRET = `whsec_${btoa("s".repeat(32))}`;

Deno.test("[e2e] main: watches, and notifies by webhook, mail, Alertmanager and heartbeat", () =>
  withMailServer((SMTP_URL, mails) =>
    withReceiver(() => new Response(), async (origin, received) => {
      const env = {
        OBSERVE_EVERY: "1s",
        WEBHOOK_URL: `${origin}/hook`,
        WEBHOOK_SECRET: SECRET,
        ALERTMANAGER_URL: origin,
        HEARTBEAT_URL: `${origin}/beat`,
        SMTP_URL,
        MAIL_FROM: "docket@example.com",
        MAIL_TO: "reports@example.com",
        PUBLIC_ORIGIN: "https://docket.example.com",
      };
      await withProgram(env, async ({ dataDir, end, printed }) => {
        // No link leads to another origin.
        assertStringIncludes(printed(), "The developer token for signing in and for scripts is");
        // Schedule 102 of the sample data fails.
        await inDatabase(
          { dataDir },
          ({ records: { watches } }) => watches.add([102], Date.now(), { name: "Open claims" }),
        );
        const hook = await eventually(() => {
          const found = received.find(({ path }) => path === "/hook");
          assert(found);
          return found!;
        });
        const event = new Webhook(SECRET).verify(hook.body, Object.fromEntries(hook.headers)) as {
          type: string;
          data: { incident: { code: string }; schedule: { name: string }; url: string };
        };
        assertEquals([event.type, event.data.incident.code], ["incident.opened", "failing"]);
        assertEquals(event.data.schedule.name, "Open claims");
        assertStringIncludes(event.data.url, "https://docket.example.com/incidents/102-failing-");
        await eventually(() => {
          const paths = new Set(received.map(({ path }) => path));
          assert(paths.has("/beat") && paths.has("/api/v2/alerts"));
          assertEquals(mails.length, 1);
        });
        assertStringIncludes(mails[0].source, "Schedule 102 (Open claims): failing");
        assertEquals(await end(), 0);
      });
      // Sent once, however often it was polled.
      const hooks = received.filter(({ path }) => path === "/hook");
      assertEquals(hooks.length, 1);
    })
  ));
