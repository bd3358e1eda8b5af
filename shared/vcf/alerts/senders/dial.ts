// The way to a receiver: its address is judged like that of every remote machine, and nothing is sent before it has shown the
// certificate that was confirmed.
import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Services } from '../../../kernel/operation/services.ts';
import { certificateChanged, connectionFault, tooLate } from '../../connection/faults.ts';
import { loadTargetPolicy } from '../../connection/policy-store.ts';
import type { Target } from '../../connection/target.ts';
import { resolveTarget } from '../../connection/target-policy.ts';
import { openTls } from '../../connection/tls-socket.ts';

export type SendShell = Pick<Services, 'store' | 'host' | 'settings' | 'keyring' | 'clock'>;

/** Milliseconds for a connection with its handshake. */
export const CONNECT_MS = 10_000;

export interface Way {
  server: Target;
  /** Looked up and judged now: a name may have moved since the last message. */
  address: string;
  /** Ends it, whatever step it is at. */
  signal: AbortSignal;
}

/** @throws Problem 409 `target_refused`, `remote_name_unknown`, `remote_timeout` */
export async function wayTo({ store, host, settings }: SendShell, server: Target, signal: AbortSignal): Promise<Way> {
  const { address } = await resolveTarget(server, await loadTargetPolicy(store, { host, settings }));
  return { server, address, signal };
}

/** TLS to the certificate that was confirmed; nothing was sent yet. @throws Problem 409 */
export async function pinned({ server, address, signal }: Way, sha256: string, over?: Socket): Promise<TLSSocket> {
  const socket = await openTls({
    ...{ address, target: server, timeout: CONNECT_MS, signal, protocols: [] },
    ...(over && { over }),
  });
  const shown = socket.getPeerX509Certificate()?.fingerprint256 ?? null;
  if (shown === sha256) return socket;
  socket.on('error', () => undefined).destroy();
  throw certificateChanged(server, sha256, shown);
}

/** A connection in the clear, for a protocol that begins so. @throws Problem 409 */
export function plain({ server, address, signal }: Way): Promise<Socket> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port: server.port });
    const fail = (error: unknown) => {
      settle();
      socket.on('error', () => undefined).destroy();
      reject(error);
    };
    const failed = (error: Error) => fail(connectionFault(error, server, 'connect'));
    const aborted = () => fail(signal.reason);
    const timer = setTimeout(() => fail(tooLate(server, 'connect', CONNECT_MS)), CONNECT_MS);
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      socket.off('error', failed);
    };
    signal.addEventListener('abort', aborted, { once: true });
    socket.on('error', failed).once('connect', () => {
      settle();
      resolve(socket);
    });
  });
}
