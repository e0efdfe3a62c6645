/** The whole program: a report fails, a message about it is sent once, and a heartbeat. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { inDatabase } from "../server/store/tasks/task_context.ts";
import { eventually } from "../eventually.ts";
import { withProgram } from "../program.ts";
import { withReceiver } from "../server/observer/receiver.ts";

const SECRET = `whsec_${btoa("s".repeat(32))}`;

Deno.test("[e2e] main: watches, and sends a signed message once, and heartbeats", () =>
  withReceiver(() => new Response(), async (origin, received) => {
    const env = {
      OBSERVE_EVERY: "1s",
      WEBHOOK_URL: `${origin}/hook`,
      WEBHOOK_SECRET: SECRET,
      HEARTBEAT_URL: `${origin}/beat`,
      PUBLIC_ORIGIN: "https://docket.example.com",
    };
    const sentTo = (path: string) => received.filter((one) => one.path === path);
    await withProgram(env, async ({ dataDir, end, printed }) => {
      // No link leads to another origin.
      assertStringIncludes(printed(), "The developer token for signing in and for scripts is");
      // Schedule 102 of the sample data fails.
      await inDatabase(
        { dataDir },
        ({ records: { watches } }) => watches.add([102], Date.now(), { name: "Open claims" }),
      );
      await eventually(() => assert(sentTo("/hook").length > 0 && sentTo("/beat").length > 0));
      assertEquals(await end(), 0);
    });
    const [hook, ...others] = sentTo("/hook");
    assertEquals(others, []);
    const event = new Webhook(SECRET).verify(hook.body, Object.fromEntries(hook.headers)) as {
      type: string;
      data: { incident: { code: string }; schedule: { name: string }; url: string };
    };
    assertEquals([event.type, event.data.incident.code], ["incident.opened", "failing"]);
    assertEquals(event.data.schedule.name, "Open claims");
    assertStringIncludes(event.data.url, "https://docket.example.com/incidents/102-failing-");
  }));
