// Roots from elsewhere and to elsewhere, and one root after another: what OpenSSL reads of an exported key, which files are
// taken, which are refused with a sentence, and what the time of both roots looks like.
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { readPkcs12 } from '../../../../shared/ground/x509/pkcs12-read.ts';
import { lockOf, writePkcs12 } from '../../../../shared/ground/x509/pkcs12-write.ts';
import { prepareKey } from '../../../../shared/platform/certificate-authority/authority.ts';
import { listAuthorities } from '../../../../shared/platform/certificate-authority/certificate-store.ts';
import { parseRequest } from '../../../../shared/platform/certificate-authority/csr.ts';
import { type ImportWanted, readAuthorityFile } from '../../../../shared/platform/certificate-authority/import-root.ts';
import { ensureServerCertificate } from '../../../../shared/platform/certificate-authority/issue.ts';
import { signInto, wantedOf } from '../../../../shared/platform/certificate-authority/issue-request.ts';
import { keepImported, keepNext, takeOver } from '../../../../shared/platform/certificate-authority/next-root.ts';
import {
  refreshLists,
  revocationList,
  revokeCertificate,
} from '../../../../shared/platform/certificate-authority/revoke.ts';
import { AuthorityScene } from '../../../setup/authority-scene.ts';
import { foreignAuthority, plainRequest, signingRequest } from '../../../setup/signing-request.ts';

const PASSPHRASE = 'grün und lang genug';
let folder: string;
let scene: AuthorityScene;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-roots-'));
  scene = await AuthorityScene.open(folder);
  // What OpenSSL makes here begins now.
  scene.now = new Date(Date.now() + 60_000);
});
afterEach(async () => {
  await scene.side.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error: Error) => error.message,
  );
/** A file that OpenSSL makes of certificates and a key. */
function exported(pem: string, args: readonly string[] = [], pass = PASSPHRASE): Buffer {
  const out = join(folder, 'made.p12');
  const common = ['pkcs12', '-export', '-in', file('in.pem', pem), '-out', out, '-passout', `pass:${pass}`];
  execFileSync('openssl', [...common, ...args], { stdio: 'pipe' });
  return readFileSync(out);
}
const bring = async (wanted: ImportWanted, standing: 'signing' | 'next' = 'signing') => {
  const read = await readAuthorityFile(wanted, scene.now);
  return scene.side.store.write((tx) => keepImported(tx, scene.side, 'ada', read, standing));
};
async function sign(profile: 'server' | 'subordinate' = 'server') {
  const { csr } = profile === 'server' ? plainRequest() : signingRequest({ subject: '/CN=Below' });
  const parsed = await parseRequest(csr);
  return scene.side.store.write((tx) => signInto(tx, scene.side, 'ada', wantedOf(parsed, { profile })));
}

describe('PKCS #12', () => {
  const pem = foreignAuthority('/CN=Root of the lab');

  test('that is written here is read by OpenSSL and GnuTLS under its passphrase, and by nothing else', async () => {
    const [certificate, key_pem] = pem.split(/(?<=-----END CERTIFICATE-----\n)/) as [string, string];
    const lock = await lockOf(PASSPHRASE, systemEntropy);
    const made = file(
      'own.p12',
      writePkcs12({ name: 'Lab', key_pem, certificates: [certificate] }, lock, systemEntropy),
    );
    const read = (pass: string) =>
      spawnSync('openssl', ['pkcs12', '-in', made, '-noenc', '-passin', `pass:${pass}`], { encoding: 'utf8' });
    expect(read(PASSPHRASE).stdout).toContain(key_pem.trim());
    expect(read(PASSPHRASE).stdout).toContain(certificate.trim());
    expect(read(PASSPHRASE).stdout).toContain('friendlyName: Lab');
    expect(read('another').status).not.toBe(0);
    const gnu = spawnSync('certtool', ['--p12-info', '--inder', '--infile', made, '--password', PASSPHRASE], {
      encoding: 'utf8',
    });
    expect(gnu.stdout).toContain('BEGIN CERTIFICATE');
    expect(readFileSync(made).toString('latin1')).not.toContain('Root of the lab');
  });

  test.each([
    ['AES-256 and SHA-256', []],
    [
      '3DES and SHA-1, as Windows exports',
      ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'],
    ],
    ['AES-128 and SHA-512', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC', '-macalg', 'sha512']],
    ['many rounds', ['-iter', '200000']],
  ])('with %s is read', async (_what, args) => {
    const { key, certificates } = await readPkcs12(exported(pem, args), PASSPHRASE);
    expect(new X509Certificate(certificates[0]!).subject).toBe('CN=Root of the lab');
    expect(key.length).toBeGreaterThan(100);
    expect(await faultOf(readPkcs12(exported(pem, args), 'another'))).toContain('passphrase is wrong');
  });

  test.each([
    ['without a MAC', () => exported(pem, ['-nomac']), 'no MAC'],
    ['whose key lies open', () => exported(pem, ['-keypbe', 'NONE']), 'not encrypted'],
    ['with too many rounds', () => exported(pem, ['-iter', '600000']), 'or for more than 1000000'],
    ['that is none', () => Buffer.from('hello'), 'damaged, or another kind'],
    ['that is too large', () => Buffer.alloc(60_000), 'more than 49152 bytes'],
  ])('%s is refused', async (_what, made, said) => {
    expect(await faultOf(readPkcs12(made(), PASSPHRASE))).toContain(said);
  });
});

describe('a root that is imported', () => {
  test('signs what OpenSSL verifies, its list too, and its key is stored sealed alone', async () => {
    await scene.settings({ enabled: true });
    const pem = foreignAuthority('/O=Elsewhere/CN=Root of the lab', {
      // Another way to count a key than ours.
      extensions: 'basicConstraints=critical,CA:TRUE,pathlen:3\nkeyUsage=critical,keyCertSign,cRLSign',
    });
    const root = await bring({ pkcs12: exported(pem).toString('base64'), passphrase: PASSPHRASE });
    expect(root).toMatchObject({ origin: 'imported', path_length: 3, standing: 'signing', chain_pem: '' });
    const leaf = await sign();
    expect(scene.verify(root.pem, leaf.pem)).toMatch(/OK/);
    await scene.side.store.write((tx) => revokeCertificate(tx, scene.side, leaf.id, 'superseded'));
    const list = execFileSync(
      'openssl',
      ['crl', '-inform', 'DER', '-noout', '-CAfile', file('ca.pem', root.pem), '-verify'],
      {
        input: (await revocationList(scene.side.store)).der,
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    expect(list).toBeDefined();
    expect((await sign('subordinate')).pem).toContain('BEGIN CERTIFICATE');
    const body = pem
      .split('\n')
      .filter((line) => line.length > 60)
      .at(-1)!;
    const kept = readdirSync(folder).filter((name) => !/\.(?:pem|p12)$/.test(name));
    expect(kept.length).toBeGreaterThan(1);
    for (const name of kept) expect(readFileSync(join(folder, name)).toString('latin1')).not.toContain(body);
  });

  test('may be a subordinate with what is above it, and servers send the whole chain', async () => {
    await scene.settings({ enabled: true });
    const above = foreignAuthority('/CN=Above');
    const below = foreignAuthority('/CN=Below', {
      above,
      extensions: 'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign',
    });
    expect(await faultOf(bring({ pem: below }))).toContain('the certificates above it');
    const [root] = above.split(/(?<=-----END CERTIFICATE-----\n)/) as [string];
    const brought = await bring({ pem: below + root });
    expect(brought).toMatchObject({ path_length: 0, subject: 'CN=Below' });
    expect(new X509Certificate(brought.chain_pem).subject).toBe('CN=Above');
    const { cert_pem } = await ensureServerCertificate(scene.side, {
      purpose: 'offline-depot',
      names: ['a.lab.example'],
    });
    expect(cert_pem.match(/BEGIN CERTIFICATE/g)).toHaveLength(3);
    expect(await faultOf(sign('subordinate'))).toContain('path length 0');
  });

  const AUTHORITY = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign';
  test.each([
    [
      'of no authority',
      () => foreignAuthority('/CN=x', { extensions: 'basicConstraints=critical,CA:FALSE' }),
      'no authority',
    ],
    [
      'that may sign no list',
      () => foreignAuthority('/CN=x', { extensions: 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign' }),
      'both certificates and revocation lists',
    ],
    [
      'of a key that is not known here',
      () => foreignAuthority('/CN=x', { extensions: AUTHORITY, key: ['-algorithm', 'ED25519'] }),
      'RSA with 2048',
    ],
    [
      'of another key',
      () => foreignAuthority('/CN=x').split('-----BEGIN PRIVATE')[0] + plainRequest().key_pem,
      'none of the',
    ],
    ['without a key', () => foreignAuthority('/CN=x').split('-----BEGIN PRIVATE')[0]!, 'no private key'],
    ['that is text', () => 'hello', 'no private key'],
  ])('is refused: a certificate %s', async (_what, pem, said) => {
    await scene.settings({ enabled: true });
    expect(await faultOf(bring({ pem: pem() }))).toContain(said);
    expect(await listAuthorities(scene.side.store)).toEqual([]);
  });

  test('is refused while another one can sign, while custody is off, and once it expired', async () => {
    const pem = foreignAuthority('/CN=x', { days: 10 });
    expect(await faultOf(bring({ pem }))).toContain('Custody is off');
    await scene.root();
    expect(await faultOf(bring({ pem }))).toContain('There is a root certificate already');
    expect((await bring({ pem }, 'next')).standing).toBe('next');
    scene.later(20);
    expect(await faultOf(bring({ pem }))).toContain('expired');
  });
});

describe('one root after another', () => {
  test('the next one signs nothing until it takes over; then both are of use until the former ends', async () => {
    const first = await scene.root();
    const early = await sign();
    const next = await scene.side.store.write(async (tx) =>
      keepNext(tx, scene.side, 'ada', await prepareKey(tx, scene.side)),
    );
    const meanwhile = await sign();
    expect(scene.verify(first.pem, meanwhile.pem)).toMatch(/OK/);
    const again = scene.side.store.write(async (tx) =>
      keepNext(tx, scene.side, 'ada', await prepareKey(tx, scene.side)),
    );
    expect(await faultOf(again)).toContain('is there already');
    const before = await ensureServerCertificate(scene.side, { purpose: 'offline-depot', names: ['a.lab.example'] });
    await scene.side.store.write((tx) => takeOver(tx, scene.side));
    expect(scene.verify(next.pem, (await sign()).pem)).toMatch(/OK/);
    const after = await ensureServerCertificate(scene.side, { purpose: 'offline-depot', names: ['a.lab.example'] });
    expect(after.sha256).not.toBe(before.sha256);
    // What the former root signed is revoked on its own list.
    await scene.side.store.write((tx) => revokeCertificate(tx, scene.side, early.id, 'keyCompromise'));
    expect((await revocationList(scene.side.store, first.id)).number).toBe(1);
    expect((await refreshLists(scene.side)).sort()).toEqual([next.id]);
    expect(await faultOf(scene.side.store.write((tx) => takeOver(tx, scene.side)))).toContain('does not exist');
  });

  test('a former root that ended loses its key', async () => {
    await scene.root({ root_validity_days: 365, certificate_validity_days: 1 });
    await scene.settings({ root_validity_days: 3650 });
    await scene.side.store.write(async (tx) => keepNext(tx, scene.side, 'ada', await prepareKey(tx, scene.side)));
    await scene.side.store.write((tx) => takeOver(tx, scene.side));
    await refreshLists(scene.side);
    scene.later(400);
    await refreshLists(scene.side);
    const roots = await listAuthorities(scene.side.store);
    expect(roots.map(({ standing, kek_id }) => [standing, kek_id !== ''])).toEqual([
      ['signing', true],
      ['former', false],
    ]);
  });
});
