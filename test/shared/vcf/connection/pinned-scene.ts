// What the tests of pinned connections share: two certificates, fakes and clients that are stopped after each test.
import { afterEach, beforeAll } from '@jest/globals';
import {
  type PinnedClient,
  type PinnedOptions,
  pinnedClient,
} from '../../../../shared/vcf/connection/pinned-client.ts';
import {
  type Certificate,
  makeCertificate,
  startTlsTarget,
  type TlsTarget,
  type TlsTargetOptions,
} from '../../../fakes/tls-target.ts';

export const ADDRESS = '127.0.0.1';
/** Later than the certificates that are made here. */
export const NOW = new Date(Date.now() + 3_600_000);
export const SECRET = 'Canary-pw-7f3a';

export let first: Certificate;
export let other: Certificate;
beforeAll(() => {
  first = makeCertificate();
  other = makeCertificate();
});

const open: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop();
});

export async function target(options: TlsTargetOptions = {}): Promise<TlsTarget> {
  const started = await startTlsTarget({ certificate: first, next: other, ...options });
  open.push(started);
  return started;
}

export function client(of: TlsTarget, options: Partial<PinnedOptions> = {}): PinnedClient {
  const made = pinnedClient({
    host: 'vc01.lab.example',
    address: ADDRESS,
    port: of.port,
    sha256: first.sha256,
    timeout: 60_000,
    ...options,
  });
  open.push({ stop: () => made.close() });
  return made;
}

export const login = {
  method: 'POST',
  path: '/v1/tokens',
  headers: { authorization: `Basic ${SECRET}` },
  body: SECRET,
};
export const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
export const faultOf = (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => Promise.reject(new Error('it went well')),
    (error) => error,
  );

/** The other side hears of things later than this one. */
export { until } from '../../../setup/until.ts';
