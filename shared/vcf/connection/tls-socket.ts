// One TLS connection to an address that was checked before: time limits for each step, TLS 1.2 at least, no resumed
// session and no renegotiation, so that the certificate that it shows is the one of this connection, to its end.
import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { connectionFault, type Stage, tooLate } from './faults.ts';
import type { Target } from './target.ts';

export interface Dial {
  /** A literal: nothing is looked up here. */
  address: string;
  target: Target;
  /** Milliseconds for the connection and the handshake together. */
  timeout: number;
  signal?: AbortSignal | undefined;
  /** What is spoken over it (ALPN); default HTTP. Empty: the protocol has no word of its own. */
  protocols?: readonly string[];
  /** A connection to that very address, of a protocol that begins in the clear (STARTTLS). */
  over?: Socket;
}

/**
 * Connects and does the handshake. No certificate is verified here: the caller compares or shows it, and writes nothing
 * before.
 * @throws Problem 409: refused, too late, not TLS, too old; the signal's reason
 */
export function openTls({
  address,
  target,
  timeout,
  signal,
  protocols = ['http/1.1'],
  over,
}: Dial): Promise<TLSSocket> {
  if (!isIP(address)) throw new Error('Only an address that was checked is dialled.');
  signal?.throwIfAborted();
  const socket = connect({
    ...(over ? { socket: over } : { host: address, port: target.port }),
    // RFC 6066, 3: literal addresses are not permitted there.
    ...(!isIP(target.host) && { servername: target.host }),
    // Trust is the operator's confirmation of this very certificate, not that of an authority.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
    ...(protocols.length > 0 && { ALPNProtocols: [...protocols] }),
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });
  return new Promise((resolve, reject) => {
    let stage: Stage = over ? 'handshake' : 'connect';
    const listeners = {
      connect: () => {
        stage = 'handshake';
      },
      secureConnect: () => {
        settle();
        resolve(socket);
      },
      error: (error: Error) => fail(connectionFault(error, target, stage)),
      close: () => fail(connectionFault({}, target, stage)),
    };
    const timer = setTimeout(() => fail(tooLate(target, stage, timeout)), timeout);
    const aborted = () => fail(signal!.reason);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
    };
    const fail = (error: unknown) => {
      settle();
      // Later errors of an abandoned socket are ignored.
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}
