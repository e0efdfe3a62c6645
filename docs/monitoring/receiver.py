# Receives Docket's webhooks and checks their signature: WEBHOOK_SECRET=... python3 receiver.py
import base64, hashlib, hmac, http.server, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        sent, given = self.headers["webhook-timestamp"], self.headers["webhook-signature"].split()
        text = f"{self.headers['webhook-id']}.{sent}.".encode() + body
        right = "v1," + base64.b64encode(hmac.digest(KEY, text, hashlib.sha256)).decode()
        is_right = any(hmac.compare_digest(right, each) for each in given)
        is_recent = abs(time.time() - int(sent)) < 300
        self.send_response(204 if is_right and is_recent else 401)
        self.end_headers()
        if is_right and is_recent:
            print(body.decode(), flush=True)

http.server.HTTPServer(("", int(os.environ.get("PORT", 9000))), Receiver).serve_forever()
