# Receives Docket's webhooks and checks their signature: WEBHOOK_SECRET=... python3 receiver.py
import base64, hashlib, hmac, http.server, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        message, sent, given = [self.headers.get(name, "") for name in names]
        text = f"{message}.{sent}.".encode() + body
        right = b"v1," + base64.b64encode(hmac.digest(KEY, text, hashlib.sha256))
        is_right = any(hmac.compare_digest(right, each.encode()) for each in given.split())
        is_recent = sent.isdecimal() and abs(time.time() - int(sent)) < 300
        self.send_response(204 if is_right and is_recent else 401)
        self.end_headers()
        if is_right and is_recent:
            print(body.decode(), flush=True)

port = int(os.environ.get("RECEIVER_PORT", 9000))
http.server.HTTPServer(("", port), Receiver).serve_forever()
