// Two planes at doors on loopback addresses, each with a certificate of its own, and a client that says which name it asks
// TLS for and which one HTTP.
import { request } from 'node:https';
import type { PeerCertificate } from 'node:tls';
import { type DepotListener, type DepotListenerOptions, startDepotListener } from '../../runtime/depot-listener.ts';
import { type Listener, type ListenerOptions, startListener } from '../../runtime/listener.ts';
import { fixedCertificate } from '../../runtime/management-certificate.ts';
import type { TlsDoors } from '../../runtime/tls-doors.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import type { Pair } from '../setup/certificates.ts';

export const DEPOT_NAME = 'depot.lab.example';
export const OWN_NAME = 'gc01.lab.example';
export const warned: Record<string, unknown>[] = [];

export const services = {
  entropy: systemEntropy,
  settings: { base_url: '', hostname: OWN_NAME },
  logger: {
    info: () => undefined,
    error: () => undefined,
    warn: (said: string, more: object) => warned.push({ said, ...more }),
  },
} as unknown as Services;

export const startManagement = (
  doors: TlsDoors,
  tls: Pair,
  listen: ListenerOptions['listen'],
  more: Partial<ListenerOptions> = {},
): Promise<Listener> =>
  startListener({
    ...{ services, doors, tls: fixedCertificate(tls), listen },
    assets: { manifest: {}, serve: () => false },
    answer: async () => ({ statusCode: 200, headers: {}, body: 'management' }),
    ...more,
  });

export const startDepot = (
  doors: TlsDoors,
  shown: Pair,
  listen: ListenerOptions['listen'],
  more: Partial<DepotListenerOptions> = {},
): Promise<DepotListener> =>
  startDepotListener({
    ...{ services, doors, shown, listen },
    async serve(asked, response) {
      response.statusCode = doors.isMisdirected('offline-depot', asked) ? 421 : 200;
      response.end(response.statusCode === 200 ? 'depot' : '');
    },
    ...more,
  });

export interface Asked {
  port: number;
  address?: string;
  from?: string;
  sni?: string;
  host?: string | null;
}

/** `200 management gc01.lab.example`: status, body, name in the certificate; or `alert 112`; or the code of the error. */
export function ask({
  port,
  address = '127.0.0.1',
  from = '127.0.0.1',
  sni = '',
  host = address,
}: Asked): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(
      {
        ...{ host: address, port, localAddress: from, servername: sni, agent: false, rejectUnauthorized: false },
        ...(host === null ? { setHost: false } : { headers: { host } }),
      },
      (response) => {
        const { subject } = (
          response.socket as unknown as { getPeerCertificate(): PeerCertificate }
        ).getPeerCertificate();
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
        response.on('end', () =>
          resolve([response.statusCode, response.statusCode === 200 ? text : '', subject.CN].filter(Boolean).join(' ')),
        );
      },
    );
    asked.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      const [, alert] = /SSL alert number (\d+)/.exec(message) ?? [];
      resolve(alert === undefined ? (code ?? message) : `alert ${alert}`);
    });
    asked.end();
  });
}
