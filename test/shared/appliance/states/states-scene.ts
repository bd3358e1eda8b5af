// What tests of states share: an appliance in rehearsal, ways to edit and apply, and how a person reads a page.
import { expect } from '@jest/globals';
import { type Credentials, House } from '../../../setup/house.ts';

export let house: House;
export let admin: Credentials;
export const APPLY = '/ui/management/appliance-apply';

export async function open(options: Parameters<typeof House.open>[0] = {}): Promise<void> {
  house = await House.open({ ticker: false, ...options });
  admin = await house.actor('admin', undefined, 'alice');
}

export const api = async (method: string, path: string, body?: unknown) => {
  const heard = await house.send(method, `/api/v1/${path}`, { token: admin.token, body });
  expect([path, heard.status, heard.status < 300 ? '' : heard.text]).toEqual([path, heard.status, '']);
  return heard.body;
};
export const page = async (path: string): Promise<string> => {
  const { status, text } = await house.send('GET', path, { session: admin });
  expect([path, status]).toEqual([path, 200]);
  return text;
};

/** A plan of these units, or of all that changed; `wish`: what its submit says beside the digest. Waits for its end. */
export async function apply(units?: string[], wish: object = {}): Promise<string> {
  const plan = await submit(units, wish);
  await house.appliance.runner.idle();
  return plan;
}

export async function submit(units?: string[], wish: object = {}): Promise<string> {
  const plan = await api('POST', 'apply/plans', units ? { units } : {});
  await api('POST', `apply/plans/${plan.id}/submit`, { digest: plan.digest, ...wish });
  return plan.id;
}

export const dnsOn = () => api('PATCH', 'dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192'] });
export const zone = (name = 'lab.test') => api('POST', 'dns/zones', { name });
export const record = (fqdn: string, value: string) => api('POST', 'dns/records', { fqdn, type: 'A', value });
export const scope = () =>
  api('POST', 'dhcp/scopes', {
    name: 'lab',
    interface: 'ens192',
    subnet_cidr: '10.10.0.0/24',
    ranges: [{ start: '10.10.0.100', end: '10.10.0.199' }],
  });

export const words = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The first row of a table that begins with this, as a person reads it. */
export function rowOf(html: string, label: string): string {
  const rows = html.split('<tr').map((row) => words(row.slice(row.indexOf('>') + 1).split('</tr>')[0]!));
  return rows.find((row) => row.startsWith(label)) ?? '';
}
