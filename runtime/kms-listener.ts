// The socket side of key management: TLS 1.2 or newer, with a client certificate. Which certificate, not who signed it, decides
// (caller.ts): vCenter shows one that it signed itself.
import { constants } from 'node:crypto';
import tls from 'node:tls';
import type { KnownAddresses } from '../shared/kernel/access/known-addresses.ts';
import type { ListenAddress } from './config.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { KmsSession, type SessionShell } from './kms-session.ts';
import type { Listener } from './listener.ts';
import { ownSocket } from './way-in.ts';

/** Certificate with its chain, and key, as PEM. */
export interface Shown {
  cert: string;
  key: string;
}

/** Counts of connections, and milliseconds from the first byte of one to the end of its handshake. */
const MOST = {
  connections: { all: 600, reserved: 100, each: 256, network: 400, known: 64 },
  handshake: 10_000,
};

export interface KmsListener extends Listener {
  /** New connections get this certificate; open ones keep theirs. */
  show(shown: Shown): void;
}

export interface KmsListenerOptions extends SessionShell {
  listen: ListenAddress;
  shown: Shown;
  known: Pick<KnownAddresses, 'has'>;
}

const WAYS: tls.SecureContextOptions = {
  minVersion: 'TLSv1.2',
  // Each connection shows its certificate anew.
  secureOptions: constants.SSL_OP_NO_TICKET,
};

/** @throws Error (EADDRINUSE…) */
export async function startKmsListener({ listen, shown, known, ...shell }: KmsListenerOptions): Promise<KmsListener> {
  const sessions = new Set<KmsSession>();
  const connections = new ConnectionLimit(shell.services, MOST.connections, (address) => known.has(address));
  const server = tls.createServer({
    ...WAYS,
    ...shown,
    requestCert: true,
    // OpenSSL has verified that the client has the key; which certificates are trusted is ours to say.
    rejectUnauthorized: false,
    handshakeTimeout: MOST.handshake,
  });
  server.on('connection', connections.take);
  server.on('secureConnection', (socket) => {
    const session = new KmsSession(shell, socket);
    sessions.add(session);
    socket.once('close', () => sessions.delete(session));
    void session.begin();
  });
  // A port scan, a broken handshake: nobody is there to be told.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const way = await ownSocket(server as never, { ...listen, exclusive: true });
  return {
    address: way.address,
    show: (next) => server.setSecureContext({ ...WAYS, ...next }),
    async stop(grace) {
      const closed = way.close();
      for (const session of sessions) session.stop();
      const timer = setTimeout(() => connections.endAll(), grace);
      await closed;
      clearTimeout(timer);
    },
  };
}
