import { assert } from "@std/assert";
import { openSignedIn, withPage } from "../visit.ts";

Deno.test("[browser] today: on 390 px, shows the answer, the day and what needs somebody first", () =>
  withPage({ width: 390, isWatched: true }, async (visit) => {
    const { page } = visit;
    await openSignedIn(visit, "/");
    const day = page.getByRole("img", { name: /^Today's runs: / });
    for (const shown of [day, page.getByRole("article").first()]) {
      const box = (await shown.boundingBox())!;
      assert(box.y + box.height <= 800, `${box.y} ${box.height}`);
    }
  }));
