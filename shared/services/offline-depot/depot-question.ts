// A separate program: queries the listeners of the offline depot over TLS, each at its address, and prints the answers
// as JSON. It runs where the service answers. Argument: DepotQuestions as JSON.
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';

export interface DepotQuestions {
  listeners: { address: string; port: number }[];
  /** Name that the certificate has to have; empty: the address. */
  hostname: string;
  path: string;
  /** The only root that is trusted. */
  ca_pem: string;
}

export interface DepotAnswer {
  text: string | null;
  /** Why there is no answer, in a clause. */
  error: string | null;
  /** Of the certificate that was shown, `AA:BB:…`. */
  sha256?: string | null;
}

const WAIT_MS = 3_000;
const TEXT_MOST = 4 << 10;

export function askDepot(
  { address, port }: DepotQuestions['listeners'][number],
  { hostname, path, ca_pem }: Pick<DepotQuestions, 'hostname' | 'path' | 'ca_pem'>,
): Promise<DepotAnswer> {
  return new Promise((resolve) => {
    const failed = (error: string) => resolve({ text: null, error });
    const asked = request(
      {
        host: address,
        port,
        path,
        ca: ca_pem,
        agent: false,
        timeout: WAIT_MS,
        ...(hostname !== '' && { servername: hostname, headers: { host: hostname } }),
      },
      (response) => {
        let text = '';
        const sha256 = (response.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? null;
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          if (text.length > TEXT_MOST) response.destroy();
        });
        response.on('error', ({ message }) => failed(message));
        response.on('end', () =>
          response.statusCode === 200
            ? resolve({ text, error: null, sha256 })
            : failed(`status ${response.statusCode}`),
        );
      },
    );
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', ({ message }) => failed(message));
    asked.end();
  });
}

if (import.meta.main) {
  const { listeners, ...how } = JSON.parse(process.argv[2] ?? '') as DepotQuestions;
  process.stdout.write(`${JSON.stringify(await Promise.all(listeners.map((each) => askDepot(each, how))))}\n`);
}
