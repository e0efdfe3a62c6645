/** Confirming a plan, without JavaScript. */
import { assertEquals } from "@std/assert";
import { pollAll } from "../sample_watches.ts";
import { openSignedIn, withPage } from "../visit.ts";

Deno.test("[browser] plans: are confirmed by one press, once a name is known", () =>
  withPage({ javaScriptEnabled: false }, async (visit) => {
    const { page, services } = visit;
    const { watches, events } = services.records!;
    await watches.add([102], Date.now());
    await pollAll(services);
    const confirm = page.getByRole("button", { name: "Confirm the plan", exact: true });
    const press = () => confirm.filter({ visible: true }).first().click();
    await openSignedIn(visit, "/schedules/104");
    await press();
    await page.getByText(/Enter your name/).first().waitFor();
    await page.getByLabel(/Acting as/).first().fill("Ada");
    await press();
    await page.goto("/schedules/102/recipients");
    await page.getByText(/· plan inferred/).waitFor();
    await press();
    await page.getByText("The plan is saved and confirmed.").waitFor();
    for (const id of [104, 102]) {
      const [{ actor }] = await events.latest(id, 1, ["plan confirmed"]);
      assertEquals([(await watches.get(id))?.plans.length, actor?.name], [1, "Ada"]);
    }
  }));
