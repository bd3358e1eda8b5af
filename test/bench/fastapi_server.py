"""The comparison server of the HTTP benchmark as somebody would write it with FastAPI and Python's own sqlite3: the same token, the
same row, the same answer; its audit row is not chained. Arguments: database file, keys file, port."""

import base64
import hashlib
import hmac
import json
import sqlite3
import sys
import threading
from datetime import datetime, timezone

import uvicorn
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel, Field

FILE, KEYS, PORT = sys.argv[1:4]


def opened() -> sqlite3.Connection:
    connection = sqlite3.connect(FILE, isolation_level=None, check_same_thread=False, timeout=5)
    connection.row_factory = sqlite3.Row
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def derived(info: str) -> bytes:
    """HKDF with SHA-256 and no salt, 32 bytes (RFC 5869)."""
    root = decoded(json.load(open(KEYS, encoding="utf8"))["root"])
    key = hmac.new(b"\0" * 32, root, hashlib.sha256).digest()
    return hmac.new(key, info.encode() + b"\1", hashlib.sha256).digest()


PEPPER = derived("groundcrew/token-pepper/1")
own = threading.local()
writer, turn = opened(), threading.Lock()
app = FastAPI()


def reader() -> sqlite3.Connection:
    if not hasattr(own, "connection"):
        own.connection = opened()
    return own.connection


def now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def caller(authorization: str = Header("")) -> sqlite3.Row:
    bearer = authorization[7:]
    body = bearer[:-6]
    if hashlib.sha256(body.encode()).hexdigest()[:6] != bearer[-6:]:
        raise HTTPException(401)
    row = reader().execute(
        "SELECT t.*, u.name AS user_name FROM api_token t JOIN user u ON u.id = t.user_id WHERE t.id = ?", (bearer[4:24],)
    ).fetchone()
    if row is None or row["revoked_at"] is not None or row["expires_at"] <= now():
        raise HTTPException(401)
    if not hmac.compare_digest(hmac.new(PEPPER, body.encode(), hashlib.sha256).digest(), decoded(row["secret_hmac"])):
        raise HTTPException(401)
    return row


def view(row: sqlite3.Row) -> dict:
    found = dict(row)
    found["observed"] = json.loads(found["observed"]) if found["observed"] else None
    for name in ("present", "ipv6_enabled", "enabled", "access_management_ui_enabled"):
        found[name] = found[name] == 1
    return found


class Change(BaseModel):
    mtu: int = Field(ge=576, le=9216)


@app.get("/api/v1/interfaces/physical/{name}")
def get_one(name: str, _caller: sqlite3.Row = Depends(caller)):
    row = reader().execute("SELECT * FROM interface WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise HTTPException(404)
    return view(row)


@app.patch("/api/v1/interfaces/physical/{name}")
def patch_one(name: str, change: Change, token: sqlite3.Row = Depends(caller)):
    with turn:
        writer.execute("BEGIN IMMEDIATE")
        try:
            row = writer.execute("SELECT * FROM interface WHERE name = ?", (name,)).fetchone()
            if row is None:
                raise HTTPException(404)
            at = now()
            writer.execute(
                "UPDATE interface SET mtu = ?, revision = revision + 1, updated_at = ? WHERE name = ?", (change.mtu, at, name)
            )
            writer.execute(
                """INSERT INTO audit_event (seq, at, actor_kind, actor_id, actor_name, action, resource_type, resource_id,
                     outcome, request_id, source_address, detail, previous_hash, hash)
                   SELECT coalesce(max(seq), 0) + 1, ?, 'token', ?, ?, 'interface.update', 'interface', ?, 'success', 'req',
                     '127.0.0.1', ?, '', hex(randomblob(16)) FROM audit_event""",
                (at, token["user_id"], token["user_name"], name, json.dumps({"changed": {"mtu": [row["mtu"], change.mtu]}})),
            )
            after = writer.execute("SELECT * FROM interface WHERE name = ?", (name,)).fetchone()
            writer.execute("COMMIT")
        except BaseException:
            writer.execute("ROLLBACK")
            raise
    return view(after)


uvicorn.run(app, host="127.0.0.1", port=int(PORT), log_level="error", access_log=False)
