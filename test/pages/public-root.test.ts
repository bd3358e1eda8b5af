// The public page of the root certificate: from what is in force alone, with whole commands and without a script.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { applyAll } from '../setup/depot.ts';
import { House } from '../setup/house.ts';

let house: House;
let root: { sha256: string; subject: string };

beforeAll(async () => {
  house = await House.open();
  const { token } = await house.actor('admin');
  const call = async (method: string, path: string, body: object) => {
    const heard = await house.send(method, path, { token, body });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
    return heard.body;
  };
  const portal = { key_algorithm: 'ecdsa-p256', listen_interfaces: ['ens192'], portal_hostname: 'ca.lab.example' };
  await call('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, ...portal });
  root = await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
  await applyAll(house, call as never);
}, 120_000);
afterAll(() => house.close());

async function shown(path: string): Promise<string> {
  const { host, port } = house.appliance.public!;
  const answer = await fetch(`http://${host}:${port}${path}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

test('a rehearsal offers nothing', async () => {
  expect(await shown('/ui/public/ca')).toContain('No root certificate is offered to this network yet.');
});

test('what is in force is offered with its SHA-256, and what is only saved is not', async () => {
  Object.defineProperty(house.services.host, 'enforces', { value: true });
  const { token } = await house.actor('admin');
  const other = { portal_hostname: 'other.lab.example' };
  await house.send('PATCH', '/api/v1/certificate-authority/settings', { token, body: other });
  const text = await shown('/ui/public/ca');
  expect(text.replaceAll('<wbr/>', '')).toContain(root.sha256);
  for (const kind of ['crt', 'pem', 'p7b', 'crl'])
    expect(text).toContain(`href="http://ca.lab.example/ca/root.${kind}"`);
  for (const on of [
    'Debian',
    'RHEL',
    'Chrome and Chromium on Linux',
    'Windows',
    'macOS',
    'Firefox',
    'ESX',
    'vCenter',
    'SDDC Manager',
  ])
    expect(text).toMatch(new RegExp(`<h2>${on}`));
  expect(text).not.toMatch(/other\.lab\.example|<script|PRIVATE/);
  expect(await shown('/ui/public')).toMatch(/Root certificate.*href="\/ui\/public\/ca"/s);
});
