// Lists with 100 and with 10,000 rows: what the answer takes, of the pages that people look at and of the REST lists; and the
// download of 100, 10,000 and 100,000 records as CSV over HTTP: its first byte, all of it, and how much the memory grew.
import { performance } from 'node:perf_hooks';
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

async function fill(from: number, to: number): Promise<void> {
  const ip = "printf('10.%d.%d.%d', 60 + (i >> 16), (i >> 8) & 255, i & 255)";
  await store.write(async (tx) => {
    await tx.run(
      `${numbers} INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
       SELECT 'rec_' || i, 'host' || i || '.lab.test', 'A', ${ip}, 'zone_a', ?3, ?3 FROM n`,
      [from, to, NOW],
    );
    if (to > MANY) return;
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
];
const LISTS = [
  '/api/v1/dns/records',
  '/api/v1/dns/records?sort=-value&zone=lab.test',
  '/api/v1/dhcp/reservations',
  '/api/v1/ldap/users',
  '/api/v1/jobs',
  '/api/v1/audit',
];

async function measured(): Promise<Map<string, number>> {
  const told = new Map<string, number>();
  for (const path of [...PAGES, ...LISTS]) {
    const send = path.startsWith('/api') ? { token: admin.token } : { session: admin };
    const took: number[] = [];
    for (let round = 0; round < ROUNDS + 3; round++) {
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
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.test', ?1, ?1)", [
      NOW,
    ]);
    await tx.run(
      "INSERT INTO ldap_organization (id, slug, suffix, created_at, updated_at) VALUES ('org_a', 'lab', 'o=lab', ?1, ?1)",
      [NOW],
    );
  });
  await fill(0, FEW);
  const few = await measured();
  console.log(`CSV of ${FEW}: ${await downloaded()}`);
  await fill(FEW, MANY);
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
