// The certificate authority: what it makes is what OpenSSL, Node and a TLS connection take; one certificate for each
// purpose, in time; and no private key anywhere but sealed.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as open } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { openKeyring } from '../../../../shared/ground/sealing/keyring.ts';
import { verifyAudit } from '../../../../shared/kernel/audit/audit.ts';
import {
  createRoot,
  prepareRoot,
  rootCertificate,
  rootState,
} from '../../../../shared/platform/certificate-authority/authority.ts';
import type { CertificateRow } from '../../../../shared/platform/certificate-authority/certificate-store.ts';
import { ensureServerCertificate } from '../../../../shared/platform/certificate-authority/issue.ts';
import { BATCH } from '../../../../shared/platform/vaults/rotate.ts';
import { AuthorityScene } from '../../../setup/authority-scene.ts';
import { fill, keysFile, rotate, standing } from '../../../setup/vault-scene.ts';

const NAMES = ['depot.lab.example', '127.0.0.1', 'fd00:10::5'];
const WANTED = { purpose: 'offline-depot', names: NAMES };
const DAY = 86_400_000;

let folder: string;
let scene: AuthorityScene;
/** Writing statements until one fails. */
let countdown: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-ca-'));
  countdown = Number.POSITIVE_INFINITY;
  scene = await AuthorityScene.open(folder, (sql, connection) => {
    if (connection === 'writer' && sql !== 'ROLLBACK' && --countdown === 0) throw new Error('injected');
  });
});
afterEach(async () => {
  await scene.side.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const ensure = (names = NAMES, purpose = 'offline-depot') => ensureServerCertificate(scene.side, { purpose, names });
const issued = () =>
  scene.side.store.all<{ id: string; purpose: string; replaced_at: string | null; kek_id: string }>(
    'SELECT id, purpose, replaced_at, kek_id FROM issued_certificate ORDER BY rowid',
  );
const events = () =>
  scene.side.store.all<{ action: string; actor_kind: string; detail: string }>(
    'SELECT action, actor_kind, detail FROM audit_event ORDER BY seq',
  );
const reasons = async () => (await events()).map(({ detail }) => (JSON.parse(detail) as { reason: string }).reason);
const fault = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: string; message: string }) => error,
  );

describe('certificates as others read them', () => {
  test.each(['ecdsa-p256', 'ecdsa-p384', 'rsa-3072'] as const)(
    'OpenSSL, strictly, and Node take what a root of %s signs',
    async (key_algorithm) => {
      const root = await scene.root({ key_algorithm, organization: 'Lab, “Süd”', common_name: '#1 + Root = "A"' });
      const { cert_pem, key_pem, sha256 } = await ensure();
      expect(scene.verify(root.pem, cert_pem)).toMatch(/: OK\n$/);
      const leaf = new X509Certificate(cert_pem);
      const authority = new X509Certificate(root.pem);
      expect(authority.ca && !leaf.ca && authority.verify(authority.publicKey)).toBe(true);
      expect(leaf.checkIssued(authority) && leaf.verify(authority.publicKey)).toBe(true);
      expect(leaf.checkPrivateKey(createPrivateKey(key_pem))).toBe(true);
      expect([leaf.checkHost('depot.lab.example'), leaf.checkIP('127.0.0.1'), leaf.checkIP('fd00:10::5')]).toEqual([
        'depot.lab.example',
        '127.0.0.1',
        'fd00:10::5',
      ]);
      expect(leaf.checkHost('other.lab.example')).toBeUndefined();
      expect([leaf.fingerprint256, authority.fingerprint256]).toEqual([sha256, root.sha256]);
      expect(root.subject).toContain('Süd');
    },
  );

  test('extensions, serial numbers and subjects are as RFC 5280 wants them', async () => {
    const root = await scene.root({ organization: 'Lab' });
    const rootText = scene.text(root.pem);
    expect(rootText).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(rootText).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    const { cert_pem } = await ensure();
    const text = scene.text(cert_pem);
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/);
    expect(text).toMatch(/Key Usage: critical\s+Digital Signature, Key Encipherment\n/);
    expect(text).toMatch(/Extended Key Usage: \n\s+TLS Web Server Authentication\n/);
    expect(text).toMatch(/Alternative Name: \n\s+DNS:depot.lab.example, IP Address:127.0.0.1, IP Address:FD00:10:0/);
    expect(text).toContain('Public-Key: (2048 bit)');
    const identifier = /Subject Key Identifier: \n\s+([0-9A-F:]+)/.exec(rootText)![1]!;
    expect(text).toMatch(new RegExp(`Authority Key Identifier: \\n\\s+${identifier}\\n`));
    const serials = [new X509Certificate(root.pem), new X509Certificate(cert_pem)].map((each) => each.serialNumber);
    expect(serials.every((serial) => /^[4-7][0-9A-F]{31}$/.test(serial))).toBe(true);
    expect(new Set(serials).size).toBe(2);
  });

  test('a name of more than 64 characters is no common name', async () => {
    await scene.root();
    const long = `${'a'.repeat(60)}.lab.example`;
    const subject = new X509Certificate((await ensure([long])).cert_pem);
    expect(scene.text(subject.toString())).toMatch(/Subject: \n/);
    expect(scene.text(subject.toString())).toMatch(/Alternative Name: critical\s+DNS:a/);
    expect(new X509Certificate((await ensure([long, 'depot.lab.example'])).cert_pem).subject).toBe(
      'CN=depot.lab.example',
    );
    expect(scene.verify((await rootCertificate(scene.side.store))!.pem, (await ensure([long])).cert_pem)).toMatch(/OK/);
  });

  test('a TLS connection by name and by address is authorized against the root, and by another name is not', async () => {
    scene.now = new Date();
    const root = await scene.root({ key_algorithm: 'rsa-3072' });
    const { cert_pem, key_pem } = await ensure();
    const server = createServer({ cert: cert_pem, key: key_pem }, (socket) => socket.end('hello'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ask = async (host: string, maxVersion: 'TLSv1.2' | 'TLSv1.3') => {
      const socket: TLSSocket = connect({
        socket: open(port, '127.0.0.1'),
        ca: root.pem,
        host,
        maxVersion,
        ...(/[a-z]/.test(host) && { servername: host }),
      });
      const said = await once(socket, 'secureConnect').then(
        () => 'authorized',
        (error: NodeJS.ErrnoException) => error.code,
      );
      const chain = socket.getPeerCertificate(true);
      socket.destroy();
      return [said, said === 'authorized' ? chain.issuerCertificate.fingerprint256 : null];
    };
    try {
      expect(await ask('depot.lab.example', 'TLSv1.3')).toEqual(['authorized', root.sha256]);
      expect(await ask('depot.lab.example', 'TLSv1.2')).toEqual(['authorized', root.sha256]);
      expect(await ask('127.0.0.1', 'TLSv1.3')).toEqual(['authorized', root.sha256]);
      expect((await ask('other.lab.example', 'TLSv1.3'))[0]).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    } finally {
      server.close();
    }
  });
});

describe('when they begin and end', () => {
  test('a root begins a day early, a certificate an hour early; it never outlives its root', async () => {
    const root = await scene.root({ root_validity_days: 365, certificate_validity_days: 365 });
    const first = new X509Certificate((await ensure()).cert_pem);
    expect(root.not_before).toBe('2026-06-30T12:00:00.000Z');
    expect(new Date(first.validFrom).toISOString()).toBe('2026-07-01T11:00:00.000Z');
    expect(new Date(first.validTo).toISOString()).toBe(root.not_after);
    scene.later(300);
    const second = await ensure(['other.lab.example']);
    expect(second.not_after).toBe(root.not_after);
    expect(scene.verify(root.pem, second.cert_pem)).toMatch(/OK/);
  });

  test('dates beyond 2049 are written as RFC 5280 wants them, and read', async () => {
    scene.now = new Date('2049-06-01T00:00:00.999Z');
    const root = await scene.root({ root_validity_days: 9125, certificate_validity_days: 825 });
    const { cert_pem, not_after } = await ensure();
    expect(root.not_after).toBe('2074-05-25T22:59:59.000Z');
    expect(not_after).toBe('2051-09-03T22:59:59.000Z');
    expect(scene.text(cert_pem)).toMatch(/Not After : Sep {2}3 22:59:59 2051 GMT/);
    // GeneralizedTime without a fraction, and UTCTime before 2050.
    const der = new X509Certificate(cert_pem).raw.toString('latin1');
    expect(der).toContain('20510903225959Z');
    expect(der).toContain('490531230000Z');
    expect(scene.verify(root.pem, cert_pem)).toMatch(/OK/);
  });

  test('keys that serve beyond 2030 are longer', async () => {
    scene.now = new Date('2030-06-01T00:00:00Z');
    await scene.root();
    expect(scene.text((await ensure()).cert_pem)).toContain('Public-Key: (3072 bit)');
  });
});

describe('the root', () => {
  test('there is none at first; with custody off none is made; a second one is refused', async () => {
    expect(await rootCertificate(scene.side.store)).toBeNull();
    expect(await fault(ensure())).toMatchObject({ code: 'certificate_authority_missing' });
    expect(await fault(prepareRoot(scene.side.store, scene.side))).toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('Custody is off'),
    });
    const root = await scene.root();
    expect(root).toMatchObject({ subject: 'CN=Groundcrew Root CA', created_by: 'ada', key_algorithm: 'ecdsa-p256' });
    expect(await rootCertificate(scene.side.store)).toEqual(root);
    expect(await fault(scene.root())).toMatchObject({ code: 'already_exists' });
  });

  test('of two that are made at once, one is', async () => {
    await scene.settings({ enabled: true, key_algorithm: 'ecdsa-p256' });
    const make = async () => {
      const prepared = await prepareRoot(scene.side.store, scene.side);
      return scene.side.store.write((tx) => createRoot(tx, scene.side, 'ada', prepared));
    };
    const made = await Promise.allSettled([make(), make(), make()]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await scene.side.store.all('SELECT id FROM certificate_authority')).toHaveLength(1);
  });

  test('one that is prepared from settings of before is refused', async () => {
    await scene.settings({ enabled: true, key_algorithm: 'ecdsa-p256' });
    const prepared = await prepareRoot(scene.side.store, scene.side);
    await scene.settings({ common_name: 'Another' });
    const made = scene.side.store.write((tx) => createRoot(tx, scene.side, 'ada', prepared));
    expect(await fault(made)).toMatchObject({ code: 'state_conflict' });
  });

  test('a clock that nobody has set makes none', async () => {
    scene.now = new Date('2000-01-01T00:00:00Z');
    expect(await fault(scene.root())).toMatchObject({ message: expect.stringContaining('set it first') });
  });

  test.each([
    ['expired', 365 * 2, 'expired at'],
    ['made while the clock was ahead', -30, 'valid from'],
  ])('one that is %s signs nothing, and another may be made', async (_state, days, says) => {
    const first = await scene.root({ root_validity_days: 365, certificate_validity_days: 365 });
    await ensure();
    scene.later(days);
    expect(await fault(ensure())).toMatchObject({
      code: 'certificate_authority_missing',
      message: expect.stringContaining(says),
    });
    const second = await scene.root();
    expect(second.sha256).not.toBe(first.sha256);
    const { cert_pem, issued: anew } = await ensure();
    expect(anew).toBe(true);
    expect(scene.verify(second.pem, cert_pem)).toMatch(/OK/);
    expect(await reasons()).toEqual(['first', 'other_root']);
  });

  test('one whose key can’t be opened any more may be made again', async () => {
    await scene.root();
    await scene.run("UPDATE certificate_authority SET sealed_value = 'vv1.AAAA'");
    expect(await fault(ensure())).toMatchObject({ message: expect.stringContaining('vault.keys') });
    await scene.root();
    expect((await ensure()).issued).toBe(true);
  });
});

describe('one certificate for a purpose, in time', () => {
  beforeEach(async () => {
    await scene.root();
  });

  test('one that keeps its key has it in each that follows, until it is revoked', async () => {
    const kept = (names: string[]) => ensureServerCertificate(scene.side, { purpose: 'kms', names, keeps_key: true });
    const keyOf = (pem: string) => new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'pem' });
    const first = await kept(['kms.lab.example']);
    const named = await kept(['kms.lab.example', '10.0.0.5']);
    scene.now = new Date(Date.parse(named.not_after) - DAY);
    const due = await kept(['kms.lab.example', '10.0.0.5']);
    expect(await reasons()).toEqual(['first', 'other_names', 'due']);
    expect(new Set([first, named, due].map(({ sha256 }) => sha256)).size).toBe(3);
    expect(new Set([first, named, due].map(({ cert_pem }) => keyOf(cert_pem))).size).toBe(1);
    expect(new X509Certificate(due.cert_pem).checkPrivateKey(createPrivateKey(due.key_pem))).toBe(true);
    const at = scene.now.toISOString();
    await scene.side.store.write((tx) => tx.run('UPDATE issued_certificate SET revoked_at = ?', [at]));
    expect(keyOf((await kept(['kms.lab.example'])).cert_pem)).not.toBe(keyOf(due.cert_pem));
  });

  test('it is made once, with its event, and given out until it is due', async () => {
    const first = await ensure();
    expect(first.issued).toBe(true);
    for (const names of [NAMES, NAMES.toReversed(), ['DEPOT.lab.example.'], ['fd00:10:0::5', '127.0.0.1']]) {
      expect(await ensure(names)).toEqual({ ...first, issued: false });
    }
    scene.later(264);
    expect((await ensure()).issued).toBe(false);
    scene.later(1);
    const second = await ensure();
    expect(second.issued).toBe(true);
    const rows = await issued();
    expect(rows.map(({ replaced_at }) => replaced_at)).toEqual([scene.now.toISOString(), null]);
    expect(await reasons()).toEqual(['first', 'due']);
    const [event] = await events();
    expect(event).toMatchObject({ action: 'certificate.issue', actor_kind: 'system' });
    expect(JSON.parse(event!.detail)).toMatchObject({ purpose: 'offline-depot', names: NAMES, sha256: first.sha256 });
    expect(await verifyAudit(scene.side.store, scene.side.keys)).toMatchObject({ ok: true, events: 2 });
  });

  test('another name, a clock that was ahead and a lost key each make another; another purpose has its own', async () => {
    await ensure();
    await ensure([...NAMES, 'depot2.lab.example']);
    scene.later(20);
    await ensure(['third.lab.example']);
    scene.later(-10);
    await ensure(['third.lab.example']);
    await scene.run("UPDATE issued_certificate SET sealed_value = 'vv1.AAAA' WHERE replaced_at IS NULL");
    await ensure(['third.lab.example']);
    await ensure(NAMES, 'portal');
    expect(await reasons()).toEqual(['first', 'other_names', 'other_names', 'not_yet_valid', 'key_unusable', 'first']);
    const rows = await issued();
    expect(rows.filter(({ replaced_at }) => replaced_at === null)).toHaveLength(2);
    // What was replaced needs its key no more.
    expect(rows.every(({ replaced_at, kek_id }) => (replaced_at === null) === (kek_id !== ''))).toBe(true);
  });

  test('as the root ends, none is made that would end no later', async () => {
    scene.later(3649);
    expect((await ensure()).issued).toBe(true);
    scene.now = new Date(scene.now.getTime() + 0.9 * DAY);
    expect((await ensure()).issued).toBe(false);
  });

  test('without custody the one there is goes on, and none is made', async () => {
    const first = await ensure();
    await scene.settings({ enabled: false });
    scene.later(300);
    expect(await ensure()).toEqual({ ...first, issued: false });
    expect(await fault(ensure(['other.lab.example']))).toMatchObject({
      code: 'certificate_authority_missing',
      message: expect.stringContaining('Custody is off'),
    });
  });

  test('calls at once, of two programs as well, issue one', async () => {
    const other = await scene.another();
    try {
      const all = await Promise.all([
        ...Array.from({ length: 5 }, () => ensure()),
        ...Array.from({ length: 5 }, () => ensureServerCertificate(other, WANTED)),
      ]);
      expect(all.filter((each) => each.issued)).toHaveLength(1);
      expect(new Set(all.map(({ key_pem }) => key_pem)).size).toBe(1);
      expect(await issued()).toHaveLength(1);
    } finally {
      await other.store.close();
    }
  });

  test.each([
    [[], '/names'],
    [['depot.lab.example', 'not a name'], '/names/1'],
    [['*.lab.example'], '/names/0'],
    [['fe80::1%eth0'], '/names/0'],
    [['10.1'], '/names/0'],
  ])('names %j are refused where the fault is', async (names, pointer) => {
    const refused = (await fault((async () => ensure(names))())) as unknown as { members: { errors: object[] } };
    expect(refused.members.errors).toEqual([{ pointer, detail: expect.any(String) }]);
  });
});

describe('private keys', () => {
  test('stand nowhere but sealed: not in the database, its log, the audit log or an answer', async () => {
    const root = await scene.root();
    const { key_pem, ...rest } = await ensure();
    const seen = [
      ...readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1')),
      JSON.stringify([root, rest, await events()]),
    ].join('\n');
    expect(seen).not.toMatch(/PRIVATE KEY/);
    const der = Buffer.from(key_pem.replaceAll(/-----.*-----|\s/g, ''), 'base64');
    for (const part of [
      der.toString('latin1'),
      der.toString('base64').slice(0, 64),
      der.subarray(200, 232).toString('hex'),
    ])
      expect(seen).not.toContain(part);
  });

  test('rotation of the key of the vaults takes them along, and forgets the old key', async () => {
    await scene.root();
    const first = await ensure();
    await ensure(NAMES, 'portal');
    const before = JSON.parse(readFileSync(keysFile(folder), 'utf8')) as { current: string };
    const kek_id = await rotate(scene.side);
    const held = JSON.parse(readFileSync(keysFile(folder), 'utf8')) as { keys: { id: string }[] };
    expect(held.keys.map(({ id }) => id)).toEqual([kek_id]);
    expect(before.current).not.toBe(kek_id);
    expect(await ensure()).toEqual({ ...first, issued: false });
    expect((await ensure(['more.lab.example'])).issued).toBe(true);
  });

  test('rotation that is cut off at any statement loses none, across tables and batches; the next one ends it', async () => {
    const root = await scene.root();
    await fill(scene.side, BATCH - 2);
    const purposes = ['a', 'b', 'c', 'd'];
    const made = await Promise.all(purposes.map((purpose) => ensure(NAMES, purpose)));
    let failed = 0;
    for (let n = 1; ; n++) {
      countdown = n;
      const outcome = await rotate(scene.side).then(
        () => 'rotated',
        (error: Error) => error.message,
      );
      countdown = Number.POSITIVE_INFINITY;
      const now = await Promise.all(purposes.map((purpose) => ensure(NAMES, purpose)));
      expect({ n, now }).toEqual({ n, now: made.map((each) => ({ ...each, issued: false })) });
      if (outcome === 'rotated') break;
      failed++;
      expect(outcome).toBe('injected');
    }
    expect(failed).toBeGreaterThan(10);
    expect(await standing(folder)).toMatchObject({ entries: BATCH - 2, wrong: [], held: 1 });
    const row = await scene.side.store.one<CertificateRow>('SELECT * FROM certificate_authority');
    expect(await rootState(scene.side, row!, scene.now)).toMatchObject({ state: 'valid' });
    expect(row!.sha256).toBe(root.sha256);
  });

  test('of another row or authority can’t be opened', async () => {
    await scene.root();
    await ensure();
    await ensure(NAMES, 'portal');
    await scene.run(`UPDATE issued_certificate SET (kek_id, sealed_key, sealed_value) =
      (SELECT kek_id, sealed_key, sealed_value FROM issued_certificate WHERE purpose = 'portal')`);
    await ensure();
    expect((await reasons()).at(-1)).toBe('key_unusable');
  });

  test('without the file of keys nothing is issued, and it says why', async () => {
    await scene.root();
    rmSync(keysFile(folder));
    expect(await fault(ensure())).toMatchObject({ code: 'vault_keys_unusable' });
    await expect(openKeyring(folder, systemEntropy, true)).rejects.toThrow(/missing/);
  });
});
