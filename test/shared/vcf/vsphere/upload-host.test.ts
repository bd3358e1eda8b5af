// The machine that takes the disks: trusted by what the confirmed server says of it, or sent nothing at all.
import { createHash, X509Certificate } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deploymentShell } from '../../../../shared/vcf/deployment/shell.ts';
import type { LeaseUrl } from '../../../../shared/vcf/vsphere/lease.ts';
import { type UploadOptions, uploadClient, uploadFile } from '../../../../shared/vcf/vsphere/upload-host.ts';
import {
  type Certificate,
  makeCertificate,
  startTlsTarget,
  type TlsTarget,
  type TlsTargetOptions,
} from '../../../fakes/tls-target.ts';
import { House } from '../../../setup/house.ts';
import { permitLoopback } from '../../../setup/remote-scene.ts';
import { faultOf } from './canned.ts';

const TICKET = '/nfc/52-canary-ticket/disk-0.vmdk';
let house: House;
let certificate: Certificate;
let other: Certificate;
const started: TlsTarget[] = [];
beforeAll(async () => {
  house = await House.open();
  await permitLoopback(house, await house.actor('admin'));
  certificate = makeCertificate();
  other = makeCertificate();
});
afterAll(async () => {
  for (const each of started) await each.stop();
  await house.close();
});

const host = async (options: TlsTargetOptions = {}): Promise<TlsTarget> => {
  const made = await startTlsTarget({ certificate, ...options });
  started.push(made);
  return made;
};
const digest = (algorithm: string, { cert } = certificate): string =>
  createHash(algorithm).update(new X509Certificate(cert).raw).digest('hex').toUpperCase().match(/../g)!.join(':');
const url = (port: number, changes: Partial<LeaseUrl> = {}): LeaseUrl => ({
  ...{ key: 'k', import_key: 'i', host: '127.0.0.1', port, path_with_ticket: TICKET, thumbprint: null },
  ...{ certificate_pem: null, disk: true },
  ...changes,
});
/** The confirmed management server, elsewhere. */
const TRUSTED = { host: '127.0.0.2', port: 443, address: '127.0.0.2', sha256: 'AA:'.repeat(31).concat('AA') };

describe('is the one that was meant', () => {
  test.each<[string, () => Partial<LeaseUrl>, UploadOptions['hosts']?]>([
    ['by the SHA-1 of the lease', () => ({ thumbprint: digest('sha1') })],
    ['by the SHA-256 of the lease', () => ({ thumbprint: digest('sha256').toLowerCase() })],
    ['by the SHA-256 without colons', () => ({ thumbprint: digest('sha256').replaceAll(':', '') })],
    ['by the certificate of the lease', () => ({ certificate_pem: certificate.cert })],
  ])('%s', async (_name, changes) => {
    const target = await host();
    const place = await uploadClient(house.services, TRUSTED, url(target.port, changes()));
    await uploadFile(place, { body: Readable.from([Buffer.alloc(1000)]), size: 1000, create: false });
    place.client.close();
    expect(target.requests).toEqual([`POST ${TICKET}`]);
    expect(place.server).toBe(`127.0.0.1:${target.port}`);
  });

  test('by what the inventory knows of the host', async () => {
    const target = await host();
    const hosts = [{ name: '127.0.0.1', port: target.port, thumbprint: digest('sha1') }];
    const place = await uploadClient(house.services, TRUSTED, url(target.port), { hosts });
    await uploadFile(place, { body: Readable.from([Buffer.alloc(10)]), size: 10, create: true });
    place.client.close();
    expect(target.requests).toEqual([`PUT ${TICKET}`]);
  });

  test.each([null, '127.0.0.1'])(
    'as the machine of our own connection (%s), with its confirmed certificate',
    async (name) => {
      const target = await host();
      const trusted = { host: '127.0.0.1', port: target.port, address: '127.0.0.1', sha256: certificate.sha256 };
      // What the lease says of the certificate doesn't matter there.
      const place = await uploadClient(house.services, trusted, url(target.port, { host: name, thumbprint: 'AB:CD' }));
      await uploadFile(place, { body: Readable.from([Buffer.alloc(10)]), size: 10, create: false });
      place.client.close();
      expect(target.requests).toHaveLength(1);
    },
  );
});

describe('is sent nothing', () => {
  test.each<[string, () => Partial<LeaseUrl>, string]>([
    ['another SHA-1', () => ({ thumbprint: digest('sha1', other) }), 'names another one'],
    ['another SHA-256', () => ({ thumbprint: digest('sha256', other) }), 'names another one'],
    ['another certificate', () => ({ certificate_pem: other.cert }), 'names another one'],
    ['a certificate that is none', () => ({ certificate_pem: 'nonsense' }), 'names another one'],
    ['a part of the right thumbprint', () => ({ thumbprint: digest('sha256').slice(0, 47) }), 'names another one'],
    ['a thumbprint of another length', () => ({ thumbprint: 'AB:CD' }), 'names another one'],
    ['nothing about it', () => ({}), 'says which certificate it has'],
  ])('%s', async (_name, changes, said) => {
    const target = await host();
    const met = await faultOf(uploadClient(house.services, TRUSTED, url(target.port, changes())));
    expect(met).toMatchObject({ reason: 'untrusted_host', code: 'remote_refused' });
    expect(met.message).toContain(said);
    expect([target.application_bytes, met.message.includes('canary')]).toEqual([0, false]);
  });

  test('a host of another name or port in the inventory', async () => {
    const target = await host();
    const hosts = [
      { name: '127.0.0.1', port: 443, thumbprint: digest('sha1') },
      { name: 'esx01', port: target.port, thumbprint: digest('sha1') },
    ];
    expect(await faultOf(uploadClient(house.services, TRUSTED, url(target.port), { hosts }))).toMatchObject({
      reason: 'untrusted_host',
    });
  });

  test('when the certificate changes between the look and the upload', async () => {
    const target = await host({ next: other, change_at: 2 });
    const place = await uploadClient(house.services, TRUSTED, url(target.port, { thumbprint: digest('sha256') }));
    const body = Readable.from([Buffer.alloc(10)]);
    expect(await faultOf(uploadFile(place, { body, size: 10, create: false }))).toMatchObject({
      code: 'certificate_changed',
    });
    place.client.close();
    expect([target.requests, target.bytes_after_change]).toEqual([[], 0]);
  });

  test.each([
    ['an address that is not allowed', '169.254.169.254', 'target_refused'],
    ['a name that is none', 'esx_01..x', 'remote_answer_unusable'],
    ['a number as a name', '2130706433', 'remote_answer_unusable'],
  ])('%s', async (_name, name, code) => {
    expect(
      await faultOf(uploadClient(house.services, TRUSTED, url(443, { host: name, thumbprint: digest('sha1') }))),
    ).toMatchObject({ code });
  });

  test('a name that resolves to somewhere that is not allowed', async () => {
    const lookup = async () => [{ address: '127.0.0.1' }, { address: '169.254.169.254' }];
    const asked = url(443, { host: 'esx01.lab.test', thumbprint: digest('sha1') });
    expect(await faultOf(uploadClient(house.services, TRUSTED, asked, { lookup }))).toMatchObject({
      code: 'target_refused',
    });
  });
});

test('a look before an upload gives the same digests, and sends nothing', async () => {
  const target = await host();
  const shown = await deploymentShell(house.services).questions.tls({ host: '127.0.0.1', port: target.port });
  expect(shown).toEqual({ sha256: digest('sha256'), sha1: digest('sha1'), address: '127.0.0.1' });
  expect(target.application_bytes).toBe(0);
});

test.each([
  [500, 'upload_refused'],
  [404, 'upload_refused'],
  [507, 'no_space'],
  [302, 'upload_refused'],
])('status %i after an upload: %s, and nothing of what the host wrote', async (status, reason) => {
  const target = await host({
    answer: (request, response) =>
      void request.resume().on('end', () => response.writeHead(status).end(`canary-body ${TICKET}`)),
  });
  const place = await uploadClient(house.services, TRUSTED, url(target.port, { thumbprint: digest('sha256') }));
  const met = await faultOf(uploadFile(place, { body: Readable.from([Buffer.alloc(10)]), size: 10, create: false }));
  place.client.close();
  expect(met.reason).toBe(reason);
  expect(met.message).toContain(`status ${status}`);
  expect(met.message).not.toContain('canary');
});

test('an abort ends an upload with its reason, and the look before it', async () => {
  const target = await host({ answer: (request) => void request.pause() });
  const stop = new AbortController();
  const place = await uploadClient(house.services, TRUSTED, url(target.port, { thumbprint: digest('sha256') }));
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(65536));
    },
  });
  const work = uploadFile(place, { body: endless, size: 2 ** 40, create: false }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('cancelled')), 100);
  await expect(work).rejects.toThrow('cancelled');
  expect(endless.destroyed).toBe(true);
  place.client.close();
  const looking = uploadClient(house.services, TRUSTED, url(target.port, { thumbprint: digest('sha1') }), {
    signal: stop.signal,
  });
  await expect(looking).rejects.toThrow('cancelled');
});

const pieces = (count: number, bytes = 262_144): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < count; at++) yield Buffer.alloc(bytes);
    })(),
    { objectMode: false },
  );

test('a host that says 200 before it was sent the whole file was not sent it', async () => {
  const target = await host({ answer: (_request, response) => void response.writeHead(200).end() });
  const place = await uploadClient(house.services, TRUSTED, url(target.port, { thumbprint: digest('sha256') }));
  const body = pieces(320);
  const met = await faultOf(uploadFile(place, { body, size: 320 * 262_144, create: false }));
  place.client.close();
  expect(met).toMatchObject({ reason: 'upload_refused', code: 'remote_refused' });
  expect(met.message).toContain('of its 83886080 bytes were sent');
  expect(body.destroyed).toBe(true);
});

test.each([0, 1, 7])('one that answers after all of %i pieces was sent it, each time', async (count) => {
  const target = await host({
    answer: (request, response) => void request.resume().on('end', () => response.writeHead(201).end()),
  });
  const size = count * 262_144;
  for (let turn = 0; turn < 20; turn++) {
    const place = await uploadClient(house.services, TRUSTED, url(target.port, { thumbprint: digest('sha256') }));
    await uploadFile(place, { body: pieces(count), size, create: false });
    place.client.close();
  }
});

test('a host that takes next to nothing is given up; one that works on what it has is not', async () => {
  const least = { bytes: 65_536, ms: 250 };
  const slow = await host({
    answer: (request) => {
      request.pause();
      setInterval(() => request.read(1000), 50).unref();
    },
  });
  const place = await uploadClient(house.services, TRUSTED, url(slow.port, { thumbprint: digest('sha256') }));
  const work = uploadFile(place, { body: pieces(4000), size: 4000 * 262_144, create: false }, { least });
  const met = await faultOf(work);
  place.client.close();
  expect(met).toMatchObject({ reason: 'upload_refused' });
  expect(met.message).toContain('too slow');

  const busy = await host({
    answer: (request, response) =>
      void request.resume().on('end', () => setTimeout(() => response.writeHead(200).end(), 800)),
  });
  const other_place = await uploadClient(house.services, TRUSTED, url(busy.port, { thumbprint: digest('sha256') }));
  await uploadFile(other_place, { body: pieces(1, 100), size: 100, create: false }, { least });
  other_place.client.close();
});
