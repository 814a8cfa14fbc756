"""The smallest client of certo: repair or write one function of a file, and put the verified result in the file.

    python repair.py till/coins.py change

It starts `certo serve` in the current directory, which is the project. Only the standard library is used.
"""

import io
import json
import os
import subprocess
import sys
from pathlib import Path


class Client:
    """One conversation with a server over its standard input and output, about one open document."""

    def __init__(self, command, path):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.path = path
        self.uri = path.as_uri()
        self.text = path.read_bytes().decode("utf-8")
        self.number = 0

    def send(self, **message):
        """Send a message, after a header with its length in bytes."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def receive(self):
        """Return the next message. Headers end with an empty line."""
        length = 0
        while header := self.server.stdout.readline().strip():
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            sys.exit("the server has ended")
        return json.loads(self.server.stdout.read(length))

    def ask(self, method, params):
        """Send a request and return its result; what the server asks meanwhile is answered."""
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while True:
            message = self.receive()
            if "method" in message:
                if "id" in message:
                    self.answer(message)
            elif message["id"] == self.number:
                if "error" in message:
                    sys.exit(message["error"]["message"])
                return message["result"]

    def answer(self, request):
        """Answer a request of the server: apply an edit, and refuse what this client did not say it can do."""
        if request["method"] != "workspace/applyEdit":
            self.send(id=request["id"], error={"code": -32601, "message": "not supported"})
            return
        [change] = request["params"]["edit"]["documentChanges"]
        # From the last edit to the first, so that an edit moves none that is still to come.
        edits = [(self.offset(each["range"]["start"]), each) for each in change["edits"]]
        for start, edit in sorted(edits, key=lambda pair: pair[0], reverse=True):
            self.text = self.text[:start] + edit["newText"] + self.text[self.offset(edit["range"]["end"]) :]
        document = {"uri": self.uri, "version": 2}
        # The server is told of the new text before it is told that the edit was applied.
        self.send(
            method="textDocument/didChange",
            params={"textDocument": document, "contentChanges": [{"text": self.text}]},
        )
        self.send(id=request["id"], result={"applied": True})

    def offset(self, position):
        """Return the index in the text of a position, which counts code points: `utf-32` was asked for."""
        lines = list(io.StringIO(self.text, newline=""))
        return sum(map(len, lines[: position["line"]])) + position["character"]

    def open(self, root):
        """Begin the conversation, ask for version 1 of certo's own protocol, and open the document."""
        capabilities = {
            "general": {"positionEncodings": ["utf-32"]},
            "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
            "experimental": {"certo": {"versions": [1]}},
        }
        self.ask(
            "initialize",
            {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": capabilities},
        )
        self.send(method="initialized", params={})
        document = {"uri": self.uri, "languageId": "python", "version": 1, "text": self.text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def close(self):
        """End the conversation, and with it every search that still runs."""
        self.ask("shutdown", None)
        self.send(method="exit")
        self.server.wait()


def repair(client, function):
    """Search, print each candidate with its verdict, and apply the winner. Return True if the file was changed."""
    search = client.ask("certo/search/start", {"key": "repair", "uri": client.uri, "qualname": function})["searchId"]
    # The answer comes when the search has ended. With a `partialResultToken`, events would come as they happen.
    events = client.ask("certo/search/attach", {"searchId": search, "fromSeq": 0})["events"]
    for event in events:
        if event["type"] == "candidate.scored":
            print(event["candidateId"], "verified" if event["verified"] else "not verified")
    end = events[-1]
    print(end["sentence"])
    if not end["verified"]:
        return False
    print(end["winner"]["diff"])
    applied = client.ask(
        "certo/candidate/apply",
        {"searchId": search, "candidateId": end["winner"]["candidateId"], "version": 1},
    )
    return applied["applied"] and applied["verified"]


def main(file, function, *command):
    """Repair one function of a file; return the exit code."""
    root = Path.cwd()
    client = Client(command or ["certo", "serve"], root / file)
    client.open(root)
    changed = repair(client, function)
    client.close()
    if changed:
        client.path.write_bytes(client.text.encode("utf-8"))
    return 0 if changed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
