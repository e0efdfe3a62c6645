import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { saveOwner } from "../../../server/actions/save_owner.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { ADA } from "../../actors.ts";
import { START, withWorld, type World } from "../observer/world.ts";

const BY = { actor: ADA, now: START };

/** What is wrong with an owner, by field. */
async function issuesOf(services: World["services"], more: object) {
  const save = () => saveOwner(services, { name: "Finance", channels: {}, ...more }, BY);
  const { problem }: ProblemError = await assertRejects(save, ProblemError);
  return Object.fromEntries(problem.errors.map((each) => [each.pointer!, each.detail]));
}

Deno.test("saveOwner: what can't be is named, without repeating it, and nothing is saved", () =>
  withWorld([1], async ({ services, records, own }) => {
    const issues = await issuesOf(services, {
      name: " ",
      channels: {
        mail: "fin@example.com",
        slack: "https://hooks.slack.com.evil.example/services/secret",
        teams: "https://prod.westeurope.logic.azure.com.evil.example/secret",
        webhook: "https://internal.example.com/secret whsec_secret",
      },
      quiet: { from: "7", to: "07:00", zone: "Berlin", holdsCritical: false },
      scheduleIds: "1-3",
    });
    const { "/slack": slack, "/webhook": webhook, "/scheduleIds": ids, ...others } = issues;
    assertEquals(Object.keys(others), ["/name", "/quiet", "/mail", "/teams"]);
    const hosts = "https://hooks.slack.com/ or https://hooks.slack-gov.com/";
    assertEquals(slack, `must be an incoming webhook's URL, which begins with ${hosts}`);
    assertEquals(webhook, "must be on a host that WEBHOOK_HOSTS names, not internal.example.com");
    assertEquals(ids, "must be known schedules, not 2-3");
    assertEquals(JSON.stringify(issues).includes("secret"), false);
    const unsigned = { webhook: "https://hooks.example.com/secret" };
    const needed = (await issuesOf(services, { channels: unsigned }))["/webhook"];
    assertStringIncludes(needed, "must have a secret: whsec_ and 24 to 64 bytes");
    const night = { from: "20:00", to: "07:00", zone: "UTC", holdsCritical: false };
    for (const wrong of [{ from: "24:00" }, { to: "7:00" }, { zone: "Berlin" }, { to: "20:00" }]) {
      const quiet = { ...night, ...wrong };
      assertEquals(Object.keys(await issuesOf(services, { quiet })), ["/quiet"]);
    }
    assertEquals(await records.owners.list(), []);
    await own("Sales");
    const taken = { to: "sales", channels: { slack: "https://evil.example/" } };
    assertEquals(Object.keys(await issuesOf(services, taken)), ["/name", "/slack"]);
    // Hosts of the US government.
    const teams = [
      "prod-08.usgovtexas.logic.azure.us:443",
      ...["gov.powerplatform.microsoft", "high.powerplatform.microsoft", "appsplatform"]
        .map((name) => `1a.environment.api.${name}.us`),
    ].map((host) => ({ teams: `https://${host}/workflows/secret` }));
    const ofSlack = { slack: "https://hooks.slack-gov.com/services/secret" };
    for (const channels of [ofSlack, ...teams]) await own("Finance", [], { channels });
  }));
