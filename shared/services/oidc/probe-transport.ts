// How the probe reaches one listener: over TLS at its address, by the name that its certificate has to have, trusting our root alone.
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';

const WAIT_MS = 3_000;
const TEXT_MOST = 64 << 10;

export interface At {
  address: string;
  port: number;
  /** Name that the certificate has to have; empty: the address. */
  hostname: string;
  /** The only root that is trusted. */
  ca_pem: string;
}

export interface Heard {
  status: number;
  text: string;
  location: string | undefined;
  cookies: string[];
  /** Of the certificate that was shown, `AA:BB:…`. */
  sha256: string | null;
}

export interface Said {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** @throws Error where nothing comes back, or the certificate is not one of ours */
export type Exchange = (path: string, said?: Said) => Promise<Heard>;

export const exchangeAt =
  ({ address, port, hostname, ca_pem }: At): Exchange =>
  (path, { method = 'GET', headers = {}, body = '' } = {}) =>
    new Promise((resolve, reject) => {
      const named = hostname !== '' && { servername: hostname };
      const length = method === 'POST' && { 'content-length': Buffer.byteLength(body) };
      const asked = request(
        {
          ...{ host: address, port, path, method, ca: ca_pem, agent: false, timeout: WAIT_MS, ...named },
          headers: { ...(hostname !== '' && { host: hostname }), ...length, ...headers },
        },
        (response) => {
          const { statusCode: status = 0, headers: heard, socket } = response;
          const sha256 = (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? null;
          const { location, 'set-cookie': cookies = [] } = heard;
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
            if (text.length > TEXT_MOST) response.destroy();
          });
          response.on('error', reject);
          response.on('end', () => resolve({ status, text, location, cookies, sha256 }));
        },
      );
      asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
      asked.on('error', reject);
      asked.end(body);
    });
