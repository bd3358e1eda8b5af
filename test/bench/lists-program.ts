// Lists with 100 and with 10,000 rows: what the answer takes, of the pages that people look at and of the REST lists; and the
// download of 100, 10,000 and 100,000 records as CSV over HTTP: its first byte, all of it, and how much the memory grew.
import { performance } from 'node:perf_hooks';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { LEASES_FILE } from '../../shared/services/dns-dhcp/files.ts';
import { type Credentials, House } from '../setup/house.ts';

const [FEW, MANY, ALL] = [100, 10_000, 100_000];
const ROUNDS = 15;
/** Of 10,000 rows to 100. */
const BAR = 2;
const NOW = '2026-01-01T00:00:00.000Z';

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const house = await House.open({ ticker: false });
const admin: Credentials = await house.actor('admin');
const { store } = house.services;

/** A recursive statement that makes the numbers from `from` below `to`. */
const numbers = 'WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)';

const SEALED = 'kek_id, sealed_key, sealed_value';

/** What people and programs sign in with, and what a certificate authority and vaults hold. */
async function fillTrust(tx: Transaction, from: number, to: number): Promise<void> {
  const rows: [into: string, values: string][] = [
    [
      'user (id, name, role, password_hash, created_at, updated_at)',
      `'user_' || i, 'person' || i, 'viewer', 'x', ?3, ?3`,
    ],
    [
      'api_token (id, name, secret_hmac, scopes, user_id, created_by, created_at, expires_at)',
      `'tok_' || i, 'program ' || i, 'x', 'read:dns', 'user_' || i, 'person' || i, ?3, '2099-01-01T00:00:00.000Z'`,
    ],
    // A vault has 2,000 at most: these are of five.
    [
      'vault_entry (id, vault_id, key, username, created_at, updated_at)',
      `'entry_' || i, 'vault_' || (i / 2000), 'host' || i || '-root', 'root', ?3, ?3`,
    ],
    [
      'certificate_request (id, state, profile, csr_pem, subject, names, key_algorithm, note, created_by, created_at)',
      `'csr_' || i, 'refused', 'server', '', 'CN=host' || i, json_array('host' || i || '.lab.test'), 'ecdsa-p256', '', 'bench', ?3`,
    ],
    [
      `issued_certificate (id, authority_id, purpose, profile, names, subject, certificate_pem, sha256, serial_number,
         key_algorithm, ${SEALED}, not_before, not_after, created_by, created_at)`,
      `'cert_' || i, 'ca_a', '', 'server', json_array('host' || i || '.lab.test'),
         'CN=host' || i, '', printf('AA:%08X', i), 'serial' || i, 'ecdsa-p256', '', '', '', ?3, '2099-01-01T00:00:00.000Z',
         'bench', ?3`,
    ],
  ];
  for (const [into, values] of rows)
    await tx.run(`${numbers} INSERT INTO ${into} SELECT ${values} FROM n`, [from, to, NOW]);
}

const writeLeases = (content: string) => house.services.host.write({ path: LEASES_FILE, content, mode: 0o644 });

/** The file of the server, and lines of the log, which have no table. */
async function fillOutside(to: number): Promise<void> {
  const lease = (row: number) => {
    const [high, low] = [(row >> 8) & 255, row & 255];
    const mac = [2, 0, 0, 1, high, low].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
    return `4102444800 ${mac} 10.70.${high}.${low} guest${row} *`;
  };
  const lines = Array.from({ length: to }, (_line, row) => lease(row));
  await writeLeases(`${lines.join('\n')}\n`);
  for (let row = 0; row < to; row++) {
    const line = { level: 'INFO', message: `line ${row}`, service: 'groundcrew', version: '0.1.0' };
    house.services.log_tail?.add(JSON.stringify(line));
  }
}

async function fill(from: number, to: number): Promise<void> {
  const ip = "printf('10.%d.%d.%d', 60 + (i >> 16), (i >> 8) & 255, i & 255)";
  await store.write(async (tx) => {
    await tx.run(
      `${numbers} INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
       SELECT 'rec_' || i, 'host' || i || '.lab.test', 'A', ${ip}, 'zone_a', ?3, ?3 FROM n`,
      [from, to, NOW],
    );
    if (to > MANY) return;
    await fillTrust(tx, from, to);
    await tx.run(
      `${numbers} INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, created_at, updated_at)
       SELECT 'resv_' || i, 'esx' || i, printf('02:00:00:00:%02x:%02x', i >> 8, i & 255), 'ipv4', ${ip}, ?3, ?3 FROM n`,
      [from, to, NOW],
    );
    await tx.run(
      `${numbers} INSERT INTO ldap_user (id, organization_id, uid, kind, given_name, surname, display_name, mail, telephone,
         entry_uuid, created_at, updated_at)
       SELECT 'ldapuser_' || i, 'org_a', 'user' || i, 'person', '', 'S', '', '', '',
         printf('00000000-0000-4000-8000-%012d', i), ?3, ?3 FROM n`,
      [from, to, NOW],
    );
    await tx.run(
      `${numbers} INSERT INTO job (id, kind, state, input, created_by, created_at, finished_at)
       SELECT 'job_' || i, 'apply', 'succeeded', '{}', 'bench', ?3, ?3 FROM n`,
      [from, to, NOW],
    );
    await tx.run(
      `${numbers} INSERT INTO audit_event (seq, at, actor_kind, actor_name, action, resource_type, outcome, request_id,
         source_address, detail, previous_hash, hash)
       SELECT 1000 + i, ?3, 'system', 'bench', 'dns.record.create', 'dns_record', 'success', '', '', '{}', '', '' FROM n`,
      [from, to, NOW],
    );
  });
}

const LEASES = '/ui/management/dhcp/leases';
/** After another lease was given. */
const RENEWED = `${LEASES}?search=guest`;
const PAGES = [
  '/ui/management/dns',
  '/ui/management/dns/zones/zone_a',
  '/ui/management/dns/zones/zone_a?sort=-value',
  // As many rows are shown of few as of many: a full page, and one.
  '/ui/management/dns/zones/zone_a?search=host',
  '/ui/management/dns/zones/zone_a?search=host99.',
  '/ui/management/dhcp/reservations',
  '/ui/management/ldap/users',
  '/ui/management/ldap/users?organization_id=org_a',
  '/ui/management/jobs',
  '/ui/management/audit-log',
  LEASES,
  '/ui/management/certificate-authority/certificates',
  '/ui/management/certificate-authority/requests',
  '/ui/management/users',
  '/ui/management/api-tokens',
  '/ui/management/vaults',
  '/ui/management/vaults/vault_0',
  '/ui/management/vaults/vault_0?search=-root',
  '/ui/management/vaults/vault_0?sort=-username',
  '/ui/management/logs',
  '/ui/management/logs?text=line',
  RENEWED,
];
const LISTS = [
  '/api/v1/dns/records',
  '/api/v1/dns/records?sort=-value&zone=lab.test',
  '/api/v1/dhcp/reservations',
  '/api/v1/ldap/users',
  '/api/v1/jobs',
  '/api/v1/audit',
  '/api/v1/dhcp/leases',
  '/api/v1/certificate-authority/certificates',
  '/api/v1/certificate-authority/requests',
  '/api/v1/users',
  '/api/v1/tokens',
  '/api/v1/vaults/vault_0/entries',
  '/api/v1/logs',
];

/** As a server does at each lease that it gives: one line of the file is another one. */
async function renew(round: number): Promise<void> {
  const text = (await house.services.host.read(LEASES_FILE)) ?? '';
  await writeLeases(text.replace(/^\d+/, String(4_102_444_801 + round)));
}

async function measured(): Promise<Map<string, number>> {
  const told = new Map<string, number>();
  for (const path of [...PAGES, ...LISTS]) {
    const send = path.startsWith('/api') ? { token: admin.token } : { session: admin };
    const took: number[] = [];
    for (let round = 0; round < ROUNDS + 3; round++) {
      if (path === RENEWED) await renew(round);
      const begun = performance.now();
      const { status } = await house.send('GET', path, send);
      if (status !== 200) throw new Error(`${path}: ${status}`);
      if (round >= 3) took.push(performance.now() - begun);
    }
    told.set(path, median(took));
  }
  return told;
}

async function downloaded(): Promise<string> {
  const first: number[] = [];
  const all: number[] = [];
  let bytes = 0;
  let grew = 0;
  for (let round = 0; round < 5; round++) {
    const before = process.memoryUsage.rss();
    const begun = performance.now();
    const answer = await fetch(`${house.origin}/ui/management/dns/zones/zone_a/records.csv`, {
      headers: { cookie: admin.cookie },
    });
    bytes = 0;
    for await (const part of answer.body!) {
      if (bytes === 0) first.push(performance.now() - begun);
      bytes += part.length;
      grew = Math.max(grew, process.memoryUsage.rss() - before);
    }
    all.push(performance.now() - begun);
  }
  const memory = `memory grew by ${(grew / 1e6).toFixed(1)} MB at most`;
  return `first byte ${median(first).toFixed(1)} ms, all ${median(all).toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB, ${memory}`;
}

try {
  await store.write(async (tx) => {
    await tx.run(
      `INSERT INTO certificate_authority (id, subject, certificate_pem, sha256, serial_number, key_algorithm, ${SEALED},
         not_before, not_after, created_by, created_at) VALUES ('ca_a', 'CN=former', '', '', '1', 'ecdsa-p256', '', '', '', ?1, ?1, '', ?1)`,
      [NOW],
    );
    for (let vault = 0; vault < 5; vault++) {
      await tx.run(
        "INSERT INTO vault (id, name, created_by, created_at, updated_at) VALUES ('vault_' || ?1, 'vault' || ?1, '', ?2, ?2)",
        [vault, NOW],
      );
    }
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.test', ?1, ?1)", [
      NOW,
    ]);
    await tx.run(
      "INSERT INTO ldap_organization (id, slug, suffix, created_at, updated_at) VALUES ('org_a', 'lab', 'o=lab', ?1, ?1)",
      [NOW],
    );
  });
  await fill(0, FEW);
  await fillOutside(FEW);
  const few = await measured();
  console.log(`CSV of ${FEW}: ${await downloaded()}`);
  await fill(FEW, MANY);
  await fillOutside(MANY);
  const many = await measured();
  for (const [path, before] of few) {
    const after = many.get(path)!;
    const times = after / before;
    const over = times > BAR ? '  OVER' : '';
    if (over) process.exitCode = 1;
    console.log(
      `${path}: ${before.toFixed(1)} ms, ${after.toFixed(1)} ms with ${MANY} rows: ${times.toFixed(2)}${over}`,
    );
  }
  console.log(`CSV of ${MANY}: ${await downloaded()}`);
  await fill(MANY, ALL);
  console.log(`CSV of ${ALL}: ${await downloaded()}`);
} finally {
  await house.close();
}
