import { PageHeader } from "../../components/page/page_header.tsx";
import { Choice, Field } from "../../components/ui/form.tsx";
import { isZone } from "../../server/config/setting_values.ts";
import { parsePreferences, writePreferences } from "../../server/schedules/preferences.ts";
import { redirectWithNotice } from "./_actions.ts";
import { readFormBody } from "../../server/http/request_body.ts";
import { handler, page } from "./$preferences.ts";

export const handlers = handler({
  GET: ({ state: { preferences } }) => ({ data: preferences }),

  async POST(ctx) {
    const form = await readFormBody(ctx.req);
    const preferences = parsePreferences(form, ctx.state.preferences);
    const zone = form.get("zone")?.trim() ?? "";
    if (!isZone(zone)) {
      const issues = { zone: `“${zone}” is unknown. Use a name such as Europe/Berlin` };
      ctx.state.refused = { typed: form, issues, errors: [] };
      return { data: preferences, status: 400 };
    }
    const response = redirectWithNotice(ctx, "/preferences", "saved-preferences");
    writePreferences(response.headers, preferences, ctx.state.origin.startsWith("https:"));
    return response;
  },
});

export default page(({ data: preferences }) => (
  <>
    <PageHeader title="Preferences" />
    <form method="post" action="/preferences" class="box stack panel">
      <Field
        name="zone"
        label="Time zone"
        list="zones"
        help="UTC, or a name such as Europe/Berlin."
        required
        value={preferences.zone}
      >
        {ZONE_LIST}
      </Field>
      <Choice
        name="theme"
        label="Theme"
        selected={preferences.theme}
        options={[["system", "Match system"], ["light", "Light"], ["dark", "Dark"]]}
      />
      <Choice
        name="density"
        label="Density"
        selected={preferences.density}
        options={[["comfortable", "Comfortable"], ["compact", "Compact"]]}
      />
      <button type="submit" class="main">Save</button>
    </form>
  </>
));

const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];
/** Made once, as it is long and never changes. */
const ZONE_LIST = (
  <datalist id="zones">{ZONES.map((zone) => <option key={zone} value={zone} />)}</datalist>
);
