"""SearXNG, and in the same process a small web site that its engines read: a page, a forum and a wiki, and one that refuses.

Arguments: the port of the site. SearXNG reads its own port from its settings.
"""

import html
import json
import runpy
import sys
import threading
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

# What the site knows: the page of undated entries, and dated ones by their age in days.
PAGE = [
    ("Slow trains of the north", "https://trains.example/north?utm_source=page", "A guide to <b>slow trains</b> in the north."),
    ("Slow trains of the south", "https://trains.example/south", "Slow\u200b trains by the sea."),
    ("Making bread at home", "https://bread.example/", "Flour, water, salt and time."),
]
DATED = [
    (11, "Night trains return", 2, "A night train runs again."),
    (12, "Trains in the snow", 20, "How trains keep going in winter."),
    (13, "Trains of the last century", 400, "Old trains in a museum."),
]


def fits(words, *texts):
    known = " ".join(texts).lower()
    return all(word in known for word in words.lower().split())


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        if address.path == "/page":
            self.answer("text/html; charset=utf-8", self.page(query.get("q", "")))
        elif address.path == "/forum/search.json":
            self.answer("application/json", json.dumps(self.forum(query.get("q", ""))))
        elif address.path == "/wiki/w/api.php":
            self.answer("application/json", json.dumps(self.wiki(query.get("srsearch", ""))))
        else:
            self.send_error(429)

    def page(self, words):
        entries = [entry for entry in PAGE if fits(words, entry[0], entry[2])]
        rows = "".join(
            f'<li><a href="{html.escape(url)}">{html.escape(title)}</a><p>{text}</p></li>' for title, url, text in entries
        )
        return f"<html><body><ul>{rows}</ul></body></html>"

    # In the form of Discourse, which takes `after:DATE` among the words.
    def forum(self, words):
        after, plain = None, []
        for word in words.split():
            if word.startswith("after:"):
                after = datetime.strptime(word[len("after:"):], "%Y-%m-%d").replace(tzinfo=timezone.utc)
            elif not word.startswith("order:"):
                plain.append(word)
        topics, posts = [], []
        for number, title, days, text in DATED:
            created = datetime.now(timezone.utc) - timedelta(days=days)
            if fits(" ".join(plain), title, text) and (after is None or created >= after):
                topics.append({"id": number, "title": title, "created_at": created.isoformat(), "posts_count": 1, "tags": []})
                posts.append({"id": number, "topic_id": number, "blurb": text, "username": "somebody", "like_count": 0})
        return {"topics": topics, "posts": posts}

    # In the form of MediaWiki, whose times SearXNG passes on without a zone.
    def wiki(self, words):
        created = datetime.now(timezone.utc) - timedelta(days=3)
        page = {
            "title": "Night train",
            "snippet": "A <span class=\"searchmatch\">night</span> train &amp; its beds.",
            "timestamp": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        return {"query": {"search": [page] if fits(words, "night train beds") else []}}

    def answer(self, kind, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


site = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Site)
threading.Thread(target=site.serve_forever, daemon=True).start()
sys.argv = ["searx.webapp"]
runpy.run_module("searx.webapp", run_name="__main__")
