import { handler } from "./$index.ts";

/** The home page redirects to the file sets. */
export const handlers = handler({
  GET: (ctx) => ctx.redirect("/filesets", 303),
});
