import { loadEvidenceKey } from "../../../server/backend/evidence_keys.ts";
import { ProblemError } from "../../../server/http/problem.ts";
import { answerOrProblem } from "../../_errors.ts";
import { handler } from "./$key.ts";

/** The public key of signed evidence as PEM, for everyone. */
export const handlers = handler({
  GET: (ctx) =>
    answerOrProblem(ctx, async () => {
      const { records, recordsSealing, open } = ctx.state.services;
      if (!records || !recordsSealing) {
        throw new ProblemError(404, "Without records there is no key");
      }
      await open();
      const { publicKey } = await loadEvidenceKey(records, recordsSealing);
      return new Response(publicKey, { headers: { "content-type": "application/x-pem-file" } });
    }),
});
