// Reads the certificate of a machine before anything is sent to it: a handshake, and nothing after it.
import type { Socket } from 'node:net';
import { type ObservedCertificate, observed } from '../../ground/x509/certificate.ts';
import { unusable } from './faults.ts';
import type { Target } from './target.ts';
import { openTls } from './tls-socket.ts';

export interface ProbeOptions {
  /** Milliseconds. */
  timeout?: number;
  now: Date;
  signal?: AbortSignal | undefined;
  /** What would be spoken over it (ALPN); default HTTP. */
  protocols?: readonly string[];
  /** Begins in the clear, for a protocol that goes over to TLS; answers the connection at that point. */
  begin?: (address: string, target: Target) => Promise<Socket>;
}

const PROBE_MS = 10_000;
const CLOSE_MS = 1000;

/**
 * The certificate that the machine at a checked address shows for the target. Sends no application byte, but
 * for what leads to TLS, and knows no credential.
 * @throws Problem 409 `remote_unreachable`, `remote_timeout`, `remote_not_tls`, `remote_tls_too_old`
 */
export async function probeTls(address: string, target: Target, options: ProbeOptions): Promise<ObservedCertificate> {
  const { timeout = PROBE_MS, now, signal, protocols, begin } = options;
  const over = await begin?.(address, target);
  const socket = await openTls({
    ...{ address, target, timeout, signal },
    ...(protocols && { protocols }),
    ...(over && { over }),
  });
  socket.on('error', () => undefined);
  try {
    const certificate = socket.getPeerX509Certificate();
    if (!certificate) throw unusable(target, 'shows no certificate');
    return observed(certificate, { host: target.host, protocol: socket.getProtocol() ?? '', now });
  } finally {
    // In good order, so that the machine logs no broken handshake; it is not waited for.
    socket.end(() => socket.destroy());
    setTimeout(() => socket.destroy(), CLOSE_MS).unref();
  }
}
