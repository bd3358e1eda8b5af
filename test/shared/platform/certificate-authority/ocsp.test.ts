// The OCSP responder before the real programs of OpenSSL and GnuTLS: what they ask is understood, what they get is believed.
import { execFile, execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { appendAudit, verifyAudit } from '../../../../shared/kernel/audit/audit.ts';
import { prepareKey } from '../../../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate, systemContext } from '../../../../shared/platform/certificate-authority/issue.ts';
import { keepNext, takeOver } from '../../../../shared/platform/certificate-authority/next-root.ts';
import { OcspResponder } from '../../../../shared/platform/certificate-authority/ocsp.ts';
import { ocspRequestOfPath } from '../../../../shared/platform/certificate-authority/ocsp-request.ts';
import { ensureSigners } from '../../../../shared/platform/certificate-authority/ocsp-signer.ts';
import { releaseCertificate, revokeCertificate } from '../../../../shared/platform/certificate-authority/revoke.ts';
import { AuthorityScene } from '../../../setup/authority-scene.ts';

let folder: string;
let scene: AuthorityScene;
let responder: OcspResponder;
let server: Server;
let url: string;
let root: { pem: string; id: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-ocsp-'));
  scene = await AuthorityScene.open(folder);
  // The programs look at the time of the machine.
  scene.now = new Date();
  root = await scene.root({ organization: 'Lab' });
  writeFileSync(file('root.pem'), root.pem);
  responder = new OcspResponder(scene.side);
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    response.setHeader('content-type', 'application/ocsp-response');
    response.end((await responder.answer(Buffer.concat(chunks))).der);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ca/ocsp`;
});
afterAll(async () => {
  server.close();
  await scene.side.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string): string => join(folder, name);
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A certificate of the authority; answers its id. */
async function issue(name: string): Promise<string> {
  const { cert_pem, sha256 } = await ensureServerCertificate(scene.side, {
    purpose: name,
    names: [`${name}.lab.example`],
  });
  writeFileSync(file(`${name}.pem`), cert_pem.slice(0, cert_pem.indexOf('-----END') + 25));
  const row = await scene.side.store.one<{ id: string }>('SELECT id FROM issued_certificate WHERE sha256 = ?', [
    sha256,
  ]);
  return row!.id;
}

const revoke = (id: string, reason: Parameters<typeof revokeCertificate>[3]) =>
  scene.side.store.write(async (tx) => {
    const event = await revokeCertificate(tx, scene.side, id, reason);
    await appendAudit(tx, scene.side.keys, systemContext(scene.side), event, { holdsLock: true });
  });

/** What OpenSSL says of what it is answered to a question of its own. */
async function openssl(asked: string[]): Promise<string> {
  const args = ['-issuer', file('root.pem'), ...asked, '-CAfile', file('root.pem'), '-respout', file('response.der')];
  const { stdout, stderr } = await promisify(execFile)('openssl', ['ocsp', '-url', url, ...args]);
  return stderr + stdout;
}

describe('OpenSSL', () => {
  test('gets no status before there is a signer, and one as soon as there is', async () => {
    await issue('first');
    run('openssl', 'ocsp', '-issuer', file('root.pem'), '-cert', file('first.pem'), '-reqout', file('request.der'));
    const request = readFileSync(file('request.der'));
    expect([(await responder.answer(request)).der.toString('hex'), responder.wanting]).toEqual(['30030a0103', true]);
    expect(await ensureSigners(scene.side)).toEqual([root.id]);
    expect(await ensureSigners(scene.side)).toEqual([]);
    expect(await openssl(['-cert', file('first.pem')])).toMatch(/Response verify OK\n.*first\.pem: good/s);
  });

  test.each(['-sha1', '-sha256'])(
    'believes good, revoked with its reason, and unknown, asked by %s',
    async (digest) => {
      await issue('good');
      const revoked = await issue(`revoked${digest}`);
      await revoke(revoked, 'keyCompromise');
      expect(await openssl([digest, '-cert', file('good.pem')])).toMatch(/Response verify OK\n.*good\.pem: good/s);
      const said = await openssl([digest, '-cert', file(`revoked${digest}.pem`)]);
      expect(said).toMatch(/Response verify OK\n.*: revoked\n.*Reason: keyCompromise/s);
      expect(await openssl([digest, '-serial', '0x4142'])).toMatch(/Response verify OK\n0x4142: unknown/s);
    },
  );

  test('gets several at once, and its nonce back', async () => {
    const said = await openssl(['-cert', file('good.pem'), '-serial', '1', '-cert', file('revoked-sha1.pem')]);
    expect(said).toMatch(/Response verify OK\n.*good\.pem: good.*1: unknown.*revoked-sha1\.pem: revoked/s);
    expect(said).not.toMatch(/WARNING|nonce/i);
  });

  test('a hold is told, and taken back', async () => {
    const id = await issue('held');
    await revoke(id, 'certificateHold');
    expect(await openssl(['-cert', file('held.pem')])).toMatch(/: revoked\n.*Reason: certificateHold/s);
    await scene.side.store.write(async (tx) => {
      const event = await releaseCertificate(tx, scene.side, id);
      await appendAudit(tx, scene.side.keys, systemContext(scene.side), event, { holdsLock: true });
    });
    expect(await openssl(['-cert', file('held.pem')])).toMatch(/held\.pem: good/s);
  });

  test('reads whole seconds, and a signer that may do this and nothing else, which nobody asks after', async () => {
    await openssl(['-cert', file('good.pem')]);
    const text = run('openssl', 'ocsp', '-respin', file('response.der'), '-noverify', '-resp_text');
    expect(text).toMatch(/OCSP Response Status: successful/);
    expect(text).toMatch(/X509v3 Extended Key Usage: \n\s+OCSP Signing\n/);
    expect(text).toMatch(/OCSP No Check/);
    const times = readFileSync(file('response.der'), 'latin1').match(/\d{14}(?:\.\d+)?Z/g)!;
    expect(times.length).toBeGreaterThan(2);
    expect(times.filter((time) => time.includes('.'))).toEqual([]);
  });
});

describe('GnuTLS', () => {
  test('believes good, revoked and unknown', async () => {
    await issue('strange');
    await scene.run("DELETE FROM issued_certificate WHERE purpose = 'strange'");
    for (const [name, status] of [
      ['good', 'good'],
      ['revoked-sha1', 'revoked'],
      ['strange', 'unknown'],
    ] as const) {
      const issuer = ['--load-issuer', file('root.pem'), '--load-cert', file(`${name}.pem`)];
      run('ocsptool', '--generate-request', ...issuer, '--nonce', '--outfile', file('gnutls.der'));
      const request = readFileSync(file('gnutls.der'));
      writeFileSync(file('answer.der'), (await responder.answer(request)).der);
      const text = run('ocsptool', '--response-info', '--inder', '--infile', file('answer.der'));
      expect(text).toMatch(new RegExp(`Certificate Status: ${status}\\n`));
      const trust = ['--load-trust', file('root.pem'), '--load-response', file('answer.der'), '--inder'];
      expect(run('ocsptool', '--verify-response', ...trust)).toMatch(/Verifying OCSP Response: Success/);
    }
  });
});

test('what is no request, names others, or can’t be kept', async () => {
  const status = async (bytes: Buffer) => (await responder.answer(bytes)).der.toString('hex');
  expect(await status(Buffer.alloc(0))).toBe('30030a0101');
  expect(await status(Buffer.alloc(9000, 0x30))).toBe('30030a0101');
  const foreign = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x'];
  run('openssl', ...foreign, '-keyout', file('foreign.key'), '-out', file('foreign.pem'));
  const ask = ['ocsp', '-issuer', file('foreign.pem'), '-cert', file('foreign.pem'), '-reqout', file('request.der')];
  run('openssl', ...ask);
  expect(await status(readFileSync(file('request.der')))).toBe('30030a0106');
  // Without a nonce an answer may be kept; it is asked for in a path.
  run('openssl', 'ocsp', '-no_nonce', '-issuer', file('root.pem'), '-cert', file('good.pem'), '-reqout', file('r.der'));
  const request = readFileSync(file('r.der'));
  expect((await responder.answer(request)).max_age).toBe(3600);
  const inPath = encodeURIComponent(request.toString('base64'));
  expect(ocspRequestOfPath(inPath)).toEqual(request);
  expect(ocspRequestOfPath(request.toString('base64'))).toEqual(request);
  expect([ocspRequestOfPath('%zz'), ocspRequestOfPath(''), ocspRequestOfPath('a'.repeat(99_999))]).toEqual([
    null,
    null,
    null,
  ]);
});

test('a signer is renewed in the last third of its life, and a former root still tells of what it signed', async () => {
  const before = await scene.side.store.one<{ certificate_pem: string; not_after: string }>(
    'SELECT * FROM ocsp_signer',
  );
  const { validFrom, validTo } = new X509Certificate(before!.certificate_pem);
  expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(7 * 86_400_000 - 1000);
  scene.later(5);
  expect(await ensureSigners(scene.side)).toEqual([root.id]);
  const after = await scene.side.store.one<{ not_after: string }>('SELECT * FROM ocsp_signer');
  expect(after!.not_after > before!.not_after).toBe(true);
  scene.later(-5);
  const prepared = await prepareKey(scene.side.store, scene.side);
  await scene.side.store.write((tx) => keepNext(tx, scene.side, 'ada', prepared));
  await scene.side.store.write((tx) => takeOver(tx, scene.side));
  expect(await ensureSigners(scene.side)).toHaveLength(2);
  expect(await openssl(['-cert', file('good.pem')])).toMatch(/Response verify OK\n.*good\.pem: good/s);
});

test('the key is sealed, and in no audit row', async () => {
  const rows = await scene.side.store.all<object>('SELECT * FROM ocsp_signer');
  expect(JSON.stringify(rows)).not.toMatch(/PRIVATE KEY/);
  const events = await scene.side.store.all<{ detail: string }>(
    "SELECT detail FROM audit_event WHERE action = 'certificate.issue' AND detail LIKE '%ocsp%'",
  );
  expect(events.length).toBe(4);
  expect(JSON.stringify(events)).not.toMatch(/PRIVATE/);
  await verifyAudit(scene.side.store, scene.side.keys);
});
