// How the statements of every read find their rows where tables are large. With 100,000 records, users of the directory, events and
// jobs, what stays on the event loop is asked for its plan: no large table is scanned, none is sorted, and no more rows are
// stepped through than are given, of which a read on the loop takes a thousand at most. What goes through more runs on a thread.
//
// What this can't see: how many rows a statement really steps through (node:sqlite has no sqlite3_stmt_status), what is done with
// rows after they were read, and statements that only other data or other queries than these would bring about.
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { enforcedStandings } from '../../shared/appliance/states/standing.ts';
import { Tables } from '../../shared/ground/store/bounded-reader.ts';
import { House } from '../setup/house.ts';
import { fillLarge } from '../setup/large-store.ts';
import { counted, observe } from './budget.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { EVERYTHING, newScene, play, type Scene, scenarioOf } from './scenarios/scenario.ts';

jest.setTimeout(240_000);

const ROWS = 100_000;
/** Tables whose rows people, clients or the clock add without an end that anybody would notice. */
const LARGE: ReadonlySet<string> = new Set([
  ...['dns_record', 'dns_zone', 'dhcp_reservation', 'ldap_user', 'ldap_group', 'audit_event', 'job', 'task'],
  ...['issued_certificate', 'certificate_request', 'boot_attempt', 'session', 'vault_entry', 'kms_key'],
  ...['kms_request', 'oidc_artifact', 'oidc_session', 'scim_object', 'alert', 'alert_message', 'archive', 'plan'],
]);

const reads = EVERYTHING.map(({ spec }) => spec).filter(
  ({ plane, effect, method }) => (plane === 'api' || plane === 'management') && effect === 'read' && method === 'GET',
);
/** Statement → operations that ran it. */
const seen = new Map<string, Set<string>>();
let house: House;
let scene: Scene;
let database: DatabaseSync;

function note(id: string, statements: readonly string[]): void {
  for (const sql of statements) {
    if (!/^(?:SELECT|WITH)\b/i.test(sql)) continue;
    seen.set(sql, (seen.get(sql) ?? new Set()).add(id));
  }
}

beforeAll(async () => {
  house = await House.open({ observe, ticker: false });
  scene = newScene(house, await house.actor('admin', undefined, 'ada'));
  for (const spec of reads) {
    const scenario = scenarioOf(SCENARIOS, spec);
    if (!scenario) continue;
    if (scenario.given) scene = newScene(house, await house.actor('admin'), scene);
    const given = (await scenario.given?.(scene)) ?? {};
    const { statements } = await counted(() => play(scene, spec, scenario, given));
    await scenario.after?.(scene, given);
    note(spec.id, statements);
  }
  await fillLarge(house.services.store, ROWS);
  await enforcedStandings(house.services);
  database = new DatabaseSync(house.services.store.file, { readOnly: true });
}, 240_000);
afterAll(async () => {
  database?.close();
  await house?.close();
});

const PAGE = '/ui/management';
/** Of the lists of the large tables: by each order, with each filter, a search, and what comes after the first page. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/dns/records': ['', '?sort=-fqdn', '?sort=value', '?zone=large.test&sort=-value', '?zone=large.test&type=A'],
  '/api/v1/dns/zones': [''],
  '/api/v1/dhcp/reservations': [''],
  '/api/v1/ldap/users': ['', '?uid=user7', '?organization_id=org_large'],
  '/api/v1/ldap/groups': ['', '?organization_id=org_large'],
  '/api/v1/jobs': ['', '?state=succeeded', '?kind=apply'],
  '/api/v1/audit': ['', '?action=dns.record', '?resource_type=dns_record'],
  [`${PAGE}/dns`]: ['', '?search=large', '?sort=-name'],
  [`${PAGE}/dns/zones/zone_large`]: ['', '?sort=-value', '?search=host4711.', '?type=TXT'],
  [`${PAGE}/dns/zones/zone_large/records.csv`]: ['?search=host4711.', '?type=A&sort=-value'],
  [`${PAGE}/dhcp/reservations`]: ['', '?search=esx', '?sort=-ip_address'],
  [`${PAGE}/ldap/users`]: ['', '?search=user4711', '?sort=surname', '?organization_id=org_large'],
  [`${PAGE}/ldap/groups`]: ['', '?search=a'],
  [`${PAGE}/jobs`]: ['', '?state=failed'],
  [`${PAGE}/audit-log`]: ['', '?actor=bench', '?action=record'],
  [`${PAGE}/vaults`]: ['', '?search=a', '?sort=-entry_count', '?state=without-value', '?state=unused'],
  [`${PAGE}/kms/keys`]: ['', '?search=a', '?sort=-last_get_at', '?state=active'],
  [`${PAGE}/certificate-authority/requests`]: ['', '?search=a', '?sort=subject', '?state=pending'],
  [`${PAGE}/alerts`]: ['', '?search=a', '?sort=condition', '?state=open'],
  [`${PAGE}/appliance-apply`]: ['', '?search=a', '?state=failed'],
  [`${PAGE}/oidc/sessions`]: ['', '?search=a', '?sort=user_name'],
  [`${PAGE}/search`]: ['?q=host4711', '?q=ost4711'],
};

/** Each answers, also its second page. */
async function ask(path: string, query: string): Promise<void> {
  const send = path.startsWith('/api') ? { token: scene.admin.token } : { session: scene.admin };
  const id = `${path}${query}`;
  const first = await counted(() => house.send('GET', id, send));
  expect([id, first.heard.status]).toEqual([id, 200]);
  note(id, first.statements);
  const cursor =
    (first.heard.body as { next_cursor?: string } | undefined)?.next_cursor ??
    /[?&;]cursor=([\w%-]+)/.exec(first.heard.text)?.[1];
  if (!cursor) return;
  const next = await counted(() => house.send('GET', `${id}${query === '' ? '?' : '&'}cursor=${cursor}`, send));
  expect([id, next.heard.status]).toEqual([id, 200]);
  note(`${id}, next`, next.statements);
}

interface Plan {
  detail: string;
}

const FIRST_PAGE = /from `\w+` order by [^()]* limit \?$/;

/** Steps of a plan that go through a large table, or sort more than ties. The first page of an order with an index ends early. */
function throughOf(sql: string, large: readonly string[]): string[] {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as unknown as Plan[];
  const scans = FIRST_PAGE.test(sql) ? [] : large.map((table) => new RegExp(`^SCAN ${table}\\b`));
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => /^USE TEMP B-TREE FOR (?!LAST)/.test(detail) || scans.some((scan) => scan.test(detail)));
}

test('lists of large tables answer, and what stays on the loop is found by keys', async () => {
  for (const [path, queries] of Object.entries(ASKED)) for (const query of queries) await ask(path, query);
  const tables = new Tables(database);
  const onLoop: string[] = [];
  for (const [sql, by] of seen) {
    const { tables: opened, whole, endless } = tables.reading(sql);
    const large = opened.filter((table) => LARGE.has(table));
    const through = large.length === 0 ? [] : throughOf(sql, large);
    if (through.length === 0) continue;
    if (!whole && !endless) onLoop.push(`${[...by].slice(0, 5).join(', ')}: ${sql}: ${through.join('; ')}`);
  }
  expect(onLoop).toEqual([]);
});
