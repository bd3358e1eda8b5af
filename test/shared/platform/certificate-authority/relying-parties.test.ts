// Who relies on a certificate: what the appliance's own tasks told machines, strongest first, and nothing that it only guesses.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { appendAudit } from '../../../../shared/kernel/audit/audit.ts';
import { createRoot } from '../../../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate } from '../../../../shared/platform/certificate-authority/issue.ts';
import {
  haveToTrustAgain,
  relyingParties,
  trustOnly,
} from '../../../../shared/platform/certificate-authority/relying-parties.ts';
import { type Credentials, House } from '../../../setup/house.ts';
import { plainRequest } from '../../../setup/signing-request.ts';

const AUTHORITY = '/api/v1/certificate-authority';
let house: House;
let admin: Credentials;
let root: string;
let depot: { id: string; sha256: string };
let second = 0;

const call = async (method: string, path: string, body?: object) => {
  const heard = await house.send(method, AUTHORITY + path, { token: admin.token, ...(body && { body }) });
  if (heard.status >= 300) throw new Error(heard.text);
  return heard.body;
};

beforeAll(async () => {
  house = await House.open({ ticker: false });
  admin = await house.actor('admin');
  await call('PATCH', '/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
  root = (await call('GET', '/root')).sha256;
  await ensureServerCertificate(house.services, { purpose: 'private-cloud-services', names: ['depot.lab.example'] });
  const { items } = await call('GET', '/certificates');
  depot = items[0];
});
afterAll(() => house.close());
beforeEach(() => house.services.store.write((tx) => tx.run("DELETE FROM audit_event WHERE action LIKE 'remote.%'")));

/** As the jobs that do it end. */
async function told(action: string, server: string, sha256 = '', outcome: 'success' | 'failure' = 'success') {
  const at = `2026-11-25T10:00:${String(second++).padStart(2, '0')}.000Z`;
  const context = { at, actor: systemActor('test'), request_id: 'job', source_address: '' };
  const event = { action, resource_type: 'remote_target', resource_id: null, outcome, detail: { server, sha256 } };
  await house.services.store.write((tx) => appendAudit(tx, house.services.keys, context, event, { holdsLock: true }));
}

test('a machine holds what binds it most, once; what failed and what is of others is not there', async () => {
  await told('remote.depot.configure', 'sddc.lab.example');
  await told('remote.certificate.trust', 'installer.lab.example', root);
  await told('remote.depot.configure', 'installer.lab.example');
  await told('remote.certificate.trust', 'nsx.lab.example', root);
  await told('remote.certificate.trust', 'nsx.lab.example', depot.sha256);
  await told('remote.certificate.trust', 'vc.lab.example', 'AA:BB');
  await told('remote.certificate.trust', 'late.lab.example', root, 'failure');
  const { renewed_with, items } = await call('GET', `/certificates/${depot.id}/relying-parties`);
  expect([
    renewed_with,
    items.map(({ server, holds }: { server: string; holds: string }) => `${server} ${holds}`),
  ]).toEqual([
    'new_key',
    ['installer.lab.example root', 'nsx.lab.example this_certificate', 'sddc.lab.example address'],
  ]);
  const page = await house.send('GET', `/ui/management/certificate-authority/certificates/${depot.id}`, {
    session: admin,
  });
  expect(page.text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')).toMatch(
    /Who relies on it .*with a new key.*nsx\.lab\.example This very certificate .* Refuses the new one until it trusts that.*what this appliance configured/,
  );
});

test('what is issued for a request keeps its key, and the root’s clients are none of its own', async () => {
  const issued = await call('POST', '/certificates', { csr: plainRequest().csr, profile: 'server' });
  await told('remote.certificate.trust', 'nsx.lab.example', root);
  await told('remote.depot.configure', 'sddc.lab.example');
  expect(await relyingParties(house.services.store, issued.id)).toEqual({ renewed_with: 'same_key', items: [] });
  await told('remote.certificate.trust', 'nsx.lab.example', issued.sha256);
  expect((await relyingParties(house.services.store, issued.id)).items).toMatchObject([{ holds: 'this_certificate' }]);
  await expect(relyingParties(house.services.store, 'cert_none')).rejects.toMatchObject({ code: 'resource_not_found' });
});

test('before another root takes over, the page names who was told to trust the present one alone', async () => {
  await told('remote.certificate.trust', 'ready.lab.example', root);
  await told('remote.certificate.trust', 'late.lab.example', root);
  const next = await call('POST', '/root/next');
  await told('remote.certificate.trust', 'ready.lab.example', next.sha256);
  expect((await trustOnly(house.services.store, root, next.sha256)).map(({ server }) => server)).toEqual([
    'late.lab.example',
  ]);
  const page = await house.send('GET', '/ui/management/certificate-authority/root/next', { session: admin });
  expect(page.text).toMatch(/and not the next.*late\.lab\.example/s);
  expect(page.text).not.toContain('ready.lab.example');
});

test('for another certificate, machines that hold the former one or another root have to trust again; the others go on', async () => {
  const { store } = house.services;
  await told('remote.certificate.trust', 'root.lab.example', root);
  await told('remote.certificate.trust', 'pinned.lab.example', depot.sha256);
  await told('remote.certificate.trust', 'told.lab.example', depot.sha256);
  await told('remote.certificate.trust', 'told.lab.example', 'CC:DD');
  await told('remote.certificate.trust', 'else.lab.example', 'EE:FF');
  await told('remote.certificate.trust', 'late.lab.example', depot.sha256, 'failure');
  // Under no root that is known here, and under the same one.
  expect(await haveToTrustAgain(store, depot.sha256, 'CC:DD')).toEqual(['pinned.lab.example', 'root.lab.example']);
  const other = await ensureServerCertificate(house.services, { purpose: 'ntp', names: ['ntp.lab.example'] });
  expect(await haveToTrustAgain(store, depot.sha256, other.sha256)).toEqual(['pinned.lab.example', 'told.lab.example']);
});
