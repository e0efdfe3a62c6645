import { currentEvidenceKey, publicEvidenceKeys } from "../../../server/backend/evidence_keys.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { answerOrProblem } from "../../_errors.ts";
import { handler } from "./$key.ts";

/** The public key of packs as PEM, for everyone; `?retired=1` is the key before, and so on. */
export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { records, recordsSealing, open } = ctx.state.services;
      if (!records || !recordsSealing) {
        throw new ProblemError(404, "Without records there is no key");
      }
      await open();
      const at = Number(ctx.url.searchParams.get("retired") ?? 0);
      if (at === 0) await currentEvidenceKey(records, recordsSealing, Date.now());
      const key = (await publicEvidenceKeys(records))[at];
      if (!key) throw new ProblemError(404, "There is no such key");
      const type = { "content-type": "application/x-pem-file" };
      return new Response(key.publicKey, { headers: type });
    }),
});
