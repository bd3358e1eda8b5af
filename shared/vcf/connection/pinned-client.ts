// HTTP to one machine, pinned to the certificate that an operator confirmed.
import { isIP } from 'node:net';
import { FINGERPRINT } from '../../ground/x509/certificate.ts';
import { exchange, metStaleSocket, type PinnedAnswer, type PinnedRequest, type PinnedUpload } from './exchange.ts';
import { type Peer, PinnedAgent } from './pinned-agent.ts';

export type { PinnedAnswer, PinnedRequest, PinnedUpload };

export interface PinnedClient {
  /** @throws Problem 409 `certificate_changed` and the `remote_…` ones; the signal's reason */
  request(asked: PinnedRequest): Promise<PinnedAnswer>;
  /** The same with a body of any length, handed over as fast as the other side takes it. */
  upload(asked: PinnedUpload): Promise<PinnedAnswer>;
  /** Ends its connections; requests that are under way fail. */
  close(): void;
}

export interface PinnedOptions extends Peer {
  /** Milliseconds for a request with its answer; of an upload: in which something must move. Default 30,000. */
  timeout?: number;
}

const TIMEOUT_MS = 30_000;
const CONNECT_MS = 15_000;
const REPEATABLE = new Set(['GET', 'HEAD']);

/**
 * A client with connections of its own, which stay open between requests. `address` was checked and confirmed; `host`
 * only names the machine (SNI, Host).
 */
export function pinnedClient({ timeout = TIMEOUT_MS, ...given }: PinnedOptions): PinnedClient {
  if (!isIP(given.address)) throw new Error('A pinned client dials an address that was checked.');
  if (!FINGERPRINT.test(given.sha256)) throw new Error('A pinned client needs a SHA-256 in upper-case hexadecimal.');
  const { host, port, address, sha256, or_vouched = false } = given;
  const peer: Peer = { host, port, address, sha256, or_vouched };
  const agent = new PinnedAgent(peer, Math.min(timeout, CONNECT_MS));
  const send = async (asked: PinnedRequest | PinnedUpload): Promise<PinnedAnswer> => {
    if (agent.closed) throw new Error('The client was closed.');
    return exchange(agent, peer, { ...asked, timeout: asked.timeout ?? timeout });
  };
  return {
    async request(asked) {
      try {
        return await send(asked);
      } catch (error) {
        if (!metStaleSocket(error) || !REPEATABLE.has(asked.method) || agent.closed) throw error;
        agent.dropIdle();
        return send(asked);
      }
    },
    upload: send,
    close: () => agent.close(),
  };
}
