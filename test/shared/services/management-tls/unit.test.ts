// The unit on plain data: what an upload is refused for, and what a plan says.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Problem } from '../../../../shared/ground/problems.ts';
import { desiredFaults } from '../../../../shared/services/management-tls/check.ts';
import {
  describedOf,
  type ManagementTlsDesired,
  NO_CERTIFICATE,
} from '../../../../shared/services/management-tls/desired.ts';
import { facts } from '../../../../shared/services/management-tls/facts.ts';
import { impact } from '../../../../shared/services/management-tls/impact.ts';
import { faultOf } from '../../../../shared/services/management-tls/probe.ts';
import { type Reached, readUpload, type UploadWanted } from '../../../../shared/services/management-tls/read-upload.ts';
import { render } from '../../../../shared/services/management-tls/render.ts';
import { covers } from '../../../../shared/services/management-tls/uploaded-names.ts';

const NAME = 'gc01.lab.example';
// Certificates begin when they are made, which is after this line.
const NOW = new Date(Date.now() + 3_600_000);
const REACHED: Reached = { names: [NAME], others: [] };
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-management-tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'ignore', cwd: folder });
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const EC = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** A certificate that signs itself, in files of this name. */
function make(
  name: string,
  { san = `DNS:${NAME}`, key = EC, more = [] as string[] } = {},
): { certificate: string; private_key: string } {
  const what = ['-subj', `/CN=${name}`, ...(san === '' ? [] : ['-addext', `subjectAltName=${san}`])];
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl(
    'req',
    '-x509',
    '-newkey',
    ...key,
    '-nodes',
    ...(more.includes('-not_after') ? [] : ['-days', '30']),
    ...what,
    ...more,
    ...files,
  );
  return { certificate: read(`${name}.pem`), private_key: read(`${name}.key`) };
}

/** Pointer and detail of a refusal. */
async function refusal(wanted: UploadWanted, reached = REACHED, now = NOW): Promise<string> {
  const problem = await readUpload(wanted, reached, now).then(
    () => null,
    (error: Problem) => error,
  );
  const [fault] = problem?.members.errors ?? [];
  expect(JSON.stringify(problem)).not.toContain('PRIVATE KEY-----M');
  return fault ? `${fault.pointer} ${fault.detail}` : 'not refused';
}

const good = make('good');

describe('an upload', () => {
  test('is kept with its facts, and its key apart', async () => {
    const upload = await readUpload(good, REACHED, NOW);
    expect(upload).toMatchObject({ subject: 'CN=good', names: [NAME], key_algorithm: 'ecdsa-p256' });
    expect(upload.chain_pem.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
    expect(upload.chain_pem).not.toContain('KEY');
  });

  test('may be PKCS #12 under a passphrase', async () => {
    openssl(
      'pkcs12',
      '-export',
      '-in',
      'good.pem',
      '-inkey',
      'good.key',
      '-out',
      'good.p12',
      '-passout',
      'pass:open it',
    );
    const pkcs12 = readFileSync(join(folder, 'good.p12')).toString('base64');
    const { sha256 } = await readUpload({ pkcs12, passphrase: 'open it' }, REACHED, NOW);
    expect(sha256).toBe(describedOf(good.certificate)!.sha256);
    expect(await refusal({ pkcs12, passphrase: 'another' })).toMatch(/^\/pkcs12 /);
    expect(await refusal({ pkcs12: 'no file!' })).toBe('/pkcs12 Expected a PKCS #12 file in base64.');
  });

  /** Signed by one of those that were made before. */
  function issued(name: string, issuer: string, ext: string, key: readonly string[] = EC): void {
    const files = { key: `${name}.key`, csr: `${name}.csr`, ext: `${name}.ext` };
    openssl(
      'req',
      '-new',
      '-newkey',
      ...key,
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      files.key,
      '-out',
      files.csr,
    );
    execFileSync('sh', ['-c', `printf '%s\\n' '${ext}' > ${files.ext}`], { cwd: folder });
    const by = ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial'];
    openssl('x509', '-req', '-in', files.csr, ...by, '-days', '20', '-extfile', files.ext, '-out', `${name}.pem`);
  }
  const CA = 'basicConstraints=critical,CA:TRUE';
  const NAMED = `subjectAltName=DNS:${NAME}`;

  test('brings what is between it and its root, in the order of a handshake', async () => {
    make('root', { san: '' });
    issued('middle', 'root', CA);
    issued('leaf', 'middle', NAMED);
    const certificate = read('root.pem') + read('leaf.pem') + read('middle.pem') + good.certificate;
    const { chain_pem } = await readUpload({ certificate, private_key: read('leaf.key') }, REACHED, NOW);
    expect(chain_pem).toBe(read('leaf.pem') + read('middle.pem'));
  });

  test('leaves nothing of its chain out without a word', async () => {
    issued('strange', 'root', CA, ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521']);
    issued('below', 'strange', NAMED);
    const sent = { certificate: read('below.pem') + read('strange.pem'), private_key: read('below.key') };
    expect(await refusal(sent)).toMatch(
      /^\/certificate The certificate above it \(CN=strange\) has a key of another kind/,
    );
  });

  test('of several with its key the one that lasts longest is taken', async () => {
    const again = ['-key', 'leaf.key', '-subj', '/CN=leaf', '-addext', NAMED, '-days', '40', '-out', 'again.pem'];
    openssl('req', '-new', '-x509', ...again);
    const sent = { certificate: read('leaf.pem') + read('again.pem'), private_key: read('leaf.key') };
    const { sha256 } = await readUpload(sent, REACHED, NOW);
    expect(sha256).toBe(describedOf(read('again.pem'))!.sha256);
  });

  test.each<[string, () => UploadWanted, RegExp]>([
    [
      'a key of another',
      () => ({ ...good, private_key: make('other').private_key }),
      /^\/private_key .*belongs to none/,
    ],
    ['a short key', () => make('short', { key: ['rsa:1024'] }), /^\/private_key The key is too weak/],
    [
      'a curve that few know',
      () => make('curve', { key: ['ec', '-pkeyopt', 'ec_paramgen_curve:secp521r1'] }),
      /^\/private_key The key is too weak or of another kind/,
    ],
    [
      'another name',
      () => make('named', { san: 'DNS:other.lab.example' }),
      /^\/certificate The certificate is for other\.lab\.example, and not for gc01\.lab\.example/,
    ],
    ['no name', () => make('nameless', { san: '' }), /^\/certificate The certificate has no subject alternative name/],
    [
      'a client’s',
      () => make('client', { more: ['-addext', 'extendedKeyUsage=clientAuth'] }),
      /^\/certificate .*lacks serverAuth/,
    ],
    [
      'no certificate',
      () => ({ certificate: 'hello', private_key: good.private_key }),
      /^\/certificate Expected a certificate/,
    ],
    ['no key', () => ({ certificate: good.certificate }), /^\/private_key Expected its private key/],
    [
      'a damaged certificate',
      () => ({ ...good, certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }),
      /^\/certificate .*damaged/,
    ],
    [
      'a damaged key',
      () => ({ ...good, private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n' }),
      /^\/private_key .*damaged/,
    ],
    [
      'an encrypted key',
      () => ({ ...good, private_key: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n' }),
      /^\/private_key It is encrypted/,
    ],
  ])('with %s is refused at its field', async (_what, wanted, says) => {
    expect(await refusal(wanted())).toMatch(says);
  });

  test('is refused before it begins and after it ends', async () => {
    const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
    expect(await refusal(good, REACHED, later(31))).toMatch(/^\/certificate The certificate expired at /);
    expect(await refusal(good, REACHED, later(-1))).toMatch(/^\/certificate The certificate is valid from /);
  });

  test('without names in the settings has to be for one that leads here', async () => {
    expect(await refusal(good, { names: [], others: ['gc01', '192.0.2.1'] })).toMatch(
      /for no name or address of the management UI/,
    );
    expect(await refusal(good, { names: [], others: ['192.0.2.1', NAME] })).toBe('not refused');
  });
});

test.each<[string[], string, boolean]>([
  [['gc01.lab.example'], 'GC01.lab.example', true],
  [['*.lab.example'], 'gc01.lab.example', true],
  [['*.lab.example'], 'a.b.lab.example', false],
  [['*.lab.example'], 'lab.example', false],
  [['192.0.2.1', 'FD00:0::1'], 'fd00::1', true],
  [['192.0.2.1'], '192.0.2.2', false],
])('%j covers %s: %s', (held, wanted, is) => expect(covers(held, wanted)).toBe(is));

const own = describedOf(good.certificate)!;
const sealed = {
  place: { table: 't', row: 'r', field: 'f' },
  kek_id: 'k',
  sealed_key: 'SEALED',
  sealed_value: 'SEALED',
};
const next = make('next', { san: `DNS:${NAME},IP:192.0.2.1` });
const described = describedOf(next.certificate)!;
const desired = (more: Partial<ManagementTlsDesired> = {}): ManagementTlsDesired => ({
  ...NO_CERTIFICATE,
  ...{ source: 'uploaded', tls: true, port: 443, described, own },
  certificate: { chain_pem: next.certificate, sha256: described.sha256, not_after: described.not_after, sealed },
  ...more,
});

describe('a plan', () => {
  test('says which certificate is in force and which comes, and who is asked again', () => {
    const change = { before: null, after: facts(desired()), written: [], removed: [] };
    const { says, risk, interruption } = impact(change, desired());
    expect({ risk, interruption }).toEqual({ risk: 'high', interruption: 'none' });
    expect(says[0]).toBe(
      `In force is the certificate CN=good for ${NAME}, SHA-256 ${own.sha256}, until ${own.not_after}.`,
    );
    expect(says[1]).toBe(
      `From then on it is CN=next for ${NAME}, 192.0.2.1, SHA-256 ${described.sha256}, until ${described.not_after}.`,
    );
    expect(says[2]).toMatch(/ask again/);
  });

  test('back to the first one names what it is no longer for', () => {
    const change = {
      before: facts(desired()),
      after: facts(desired({ source: 'self_signed' })),
      written: [],
      removed: [],
    };
    expect(impact(change, desired({ source: 'self_signed' })).says).toContain('It is no longer for 192.0.2.1.');
  });

  test('has the key as a digest alone', () => {
    const files = render(desired());
    expect(files.map(({ path, mode }) => [path, mode])).toEqual([
      ['/etc/groundcrew/management-tls/certificate.pem', 0o644],
      ['/etc/groundcrew/private/management-tls/tls.key', 0o640],
    ]);
    expect(files.map(({ content }) => content).join('')).not.toMatch(/SEALED|PRIVATE KEY/);
    expect(render(desired({ certificate: null }))).toEqual([]);
  });

  test.each<[string, Partial<ManagementTlsDesired>, RegExp | null]>([
    ['what is there', {}, null],
    ['its own', { source: 'self_signed', certificate: null, tls: false }, null],
    ['no TLS', { tls: false }, /speaks no TLS/],
    ['none issued', { source: 'issued', certificate: null }, /switch custody on/],
    ['none uploaded', { certificate: null }, /No uploaded certificate is kept/],
  ])('is checked: %s', (_what, more, fault) => {
    const [found] = desiredFaults(desired(more), NOW);
    if (fault === null) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });

  test('is refused where the certificate expired meanwhile', () => {
    const [found] = desiredFaults(desired(), new Date(NOW.getTime() + 31 * 86_400_000));
    expect(found).toMatch(/expired at/);
  });
});

test.each<[string, ({ sha256: string } | null)[], RegExp | null]>([
  ['all show it', [{ sha256: 'A' }, { sha256: 'A' }], null],
  ['an address that is not there yet', [{ sha256: 'A' }, null], null],
  ['one shows another', [{ sha256: 'A' }, { sha256: 'B' }], /another certificate at 192\.0\.2\.1: B/],
  ['nobody answers', [null, null], /answers at none of/],
  ['nothing came back', [], /nothing came back/],
])('the probe, where %s', (_what, shown, fault) => {
  const answers = shown.map((each) => ({ sha256: each?.sha256 ?? null, error: each ? null : 'refused' }));
  const found = faultOf(['127.0.0.1', '192.0.2.1'], answers, 'A');
  if (fault === null) expect(found).toBeNull();
  else expect(found).toMatch(fault);
});
