// Receives Docket's webhooks and checks their signature: WEBHOOK_SECRET=… deno run -A receiver.ts
import { Webhook } from "standardwebhooks"; // npm add standardwebhooks

const webhook = new Webhook(Deno.env.get("WEBHOOK_SECRET")!);
Deno.serve({ port: Number(Deno.env.get("RECEIVER_PORT") ?? 9000) }, async (request) => {
  try {
    const body = webhook.verify(await request.text(), Object.fromEntries(request.headers));
    console.log(JSON.stringify(body));
    return new Response(null, { status: 204 });
  } catch {
    return new Response("The signature is wrong", { status: 401 });
  }
});
