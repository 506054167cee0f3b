"""A future version of the service, with a topic and a field more, in front of today's: newer_service.py URL

Prints its address, and answers until it is ended.
"""

import http.server
import json
import sys
import urllib.error
import urllib.request

TOPIC = "broadband"


def newer(value):
    """Adds a topic to each list of topics of an answer, and a field to each object."""
    if isinstance(value, list):
        return [newer(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: newer(item) for name, item in value.items()}
    topics = value.get("topics")
    if topics and isinstance(topics[0], str):
        topics.append(TOPIC)
    elif topics:
        topics.append({**topics[0], "topic": TOPIC})
    # Objects whose names are data, not fields, get no further field.
    is_map = any(all(isinstance(item, kind) for item in value.values()) for kind in (list, str))
    return value if is_map or value.get("type") == "Point" else {**value, "added_later": [1]}


class Newer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        try:
            answer = urllib.request.urlopen(sys.argv[1] + self.path)
        except urllib.error.HTTPError as error:
            answer = error
        body = json.dumps(newer(json.load(answer))).encode()
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Newer)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
