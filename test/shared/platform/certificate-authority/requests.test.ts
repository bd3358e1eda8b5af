// Certificates for requests of other machines: what OpenSSL and GnuTLS think of them, what a profile becomes, what of a
// request is never taken, and how a revocation shows.
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  findIssued,
  type RevocationReason,
} from '../../../../shared/platform/certificate-authority/certificate-store.ts';
import { parseRequest } from '../../../../shared/platform/certificate-authority/csr.ts';
import { signInto, wantedOf } from '../../../../shared/platform/certificate-authority/issue-request.ts';
import { updateProfile } from '../../../../shared/platform/certificate-authority/profile-store.ts';
import type { ProfileName } from '../../../../shared/platform/certificate-authority/profiles.ts';
import {
  refreshLists,
  releaseCertificate,
  revocationList,
  revokeCertificate,
} from '../../../../shared/platform/certificate-authority/revoke.ts';
import { AuthorityScene } from '../../../setup/authority-scene.ts';
import { plainRequest, signingRequest } from '../../../setup/signing-request.ts';

let folder: string;
let scene: AuthorityScene;
/** Writing statements until one fails. */
let countdown: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-requests-'));
  countdown = Number.POSITIVE_INFINITY;
  scene = await AuthorityScene.open(folder, (sql, connection) => {
    if (connection === 'writer' && sql !== 'ROLLBACK' && --countdown === 0) throw new Error('injected');
  });
});
afterEach(async () => {
  await scene.side.store.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Decided {
  profile?: ProfileName;
  names?: string[];
  validity_days?: number;
}

async function sign(csr: string, { profile = 'server', ...decided }: Decided = {}) {
  const parsed = await parseRequest(csr);
  return scene.side.store.write((tx) => signInto(tx, scene.side, 'ada', wantedOf(parsed, { profile, ...decided })));
}
const revoke = (id: string, reason: RevocationReason) =>
  scene.side.store.write((tx) => revokeCertificate(tx, scene.side, id, reason));
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no fault',
    (error: Error) => error.message,
  );

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const at = () => String(Math.floor(scene.now.getTime() / 1000));

/** `openssl verify` with the list, strictly: what it prints. */
async function verified(root: string, leaf: string, more: readonly string[] = []): Promise<string> {
  const { der } = await revocationList(scene.side.store);
  const pem = execFileSync('openssl', ['crl', '-inform', 'DER', '-outform', 'PEM'], { input: der });
  const ran = spawnSync(
    'openssl',
    ['verify', '-x509_strict', '-crl_check', '-attime', at(), '-CAfile', file('root.pem', root), '-CRLfile'].concat(
      file('list.pem', pem),
      more,
      file('leaf.pem', leaf),
    ),
    { encoding: 'utf8' },
  );
  return ran.stdout + ran.stderr;
}

/** What GnuTLS says of the same. */
async function certtool(root: string, leaf: string): Promise<string> {
  const { der } = await revocationList(scene.side.store);
  const pem = execFileSync('openssl', ['crl', '-inform', 'DER', '-outform', 'PEM'], { input: der });
  const ran = spawnSync(
    'certtool',
    [
      '--verify',
      '--load-ca-certificate',
      file('root.pem', root),
      '--load-crl',
      file('list.pem', pem),
      '--infile',
    ].concat(file('leaf.pem', leaf)),
    { encoding: 'utf8' },
  );
  if (ran.error) throw ran.error;
  return ran.stdout + ran.stderr;
}

describe('what is issued', () => {
  test.each([
    ['server', 'Digital Signature, Key Encipherment', 'TLS Web Server Authentication'],
    ['client', 'Digital Signature', 'TLS Web Client Authentication'],
    [
      'server-client',
      'Digital Signature, Key Encipherment',
      'TLS Web Server Authentication, TLS Web Client Authentication',
    ],
    ['vmware', 'Digital Signature, Non Repudiation, Key Encipherment', null],
  ] as const)(
    'of profile %s has its key usage, and is for the names of the request',
    async (profile, usage, extended) => {
      await scene.root();
      const rsa = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'];
      const { csr } = signingRequest({
        subject: '/C=XX/O=Other/CN=vc01.lab.example',
        names: 'DNS:vc01.lab.example,IP:10.10.0.9',
        key: rsa,
      });
      const text = scene.text((await sign(csr, { profile })).pem);
      expect(text).toMatch(new RegExp(`Key Usage: critical\\s+${usage}\\n`));
      if (extended === null) expect(text).not.toContain('Extended Key Usage');
      else expect(text).toMatch(new RegExp(`Extended Key Usage: ?\\s+${extended}\\n`));
      expect(text).toMatch(/DNS:vc01\.lab\.example, IP Address:10\.10\.0\.9/);
      expect(text).toMatch(/Subject: (?:O = Lab, )?CN = vc01\.lab\.example/);
      expect(text).not.toMatch(/C = XX|Other/);
    },
  );

  test('begins a day ago, when the root does, and never outlives it', async () => {
    const root = await scene.root({ root_validity_days: 400 });
    const leaf = new X509Certificate((await sign(plainRequest().csr, { validity_days: 3650 })).pem);
    expect(leaf.validFromDate.toISOString()).toBe('2026-06-30T12:00:00.000Z');
    expect(leaf.validToDate.toISOString()).toBe(root.not_after);
  });

  test('has nothing of what a request asks for beside its names, and the request says what is not taken', async () => {
    await scene.root();
    const { csr } = signingRequest({
      subject: '/CN=mallory.lab.example',
      names: 'DNS:mallory.lab.example,email:root@lab.example,URI:https://lab.example/x',
      extensions: [
        'basicConstraints=critical,CA:TRUE',
        'keyUsage=keyCertSign',
        'extendedKeyUsage=codeSigning',
        '1.2.3.4=ASN1:UTF8String:planted',
        'certificatePolicies=1.2.3.5',
      ],
    });
    expect((await parseRequest(csr)).ignored).toEqual([
      'basic constraints',
      'key usage',
      'extended key usage',
      'the extension 1.2.3.4',
      'certificate policies',
      'the e-mail address root@lab.example',
      'the URL https://lab.example/x',
    ]);
    const text = scene.text((await sign(csr)).pem);
    expect(text).toContain('CA:FALSE');
    expect(text).not.toMatch(/CA:TRUE|Code Signing|planted|1\.2\.3|email|URI/);
  });

  test('is for the names that were decided on instead, and the common name is one of them', async () => {
    await scene.root();
    const leaf = await sign(plainRequest().csr, { names: ['Other.Lab.Example', '10.10.0.10'] });
    expect(scene.text(leaf.pem)).toMatch(
      /CN = other\.lab\.example[\s\S]*DNS:other\.lab\.example, IP Address:10\.10\.0\.10/,
    );
  });
});

describe('a subordinate authority', () => {
  const request = () => signingRequest({ subject: '/CN=VMCA of the lab' });

  test('is refused by a root of path length 0', async () => {
    await scene.root();
    expect(await faultOf(sign(request().csr, { profile: 'subordinate' }))).toContain('path length 0');
    expect(await scene.side.store.all('SELECT id FROM issued_certificate')).toEqual([]);
  });

  test('of a root of path length 1 signs, and no further one below it', async () => {
    scene.now = new Date();
    const root = await scene.root({ path_length: 1 });
    const { csr, key_pem } = request();
    const { pem } = await sign(csr, { profile: 'subordinate' });
    expect(scene.text(pem)).toMatch(/CA:TRUE, pathlen:0[\s\S]*Certificate Sign, CRL Sign/);
    scene.now = new Date(Date.now() + 60_000);
    const BELOW = 'authorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n';
    const below = (above: { pem: string; key_pem: string }, subject: string, extension: string) => {
      const own = signingRequest({ subject });
      const args = ['x509', '-req', '-in', file('own.csr', own.csr), '-CA', file('above.pem', above.pem), '-CAkey'];
      args.push(file('above.key', above.key_pem), '-days', '30', '-extfile', file('ext.cnf', `${extension}\n${BELOW}`));
      return { pem: execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' }), key_pem: own.key_pem };
    };
    const check = (leaf: string, between: string) => {
      const args = ['verify', '-attime', at(), '-CAfile', file('root.pem', root.pem), '-untrusted'];
      const ran = spawnSync('openssl', [...args, file('between.pem', between), file('leaf.pem', leaf)], {
        encoding: 'utf8',
      });
      return ran.stdout + ran.stderr;
    };
    const own = { pem, key_pem };
    const leaf = below(own, '/CN=leaf.lab.example', 'basicConstraints=critical,CA:FALSE');
    expect(check(leaf.pem, pem)).toContain('OK');
    const further = below(own, '/CN=too deep', 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign');
    const deep = below(further, '/CN=deep.lab.example', 'basicConstraints=critical,CA:FALSE');
    expect(check(deep.pem, further.pem + pem)).toContain('path length constraint exceeded');
  });
});

describe('a revoked certificate', () => {
  test('is refused by OpenSSL and GnuTLS, and another one of the same root is not', async () => {
    // GnuTLS looks at the clock.
    scene.now = new Date();
    const root = await scene.root();
    const [bad, good] = [await sign(plainRequest().csr), await sign(plainRequest().csr)];
    await revoke(bad.id, 'keyCompromise');
    expect(await verified(root.pem, bad.pem)).toMatch(/certificate revoked/);
    expect(await verified(root.pem, good.pem)).toMatch(/OK/);
    expect(await certtool(root.pem, bad.pem)).toMatch(/revoked/i);
    expect(await certtool(root.pem, good.pem)).toMatch(/Verified\. The certificate is trusted/);
    const { der, number } = await revocationList(scene.side.store);
    const text = execFileSync('openssl', ['crl', '-inform', 'DER', '-noout', '-text'], {
      input: der,
      encoding: 'utf8',
    });
    expect(number).toBe(1);
    expect(text).toMatch(/X509v3 CRL Number: ?\s+1\b/);
    expect(text).toMatch(/Key Compromise/);
    // Whole seconds: a fraction would be a fault (RFC 5280, 5.1.2.4).
    expect(der.toString('latin1')).not.toMatch(/\d{12}\.\d+Z/);
    expect(await findIssued(scene.side.store, bad.id, scene.now)).toMatchObject({
      state: 'revoked',
      revocation_reason: 'keyCompromise',
    });
  });

  test('on hold comes off it, and goes on it from when it was held where it is revoked for good', async () => {
    const root = await scene.root();
    const { id, pem } = await sign(plainRequest().csr);
    await revoke(id, 'certificateHold');
    expect(await verified(root.pem, pem)).toMatch(/revoked/);
    expect(await faultOf(revoke(id, 'certificateHold'))).toContain('on hold already');
    await scene.side.store.write((tx) => releaseCertificate(tx, scene.side, id));
    expect(await verified(root.pem, pem)).toMatch(/OK/);
    await revoke(id, 'certificateHold');
    const held = (await findIssued(scene.side.store, id, scene.now)).revoked_at;
    scene.later(1);
    await revoke(id, 'superseded');
    expect(await findIssued(scene.side.store, id, scene.now)).toMatchObject({ revoked_at: held, state: 'revoked' });
    expect(await faultOf(revoke(id, 'superseded'))).toContain('was revoked at');
    expect(await faultOf(scene.side.store.write((tx) => releaseCertificate(tx, scene.side, id)))).toContain('for good');
    expect((await revocationList(scene.side.store)).number).toBe(4);
  });

  test('keeps neither row nor list where any statement fails', async () => {
    await scene.root();
    const { id } = await sign(plainRequest().csr);
    const state = () =>
      scene.side.store.all(`SELECT revoked_at, crl_number, crl_der FROM issued_certificate, certificate_authority`);
    const before = await state();
    for (let n = 1; ; n++) {
      countdown = n;
      const fault = await faultOf(revoke(id, 'superseded'));
      countdown = Number.POSITIVE_INFINITY;
      if (fault === 'no fault') break;
      expect(fault).toBe('injected');
      expect(await state()).toEqual(before);
    }
  });
});

test('a list is signed when there is none, after a day, and when the clock was set back, and its number only rises', async () => {
  const root = await scene.root();
  expect(await refreshLists(scene.side)).toEqual([root.id]);
  expect(await refreshLists(scene.side)).toEqual([]);
  scene.later(0.9);
  expect(await refreshLists(scene.side)).toEqual([]);
  scene.later(0.2);
  expect(await refreshLists(scene.side)).toEqual([root.id]);
  scene.later(-0.5);
  expect(await refreshLists(scene.side)).toEqual([root.id]);
  expect((await revocationList(scene.side.store)).number).toBe(3);
});

describe('what is refused, in a sentence, and leaves nothing', () => {
  afterEach(async () => {
    expect(await scene.side.store.all('SELECT id FROM issued_certificate')).toEqual([]);
  });
  const { csr } = plainRequest();

  test('no root, and an expired one', async () => {
    await scene.settings({ enabled: true });
    expect(await faultOf(sign(csr))).toContain('no root certificate yet');
    await scene.root({ root_validity_days: 365, certificate_validity_days: 1 });
    scene.later(400);
    expect(await faultOf(sign(csr))).toContain('The root certificate expired at');
  });

  test('a name that the profile does not allow', async () => {
    await scene.root();
    const allowed_names = ['*.lab.example', '10.20.0.0/16'];
    await scene.side.store.write((tx) => updateProfile(tx, 'server', { allowed_names }, null));
    expect(await faultOf(sign(csr))).toContain('not issued for 10.10.0.9: it allows *.lab.example, 10.20.0.0/16');
    expect(await faultOf(sign(csr, { names: ['lab.example'] }))).toContain('not issued for lab.example');
    expect(await faultOf(sign(csr, { names: ['evil-lab.example', '10.21.0.1'] }))).toContain('2 values');
  });

  test.each([
    ['a private key', () => plainRequest().key_pem, 'private key'],
    ['no request', () => 'hello, world', 'as PEM'],
    ['a certificate', () => Buffer.from('hello').toString('base64'), 'PKCS #10'],
    ['SHA-1', () => signingRequest({ subject: '/CN=a.lab.example', digest: 'sha1' }).csr, 'SHA-256'],
    [
      'a short key',
      () =>
        signingRequest({ subject: '/CN=a.lab.example', key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] })
          .csr,
      '2048, 3072 or 4096 bits',
    ],
    ['a broken signature', () => broken(csr), 'does not belong to its key'],
    ['too much', () => 'A'.repeat(40_000), 'at most 32768'],
  ])('%s', async (_what, text, said) => {
    await scene.root();
    expect(await faultOf(sign(text()))).toContain(said);
  });

  test('a failing statement, whichever', async () => {
    await scene.root();
    for (let n = 1; ; n++) {
      countdown = n;
      const fault = await faultOf(sign(csr));
      countdown = Number.POSITIVE_INFINITY;
      if (fault === 'no fault') break;
      expect(fault).toBe('injected');
      expect(await scene.side.store.all('SELECT id FROM issued_certificate')).toEqual([]);
    }
    await scene.run('DELETE FROM issued_certificate');
  });
});

/** The same request with another name in it, so that its signature is of something else. */
function broken(csr: string): string {
  const der = Buffer.from(csr.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');
  const at = der.indexOf('host.lab.example');
  der[at] = 'g'.charCodeAt(0);
  return der.toString('base64');
}
