# A mail server with STARTTLS or TLS from the beginning, and a login that it requires: aiosmtpd, for tests. Prints a line of JSON
# when it listens, and one for each mail. Arguments: certificate, key, starttls|tls, user, password.
import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

certificate, key, mode, user, password = sys.argv[1:6]
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)


def say(fact):
    print(json.dumps(fact), flush=True)


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("unwanted"):
            return "550 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        say(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "tls": session.ssl is not None or mode == "tls",
                "login": session.authenticated,
                "content": envelope.content.decode("ascii"),
            }
        )
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    ok = data.login == user.encode() and data.password == password.encode()
    return AuthResult(success=ok, handled=False)


async def main():
    loop = asyncio.get_running_loop()
    shared = {"authenticator": authenticate, "auth_required": True, "hostname": "mail.lab.example"}

    def make():
        if mode == "starttls":
            return SMTP(Handler(), tls_context=context, require_starttls=True, **shared)
        return SMTP(Handler(), auth_require_tls=False, **shared)

    server = await loop.create_server(make, "127.0.0.1", 0, ssl=context if mode == "tls" else None)
    say({"port": server.sockets[0].getsockname()[1]})
    await server.serve_forever()


asyncio.run(main())
