// An authority with 10,000 certificates, of which 5,000 are revoked: a page of the list, another certificate, and a revocation
// list that is signed, each beside OpenSSL in the same round, with the same root key and the same entries. Ratios alone are
// judged: a machine's milliseconds are its own.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listIssued, newestRoot } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { parseRequest } from '../../shared/platform/certificate-authority/csr.ts';
import { openSigner } from '../../shared/platform/certificate-authority/issue.ts';
import { signInto, wantedOf } from '../../shared/platform/certificate-authority/issue-request.ts';
import { revokeCertificate } from '../../shared/platform/certificate-authority/revoke.ts';
import { AuthorityScene } from '../setup/authority-scene.ts';
import { plainRequest } from '../setup/signing-request.ts';

const CERTIFICATES = 10_000;
const REVOKED = 5_000;
const ROUNDS = 15;
const WARM_UP = 3;
/**
 * Bars. A page of the list beside the same with 100 certificates; a certificate beside OpenSSL's, whose program starts, loads
 * the key and signs; a list beside `openssl ca -gencrl`, which does the same and reads its index.
 */
const BARS = { 'a page of the list': 3, 'the last to expire': 3, 'a certificate': 3, 'a revocation list': 6 };

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-certificates-'));
const at = (name: string): string => join(folder, name);
const openssl = (...args: string[]): string => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
const SERIAL = (n: number): string => `4${(n + 1).toString(16).toUpperCase().padStart(31, '0')}`;

interface Prepared {
  scene: AuthorityScene;
  authority: string;
}

/** One certificate is made; the others are its row again, with numbers of their own. */
async function prepare(name: string, certificates: number, revoked: number): Promise<Prepared> {
  const scene = await AuthorityScene.open(at(name));
  scene.now = new Date();
  await scene.root({ key_algorithm: 'rsa-3072' });
  const { id } = await issue(scene);
  const { store } = scene.side;
  await store.write(async (tx) => {
    await tx.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO issued_certificate (id, authority_id, purpose, profile, names, subject, certificate_pem, sha256,
         serial_number, key_algorithm, kek_id, sealed_key, sealed_value, not_before, not_after, created_by, created_at,
         revoked_at, revocation_reason)
       SELECT 'cert_' || i, authority_id, purpose, profile, '["host' || i || '.lab.example"]', 'CN=host' || i || '.lab.example',
         certificate_pem, printf('%032X', i), '4' || printf('%031X', i + 1), key_algorithm, kek_id, sealed_key, sealed_value,
         not_before, strftime('%Y-%m-%dT%H:%M:%fZ', not_after, '-' || (i % 300) || ' days'), created_by, created_at,
         CASE WHEN i <= ?2 THEN created_at END, CASE WHEN i <= ?2 THEN 'superseded' END
       FROM n, issued_certificate WHERE issued_certificate.id = ?3`,
      [certificates - 1, revoked, id],
    );
  });
  const root = (await newestRoot(store))!;
  return { scene, authority: root.id };
}

async function issue({ side }: AuthorityScene): Promise<{ id: string }> {
  const parsed = await parseRequest(plainRequest().csr);
  return side.store.write((tx) => signInto(tx, side, 'bench', wantedOf(parsed, { profile: 'server' })));
}

/** The same root and the same entries, as OpenSSL's own authority keeps them. */
async function peer({ scene }: Prepared): Promise<void> {
  const { store } = scene.side;
  const { signer } = await openSigner(store, scene.side, await newestRoot(store));
  writeFileSync(at('root.pem'), signer.pem);
  writeFileSync(at('root.key'), signer.key_pem, { mode: 0o600 });
  writeFileSync(at('request.csr'), plainRequest().csr);
  const lines = Array.from(
    { length: REVOKED },
    (_, n) => `R\t270101000000Z\t261001000000Z,superseded\t${SERIAL(n + 1)}\tunknown\t/CN=host${n + 1}.lab.example`,
  );
  writeFileSync(at('index.txt'), `${lines.join('\n')}\n`);
  writeFileSync(at('crlnumber'), '1000\n');
  writeFileSync(
    at('ca.cnf'),
    `[ca]\ndefault_ca=own\n[own]\ndatabase=${at('index.txt')}\ncrlnumber=${at('crlnumber')}\ncertificate=${at('root.pem')}\nprivate_key=${at('root.key')}\ndefault_md=sha256\ndefault_crl_days=7\n`,
  );
}

async function took(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[all.length >> 1]!;

const list = ({ scene }: Prepared, sort: 'newest' | 'expiry') =>
  listIssued(scene.side.store, { sort, now: scene.now, limit: 50 });

async function revokeOne({ scene }: Prepared): Promise<void> {
  const { id } = await issue(scene);
  ids.push(id);
}
const ids: string[] = [];

async function main(): Promise<number> {
  const many = await prepare('many', CERTIFICATES, REVOKED);
  const few = await prepare('few', 100, 0);
  await peer(many);
  const { side } = many.scene;
  for (let n = 0; n < ROUNDS + WARM_UP; n++) await revokeOne(many);
  /** What is measured → itself, and what it is held against. */
  const pairs: Record<keyof typeof BARS, [own: () => unknown, other: () => unknown]> = {
    'a page of the list': [() => list(many, 'newest'), () => list(few, 'newest')],
    'the last to expire': [() => list(many, 'expiry'), () => list(few, 'expiry')],
    'a certificate': [
      () => issue(many.scene),
      () =>
        openssl(
          ...['x509', '-req', '-in', at('request.csr'), '-CA', at('root.pem'), '-CAkey', at('root.key')],
          ...['-set_serial', '1', '-days', '30', '-out', at('out.pem')],
        ),
    ],
    // The row, 5,001 entries and more, and the list in one transaction.
    'a revocation list': [
      () => side.store.write((tx) => revokeCertificate(tx, side, ids.pop()!, 'superseded')),
      () => openssl('ca', '-config', at('ca.cnf'), '-gencrl', '-out', at('out.crl')),
    ],
  };
  const times = new Map(Object.keys(pairs).map((name) => [name, { own: [] as number[], other: [] as number[] }]));
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [name, [own, other]] of Object.entries(pairs)) {
      const pair = { own: await took(own), other: await took(other) };
      if (round < WARM_UP) continue;
      times.get(name)!.own.push(pair.own);
      times.get(name)!.other.push(pair.other);
    }
  }
  const faults = await judge(many);
  console.log(`${CERTIFICATES} certificates, ${REVOKED} revoked, root RSA 3072; median of ${ROUNDS} rounds\n`);
  for (const [name, { own, other }] of times) {
    const ratio = median(own) / median(other);
    const bar = BARS[name as keyof typeof BARS];
    if (ratio > bar) faults.push(`${name}: ${ratio.toFixed(2)} times, the bar is ${bar}`);
    const beside = name === 'a certificate' || name === 'a revocation list' ? 'OpenSSL' : '100 certificates';
    console.log(
      `${name.padEnd(20)} ${median(own).toFixed(1).padStart(7)} ms, beside ${beside} ${median(other).toFixed(1)} ms: ${ratio.toFixed(2)} times (bar ${bar})`,
    );
  }
  for (const { scene } of [many, few]) await scene.side.store.close();
  for (const fault of faults) console.log(`FAULT ${fault}`);
  return faults.length > 0 ? 1 : 0;
}

/** What was measured really happened: OpenSSL reads our list, and finds every entry. */
async function judge({ scene, authority }: Prepared): Promise<string[]> {
  const row = await scene.side.store.one<{ crl_der: string }>(
    'SELECT crl_der FROM certificate_authority WHERE id = ?',
    [authority],
  );
  writeFileSync(at('own.crl'), Buffer.from(row!.crl_der, 'base64'));
  const own = openssl('crl', '-inform', 'DER', '-in', at('own.crl'), '-noout', '-text');
  const entries = own.match(/Serial Number:/g)?.length ?? 0;
  const verified = spawnSync(
    'openssl',
    ['crl', '-inform', 'DER', '-in', at('own.crl'), '-noout', '-CAfile', at('root.pem')],
    {
      encoding: 'utf8',
    },
  );
  const theirs = openssl('crl', '-in', at('out.crl'), '-noout', '-text').match(/Serial Number:/g)?.length ?? 0;
  return [
    ...(entries === REVOKED + ROUNDS + WARM_UP ? [] : [`the list has ${entries} entries`]),
    ...(theirs === REVOKED ? [] : [`OpenSSL's list has ${theirs} entries`]),
    ...(/verify OK/.test(verified.stdout + verified.stderr) ? [] : ['OpenSSL does not verify the list']),
  ];
}

try {
  process.exitCode = await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
