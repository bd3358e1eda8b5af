// What a person reads has names: ids and digests are there on demand, folded away or in an address.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { furnish } from '../setup/furnish.ts';
import { type Credentials, House } from '../setup/house.ts';

let house: House;
let admin: Credentials;
const paths = new Map<string, string>();

beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin', undefined, 'ada');
  const { parameters, addresses } = await furnish(house, admin);
  for (const page of [
    'overview',
    'apply',
    'jobs',
    'audit-log',
    'api-tokens',
    'users',
    'firewall',
    'dns',
    'vaults',
  ] as const)
    paths.set(page, pagePath(page));
  for (const [page, id] of [
    ['plan', parameters.plan_id],
    ['job', parameters.job_id],
    ['dns-zone', parameters.zone_id],
    ['dns-record', parameters.record_id],
    ['user', parameters.user_id],
  ] as const)
    paths.set(page, pagePath(page, id!));
  paths.set('restore', addresses['/ui/management/appliance-apply/{plan_id}/restore']!);
}, 300_000);
afterAll(() => house.close());

/** What is read without opening anything. */
const read = (html: string): string =>
  (/<main.*?<\/main>/s.exec(html)?.[0] ?? '')
    .replaceAll(/<details.*?<\/details>/gs, '')
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const CODES = /\b(?:[a-z]+_[a-z0-9]{16}|[0-9a-f]{40,}|(?:read|write):[a-z]+|private-cloud-services|request_id)\b/g;

test.each([
  'overview',
  'apply',
  'plan',
  'restore',
  'jobs',
  'job',
  'audit-log',
  'api-tokens',
  'users',
  'user',
  'firewall',
  'dns',
  'dns-zone',
  'dns-record',
  'vaults',
])('%s: names, not codes', async (page) => {
  const { status, text } = await house.send('GET', paths.get(page)!, { session: admin });
  expect(status).toBe(200);
  expect(read(text).match(CODES) ?? []).toEqual([]);
  expect(/<title>(.*?)<\/title>/.exec(text)![1]!.match(CODES) ?? []).toEqual([]);
});

test.each([
  ['firewall_rule', 'Added firewall rule SSH from the jump host'],
  ['network_boot_kickstart', 'Added Kickstart Compute'],
  ['network_boot_medium', 'Added boot medium ESXi 9.1'],
  ['dhcp_option', 'Added DHCP option 66 (IPv4)'],
  ['certificate', 'Certificate authority Issued a certificate depot.lab.example'],
])('the audit log calls a %s by its name, whatever its facts call it', async (type, words) => {
  const { text } = await house.send('GET', `${pagePath('audit-log')}?resource_type=${type}`, { session: admin });
  expect(read(text)).toContain(words);
});
