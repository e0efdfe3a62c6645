import { handler } from "./$index.ts";

/** Docket opens with the file sets. */
export const handlers = handler({
  GET: (ctx) => ctx.redirect("/filesets", 303),
});
