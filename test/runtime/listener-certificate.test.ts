// The certificates of the depot, of the KMIP server and of the OpenID Connect provider: a renewal waits for a plan, whose review says what it breaks and for whom, and
// the listeners show the applied one until then.

import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ListenerCertificate } from '../../runtime/listener-certificate.ts';
import { ensureDaemonCertificates } from '../../shared/appliance/apply/daemon-certificates.ts';
import { UNITS } from '../../shared/appliance/units.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { hostFiles } from '../../shared/platform/host/files.ts';
import { realKeys } from '../../shared/platform/host/key-driver.ts';
import * as kms from '../../shared/services/kms/files.ts';
import * as depot from '../../shared/services/offline-depot/files.ts';
import * as oidc from '../../shared/services/oidc/files.ts';
import { applyAll } from '../setup/depot.ts';
import { type Credentials, House } from '../setup/house.ts';

const DEPOT = '/api/v1/private-cloud-services';
/** The unit, its files, and its listeners' certificate in a service that follows plans. */
const SERVED = [
  ['private-cloud-services', depot, { purpose: 'private-cloud-services' }],
  ['kms', kms, { purpose: 'kms', keeps_key: true }],
  ['oidc', oidc, { purpose: 'oidc' }],
] as const;

let data: string;
let house: House;
let admin: Credentials;
const told: string[] = [];

const call = async (method: string, path: string, body: object) => {
  const heard = await house.send(method, path, { token: admin.token, body });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.text}`);
  return heard.body;
};

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'gct-listener-certificate-'));
  const files = hostFiles(join(data, 'machine'), realKeys(data));
  house = await House.open({ data, fresh: true, ticker: false, host: (rehearsal) => ({ ...rehearsal, ...files }) });
  admin = await house.actor();
  await call('PATCH', '/api/v1/certificate-authority/settings', { enabled: true, key_algorithm: 'ecdsa-p256' });
  await house.services.store.write((tx) => createRoot(tx, house.services, 'test'));
  const address = { role: 'access', ipv4_cidr: '10.10.0.5/24', enabled: true };
  await call('PATCH', '/api/v1/interfaces/physical/ens192', address);
  await call('POST', `${DEPOT}/http-users`, { name: 'depot', password: 'a depot password of its own' });
  const listening = { enabled: true, listen_interfaces: ['ens192'] };
  await call('PATCH', `${DEPOT}/settings`, { ...listening, hostname: 'depot.lab.example', http_user: 'depot' });
  await call('PATCH', '/api/v1/kms/settings', { ...listening, hostname: 'kms.lab.example' });
  await call('PATCH', '/api/v1/oidc/settings', { ...listening, hostname: 'id.lab.example' });
  await applyAll(house, call);
}, 120_000);
afterAll(async () => {
  await house?.close();
  rmSync(data, { recursive: true, force: true });
});

/** As after so much of the life of what is in force. */
function at(share: number, { not_before, not_after }: { not_before: string; not_after: string }): Services {
  const [from, until] = [Date.parse(not_before), Date.parse(not_after)];
  return { ...house.services, clock: { now: () => new Date(from + share * (until - from)) } };
}

const issued = async (purpose: string) =>
  (await house.services.store.one<{ sha256: string; not_before: string; not_after: string }>(
    'SELECT sha256, not_before, not_after FROM issued_certificate WHERE purpose = ? AND replaced_at IS NULL',
    [purpose],
  ))!;

/** As if a task had told the machine so. */
async function pinned(action: string, server: string, sha256: string): Promise<void> {
  const context = { at: new Date().toISOString(), actor: systemActor('test'), request_id: 'job', source_address: '' };
  const event = { action, resource_type: 'remote_target', resource_id: null, detail: { server, sha256 } };
  const { store, keys } = house.services;
  await store.write((tx) => appendAudit(tx, keys, context, event, { holdsLock: true }));
}

test.each(SERVED)(
  '%s: a renewal waits for a plan, which names who pinned the former one',
  async (unit, files, wanted) => {
    const listener = new ListenerCertificate({
      services: { ...house.services, host: { ...house.services.host, enforces: true } },
      wanted,
      files: { certificate: files.CERTIFICATE_FILE, key: files.KEY_FILE },
      unusable: (message) => told.push(message),
    });
    const names = ['10.10.0.5'];
    const before = await issued(unit);
    expect((await listener.look(names))?.sha256).toBe(before.sha256);
    const key = new X509Certificate(listener.held!.cert).publicKey.export({ type: 'spki', format: 'pem' });
    await pinned('remote.certificate.trust', 'nsx.lab.example', before.sha256);
    if (unit === 'kms') await pinned('remote.key-provider.register', 'vc01.lab.example', before.sha256);

    const own = UNITS.filter(({ id }) => id === unit);
    expect(await ensureDaemonCertificates(at(0.6, before), own)).toEqual([]);
    expect(await ensureDaemonCertificates(at(0.7, before), own)).toEqual([unit]);
    expect((await issued(unit)).sha256).not.toBe(before.sha256);
    listener.renew();
    expect([(await listener.look(names))?.sha256, await listener.isOutdated()]).toEqual([before.sha256, false]);

    const plan = await call('POST', '/api/v1/apply/plans', { units: [unit] });
    // What was made in the future is made anew now.
    const after = await issued(unit);
    const [planned] = plan.units;
    expect([planned.id, planned.risk]).toEqual([unit, 'high']);
    expect(planned.says.join('\n')).toContain(`another certificate, SHA-256 ${after.sha256}`);
    const servers = unit === 'kms' ? 'nsx.lab.example, vc01.lab.example' : 'nsx.lab.example';
    expect(planned.says.join('\n')).toContain(`to trust the new one: ${servers}.`);
    expect(JSON.stringify(plan)).not.toContain('PRIVATE KEY');
    await call('POST', `/api/v1/apply/plans/${plan.id}/submit`, { digest: plan.digest });
    await house.appliance.runner.idle();
    expect([await listener.isOutdated(), (await listener.look(names))?.sha256]).toEqual([true, after.sha256]);
    const next = new X509Certificate(listener.held!.cert).publicKey.export({ type: 'spki', format: 'pem' });
    expect(next === key).toBe(unit === 'kms');
  },
  60_000,
);

test('a key that is not of the certificate is told, and the former one is shown', async () => {
  const { services } = house;
  const listener = new ListenerCertificate({
    services: { ...services, host: { ...services.host, enforces: true } },
    wanted: { purpose: 'kms', keeps_key: true },
    files: { certificate: kms.CERTIFICATE_FILE, key: kms.KEY_FILE },
    unusable: (message) => told.push(message),
  });
  const held = await listener.look([]);
  writeFileSync(services.host.resolve(kms.KEY_FILE), 'no key: CANARY\n');
  for (let looks = 0; looks < 8; looks += 1) expect(await listener.look([])).toBe(held);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/certificate and key don’t belong together.*the former one is shown/);
  expect(told[0]).not.toContain('CANARY');
});
