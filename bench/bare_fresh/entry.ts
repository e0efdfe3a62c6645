/** The bare app without Docket's own entry. */
// @ts-expect-error: a virtual module of the build; without it, every page is a 404.
import "#nitro/virtual/polyfills";
import { useNitroApp } from "nitro/app";

export function fetch(request: Request): Response | Promise<Response> {
  return useNitroApp().fetch(request);
}
