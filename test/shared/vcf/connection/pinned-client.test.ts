// Connections to a machine whose certificate was confirmed: what the probe shows, and what every socket checks before its
// first byte. Against a fake that counts what arrives.
import { connect as tlsConnect } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { pinnedClient } from '../../../../shared/vcf/connection/pinned-client.ts';
import { probeTls } from '../../../../shared/vcf/connection/tls-probe.ts';
import { makeCertificate, type TlsTarget, type TlsTargetOptions } from '../../../fakes/tls-target.ts';
import { ADDRESS, client, faultOf, first, login, NOW, other, SECRET, target, until, wait } from './pinned-scene.ts';

describe('the probe', () => {
  test('shows what the certificate says, and says nothing itself', async () => {
    const fake = await target();
    const shown = await probeTls(ADDRESS, { host: 'vc01.lab.example', port: fake.port }, { now: NOW });
    expect(shown).toMatchObject({
      subject: 'O=Lab, CN=vc01.lab.example',
      issuer: 'O=Lab, CN=vc01.lab.example',
      names: ['vc01.lab.example', '127.0.0.1'],
      sha256: first.sha256,
      self_signed: true,
      expired: false,
      not_yet_valid: false,
      matches_host: true,
      protocol: 'TLSv1.3',
    });
    expect(shown.sha256).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(shown.serial).toMatch(/^[0-9A-F]+$/);
    expect(shown.valid_until).toMatch(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    await until(() => fake.open === 0);
    expect([fake.handshakes, fake.application_bytes, fake.requests]).toEqual([1, 0, []]);
    expect(fake.server_names).toEqual(['vc01.lab.example']);
  });

  test('sends a server name for names only, and tells a name that the certificate does not have', async () => {
    const fake = await target();
    const options = { now: new Date('2040-01-01') };
    expect(await probeTls(ADDRESS, { host: ADDRESS, port: fake.port }, options)).toMatchObject({
      matches_host: true,
      expired: true,
    });
    const wrong = await probeTls(
      ADDRESS,
      { host: 'vc02.lab.example', port: fake.port },
      { now: new Date('2020-01-01') },
    );
    expect(wrong).toMatchObject({ matches_host: false, not_yet_valid: true });
    await until(() => fake.open === 0);
    expect(fake.server_names).toEqual(['', 'vc02.lab.example']);
  });

  test('bounds what a hostile certificate holds', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `DNS:n${index}.lab.example`).join(',');
    const fake = await target({ certificate: makeCertificate({ names, subject: '/O=two\nlines\u202e/CN=x' }) });
    const shown = await probeTls(ADDRESS, { host: 'vc01.lab.example', port: fake.port }, { now: NOW });
    expect(shown.names).toHaveLength(100);
    expect(shown.subject).not.toMatch(/[\n\u202e]/);
  });

  test.each<[what: string, options: TlsTargetOptions, code: string, says: RegExp]>([
    ['nobody listens', { behaviour: 'refuse' }, 'remote_unreachable', /refused the connection/],
    ['HTTP answers', { behaviour: 'plain' }, 'remote_not_tls', /does not speak TLS/],
    ['SSH answers', { behaviour: 'ssh' }, 'remote_not_tls', /does not speak TLS/],
    ['noise answers', { behaviour: 'garbage' }, 'remote_not_tls', /does not speak TLS/],
    ['it hangs up', { behaviour: 'close' }, 'remote_not_tls', /ended the connection/],
    ['it resets', { behaviour: 'reset' }, 'remote_not_tls', /ended the connection/],
    ['it is silent', { behaviour: 'silent' }, 'remote_timeout', /did not set up TLS/],
    ['it stops half-way', { behaviour: 'half-hello' }, 'remote_timeout', /did not set up TLS/],
    ['it knows TLS 1.1 only', { versions: { min: 'TLSv1.1', max: 'TLSv1.1' } }, 'remote_tls_too_old', /TLS 1\.2/],
    ['it knows TLS 1.0 only', { versions: { min: 'TLSv1', max: 'TLSv1' } }, 'remote_tls_too_old', /TLS 1\.2/],
    ['it knows TLS 1.0 and 1.1', { versions: { min: 'TLSv1', max: 'TLSv1.1' } }, 'remote_tls_too_old', /TLS 1\.2/],
  ])('says so when %s, and so does the client', async (_what, options, code, says) => {
    const fake = await target(options);
    const at = { host: 'vc01.lab.example', port: fake.port };
    const timeout = code === 'remote_timeout' ? 150 : 10_000;
    const probed = await faultOf(probeTls(ADDRESS, at, { now: NOW, timeout }));
    expect(probed).toMatchObject({ code, message: expect.stringMatching(says) });
    const asked = await faultOf(client(fake, { timeout }).request(login));
    expect(asked).toMatchObject({ code, message: expect.stringMatching(says) });
    expect([fake.application_bytes, fake.requests]).toEqual([0, []]);
    expect(asked.message).not.toContain(SECRET);
    await until(() => fake.open === 0);
  });

  test('the old versions are really spoken by the fake: who accepts them gets through', async () => {
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      const fake = await target({ versions: { min: version, max: version } });
      const old = { minVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0', rejectUnauthorized: false };
      const spoken = await new Promise((resolve, reject) => {
        const socket = tlsConnect({ host: ADDRESS, port: fake.port, ...old }, () => {
          resolve(socket.getProtocol());
          socket.destroy();
        }).on('error', reject);
      });
      expect(spoken).toBe(version);
    }
  });

  test('takes TLS 1.2, and ends when it is told to', async () => {
    const fake = await target({ versions: { min: 'TLSv1.2', max: 'TLSv1.2' } });
    const at = { host: 'vc01.lab.example', port: fake.port };
    expect((await probeTls(ADDRESS, at, { now: NOW })).protocol).toBe('TLSv1.2');
    const silent = await target({ behaviour: 'silent' });
    const stop = new AbortController();
    const probing = faultOf(probeTls(ADDRESS, { ...at, port: silent.port }, { now: NOW, signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 20);
    expect(await probing).toMatchObject({ message: 'enough' });
    await until(() => silent.open === 0);
  });
});

/** Cuts all connections, which the client has heard of as well once its turn came after that. */
async function cutOff(fake: TlsTarget): Promise<void> {
  fake.cut();
  await until(() => fake.open === 0);
  await wait(10);
}

describe('a pinned client', () => {
  test('sends nothing to a machine whose certificate changed between confirm and login: 100 of 100', async () => {
    const refused: string[] = [];
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const fake = await target({ change_at: 2, versions: { min: version, max: version } });
      const at = { host: 'vc01.lab.example', port: fake.port };
      const { sha256 } = await probeTls(ADDRESS, at, { now: NOW });
      expect(sha256).toBe(first.sha256);
      for (let turn = 0; turn < 50; turn++) {
        const made = client(fake, { sha256 });
        refused.push((await faultOf(made.request(login))).code);
        made.close();
      }
      await until(() => fake.connections === 51 && fake.open === 0);
      expect([fake.application_bytes, fake.requests]).toEqual([0, []]);
    }
    expect(refused).toEqual(Array(100).fill('certificate_changed'));
  });

  test('names both fingerprints in the refusal, and no secret', async () => {
    const fake = await target({ certificate: other });
    const { message } = await faultOf(client(fake).request(login));
    expect(message).toContain(first.sha256);
    expect(message).toContain(other.sha256);
    expect(message).not.toContain(SECRET);
  });

  test('keeps its connection, and checks the next one: a certificate that changes within a task', async () => {
    const fake = await target({ change_at: 2 });
    const made = client(fake);
    for (let turn = 0; turn < 5; turn++) expect((await made.request(login)).status).toBe(200);
    expect([fake.connections, fake.requests.length]).toEqual([1, 5]);
    const before = fake.application_bytes;
    expect(before).toBeGreaterThan(0);
    await cutOff(fake);
    const { code } = await faultOf(made.request({ ...login, method: 'GET', body: undefined }));
    expect(code).toBe('certificate_changed');
    expect((await faultOf(made.request(login))).code).toBe('certificate_changed');
    expect([fake.application_bytes, fake.bytes_after_change, fake.requests.length]).toEqual([before, 0, 5]);
  });

  test('checks each of several connections at once', async () => {
    const fake = await target({
      change_at: 3,
      answer: (request, response) => void request.resume().on('end', () => setTimeout(() => response.end('{}'), 50)),
    });
    const made = client(fake);
    const all = await Promise.allSettled(Array.from({ length: 6 }, () => made.request(login)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(all.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))).toEqual(
      Array(4).fill('certificate_changed'),
    );
    expect([fake.bytes_after_change, fake.requests.length]).toEqual([0, 2]);
  });

  test('resumes no session, not even where the other side resumes one under a changed certificate', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const fake = await target({ careless_tickets: true, versions: { min: version, max: version }, keep_alive: 1 });
      // Whoever keeps sessions is resumed, and is shown nothing new: the fake is as careless as it says.
      const session = await sessionOf(fake);
      fake.changeCertificate();
      const naive = await resumed(fake, session);
      expect(naive.reused).toBe(true);
      expect(naive.sha256).not.toBe(other.sha256);
      await until(() => fake.resumed === 1);
      const made = client(fake);
      for (let turn = 0; turn < 3; turn++)
        expect((await faultOf(made.request(login))).code).toBe('certificate_changed');
      expect([fake.resumed, fake.bytes_after_change, fake.requests]).toEqual([1, 0, []]);
      const again = client(fake, { sha256: other.sha256 });
      for (let turn = 0; turn < 3; turn++) {
        expect((await again.request(login)).status).toBe(200);
        await cutOff(fake);
      }
      expect([fake.resumed, fake.requests.length]).toEqual([1, 3]);
    }
  });

  test('does not let the other side negotiate a new certificate into a connection', async () => {
    const negotiated: string[] = [];
    const fake = await target({
      versions: { min: 'TLSv1.2', max: 'TLSv1.2' },
      raw: (socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => {
          socket.renegotiate({ rejectUnauthorized: false }, (error) => {
            negotiated.push(error ? 'refused' : 'done');
            socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
          });
        });
      },
    });
    await new Promise<void>((resolve) => {
      const options = { host: ADDRESS, port: fake.port, rejectUnauthorized: false };
      const naive = tlsConnect(options, () => void naive.resume().write('GET / HTTP/1.1\r\n\r\n'));
      naive.on('close', () => resolve());
    });
    expect(negotiated).toEqual(['done']);
    expect((await faultOf(client(fake).request(login))).code).toBe('remote_not_tls');
    await until(() => fake.open === 0);
    expect(negotiated.slice(1)).not.toContain('done');
  });

  test('follows no redirect: it is an answer like any other', async () => {
    const elsewhere = await target();
    const fake = await target({
      answer: (request, response) => {
        request.resume();
        response.writeHead(307, { location: `https://${ADDRESS}:${elsewhere.port}${request.url}` }).end();
      },
    });
    const answer = await client(fake).request(login);
    expect([answer.status, answer.headers.location]).toEqual([307, `https://${ADDRESS}:${elsewhere.port}/v1/tokens`]);
    expect([elsewhere.connections, elsewhere.requests]).toEqual([0, []]);
  });

  test('names the machine and not the address, and keeps to itself what belongs to the connection', async () => {
    const heard: Record<string, unknown>[] = [];
    const fake = await target({
      answer: (request, response) => {
        heard.push(request.headers);
        request.resume();
        response.end('{}');
      },
    });
    const headers = { Host: 'evil.example', 'Transfer-Encoding': 'chunked', 'Content-Length': '1', 'X-Task': 'a' };
    await client(fake).request({ ...login, headers });
    expect(heard[0]).toMatchObject({
      host: `vc01.lab.example:${fake.port}`,
      'content-length': `${SECRET.length}`,
      'x-task': 'a',
    });
    expect(heard[0]).not.toHaveProperty('transfer-encoding');
    await expect(client(fake).request({ ...login, headers: { 'x-task': 'a\r\nx-more: b' } })).rejects.toThrow();
    await expect(client(fake).request({ ...login, path: '/a b\r\nx: y' })).rejects.toThrow();
    await expect(client(fake).request({ ...login, path: 'https://other.example/' })).rejects.toThrow();
    expect(heard).toHaveLength(1);
  });

  test('is made from a checked address and a whole fingerprint only', () => {
    const options = { host: 'vc01.lab.example', port: 443, address: ADDRESS, sha256: first.sha256 };
    expect(() => pinnedClient({ ...options, address: 'localhost' })).toThrow();
    for (const sha256 of ['', 'AA', first.sha256.toLowerCase(), first.sha256.replaceAll(':', ''), `${first.sha256} `])
      expect(() => pinnedClient({ ...options, sha256 })).toThrow();
  });

  test('repeats a read that met a connection which had just been closed, and never a login', async () => {
    const fake = await target({ keep_alive: 60_000 });
    const read = { method: 'GET', path: '/v1/sddcs' };
    for (let turn = 0; turn < 20; turn++) {
      const made = client(fake);
      await made.request(read);
      fake.cut();
      expect((await made.request(read)).status).toBe(200);
    }
    // One request a connection is answered; the next one is read and the connection dropped.
    const seen: string[] = [];
    const rude = await target({
      raw: (socket) => {
        let answered = 0;
        socket.on('error', () => undefined);
        socket.on('data', (data: Buffer) => {
          seen.push(`${data}`.split(' ')[0]!);
          if (answered++ > 0) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
        });
      },
    });
    const made = client(rude);
    await made.request(read);
    expect((await made.request(read)).status).toBe(200);
    expect((await faultOf(made.request({ ...login, body: undefined }))).code).toBe('remote_unreachable');
    expect(seen).toEqual(['GET', 'GET', 'GET', 'POST']);
  });
});

function sessionOf(fake: TlsTarget): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: ADDRESS, port: fake.port, rejectUnauthorized: false }).on('error', reject);
    socket.once('session', (session) => {
      resolve(session);
      socket.destroy();
    });
  });
}

function resumed(fake: TlsTarget, session: Buffer): Promise<{ reused: boolean; sha256: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: ADDRESS, port: fake.port, session, rejectUnauthorized: false }, () => {
      resolve({ reused: socket.isSessionReused(), sha256: socket.getPeerX509Certificate()?.fingerprint256 });
      // Not destroyed: the other side has to see the end of the handshake to count it.
      socket.end();
    }).on('error', reject);
  });
}
