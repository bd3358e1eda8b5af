// What goes wrong between the client and vSphere, from the login to a machine that is switched on: what is said, and what
// stays behind there.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { machinesNamed, readInventory } from '../../shared/vcf/vsphere/inventory.ts';
import { abortLease, completeLease, leaseState, waitForLease } from '../../shared/vcf/vsphere/lease.ts';
import { machineFacts, powerOn, setExtraConfig } from '../../shared/vcf/vsphere/machine.ts';
import { openVsphere, type VsphereSession } from '../../shared/vcf/vsphere/session.ts';
import { uploadClient, uploadFile } from '../../shared/vcf/vsphere/upload-host.ts';
import type { Vsphere } from '../fakes/vsphere.ts';
import { until } from '../setup/until.ts';
import {
  client,
  DISK,
  descriptor,
  fake,
  importing,
  keepingLease,
  login,
  PASSWORD,
  pieces,
  shell,
  trusted,
} from './vsphere-scene.ts';

interface Met {
  code: string;
  reason: string;
  fault_type: string | null;
  message: string;
}
/** Messages of all faults of a test: none may repeat anything secret. */
const said: string[] = [];
let running: Vsphere | null = null;
const vc = async (options: Partial<Parameters<typeof fake>[0]> = {}): Promise<Vsphere> => {
  running = await fake({ mode: 'vc', machines: 1, ...options });
  return running;
};
const met = (work: Promise<unknown>): Promise<Met> =>
  work.then(
    () => Promise.reject(new Error('it went well')),
    (error) => {
      said.push(JSON.stringify([error.message, error.cause?.message, error]));
      return error;
    },
  );
afterEach(() => {
  const secrets = [PASSWORD, ...(running?.secrets() ?? [])];
  const shown = said.splice(0).join('\n');
  for (const secret of secrets) expect(shown.includes(secret)).toBe(false);
});

/** The machine of a lease goes after the lease has ended. */
const gone = (vsphere: Vsphere) => until(async () => !(await vsphere.machines()).includes('sddc-manager'));

/** To an upload that may begin. */
async function ready(vsphere: Vsphere, session: VsphereSession) {
  // Before the lease: its time runs from then on.
  const services = await shell();
  const { lease, inventory } = await importing(session);
  const { urls, machine_id } = await waitForLease(session, lease);
  const place = await uploadClient(services, trusted(vsphere), urls[0]!, { hosts: inventory.hosts });
  const send = (bytes = DISK, signal?: AbortSignal) =>
    uploadFile(place, { body: pieces(bytes), size: bytes.length, create: false }, { signal }).finally(() =>
      place.client.close(),
    );
  return { lease, machine_id, send };
}

describe('login', () => {
  test('a wrong password', async () => {
    const vsphere = await vc();
    const fault = await met(login(vsphere, 'Wrong-password-1'));
    expect(fault).toMatchObject({ code: 'remote_login_refused', reason: 'login_refused', fault_type: 'InvalidLogin' });
    expect(fault.message).not.toContain('Wrong');
    expect(vsphere.sessions()).toEqual([]);
  });

  test('the idle time of a session, then a new login', async () => {
    const vsphere = await vc();
    const session = await login(vsphere);
    vsphere.behaviour.idle_ms = 50;
    await pause(150);
    expect(await met(readInventory(session))).toMatchObject({ reason: 'session_lost', fault_type: 'NotAuthenticated' });
    vsphere.behaviour.idle_ms = 60_000;
    await session.renew(vsphere.account);
    expect((await readInventory(session)).hosts).toHaveLength(4);
  });

  test('another certificate than the confirmed one: no credential is sent', async () => {
    const vsphere = await vc();
    const before = client(vsphere);
    vsphere.changeCertificate('api', true);
    expect(await met(openVsphere(before, vsphere.account))).toMatchObject({ code: 'certificate_changed' });
    expect(vsphere.calls).toEqual([]);
  });

  test('services that start, then those that answer with a page', async () => {
    const page = '<!DOCTYPE html><html>starting</html>';
    const faults = [
      { method: 'RetrieveServiceContent', times: 1, raw: { status: 503, body: page } },
      { method: 'RetrieveServiceContent', times: 1, raw: { status: 200, body: page } },
    ];
    const vsphere = await vc({ faults });
    expect(await met(login(vsphere))).toMatchObject({ code: 'remote_not_ready' });
    expect(await met(login(vsphere))).toMatchObject({ code: 'remote_unsupported' });
    await login(vsphere);
  });

  test('a clock that is wrong there', async () => {
    const session = await login(await vc({ clock_skew_ms: -3 * 3_600_000 }));
    const apart = (await session.currentTime()).getTime() - Date.now();
    expect(Math.round(apart / 60_000)).toBe(-180);
  });
});

describe('before an import', () => {
  test.each<[string, Parameters<typeof importing>[1], string, string]>([
    ['an option that it does not have', { deployment_option: 'huge' }, 'ova_refused', 'OvfUnsupportedDeploymentOption'],
    ['a network that is not mapped', { networks: {} }, 'ova_refused', 'OvfNetworkMappingNotSupported'],
    ['a datastore that is gone', { datastore_id: 'datastore-99' }, 'gone', 'ManagedObjectNotFound'],
    ['a descriptor that is none', { descriptor_xml: 'no xml' }, 'refused', 'InvalidArgument'],
  ])('%s', async (_name, changes, reason, fault_type) => {
    const vsphere = await vc();
    expect(await met(importing(await login(vsphere), changes))).toMatchObject({ reason, fault_type });
    expect(vsphere.leases).toEqual([]);
  });

  test('machines of a name, whatever its case', async () => {
    const vsphere = await vc();
    await vsphere.addMachine('sddc%2fManager');
    const session = await login(vsphere);
    expect(await machinesNamed(session, 'SDDC/manager')).toEqual([
      expect.objectContaining({ name: 'sddc/Manager', power: 'off' }),
    ]);
    expect(await machinesNamed(session, 'sddc')).toEqual([]);
  });
});

describe('at the import', () => {
  test.each([
    ['NoPermission', 'not_permitted', 'remote_refused'],
    ['DuplicateName', 'name_taken', 'vm_name_taken'],
    ['NoDiskSpace', 'no_space', 'remote_refused'],
    ['InsufficientResourcesFault', 'no_resources', 'remote_refused'],
    ['InvalidDatastore', 'placement', 'remote_refused'],
  ])('%s', async (type, reason, code) => {
    const vsphere = await vc({ faults: [{ method: 'ImportVApp', type, message: `not with ${PASSWORD}` }] });
    expect(await met(importing(await login(vsphere)))).toMatchObject({ reason, code, fault_type: type });
  });

  test('a name that is taken, as the simulator itself finds', async () => {
    const vsphere = await vc();
    await vsphere.addMachine('sddc-manager');
    expect(await met(importing(await login(vsphere)))).toMatchObject({ code: 'vm_name_taken' });
  });

  test('a host whose licence forbids changes', async () => {
    const vsphere = await fake({ mode: 'esx', free: true });
    const session = await login(vsphere);
    expect(await met(importing(session))).toMatchObject({ reason: 'licence', code: 'remote_unsupported' });
    expect(await met(powerOn(session, (await readInventory(session)).machines[0]!.id))).toMatchObject({
      reason: 'licence',
    });
  });

  test('a property that nobody may set: the lease fails, and the machine is gone', async () => {
    const vsphere = await vc();
    const session = await login(vsphere);
    const { lease } = await importing(session, { properties: [{ key: 'vami.fixed.SDDC-Manager', value: '2' }] });
    expect(await met(waitForLease(session, lease))).toMatchObject({
      reason: 'property_refused',
      fault_type: 'NotUserConfigurableProperty',
    });
    await gone(vsphere);
    expect(await abortLease(session, lease)).toBe('gone');
  });

  test('a lease that fails while it is prepared, and one that stays so', async () => {
    const vsphere = await vc({
      initializing_ms: 50,
      lease_error: { type: 'InsufficientStorageSpace', message: 'Too little.' },
    });
    const session = await login(vsphere);
    expect(await met(waitForLease(session, (await importing(session)).lease))).toMatchObject({ reason: 'no_space' });
    Object.assign(vsphere.behaviour, { lease_error: null, initializing_ms: 60_000 });
    const { lease } = await importing(session);
    expect(await met(waitForLease(session, lease, { seconds: 0.3 }))).toMatchObject({ code: 'remote_not_ready' });
    expect(await abortLease(session, lease)).toBe('aborted');
    await gone(vsphere);
  });

  test('an answer that never comes, though the import was begun: the machine is found by its name', async () => {
    const vsphere = await vc({ faults: [{ method: 'ImportVApp', times: 1, cut: true }] });
    const session = await login(vsphere);
    expect(await met(importing(session))).toMatchObject({ code: 'remote_unreachable' });
    expect(await machinesNamed(session, 'sddc-manager')).toHaveLength(1);
  });
});

describe('at the upload', () => {
  test('an abort of the lease removes the machine; a second one says that it is gone', async () => {
    const vsphere = await vc();
    const session = await login(vsphere);
    const { lease, machine_id, send } = await ready(vsphere, session);
    await send();
    expect(await vsphere.machines()).toContain('sddc-manager');
    // Nobody changes it while the lease lasts.
    expect(await met(powerOn(session, machine_id))).toMatchObject({
      reason: 'not_ready',
      fault_type: 'TaskInProgress',
    });
    expect(await abortLease(session, lease)).toBe('aborted');
    await until(async () => (await machineFacts(session, machine_id)) === null);
    expect(await abortLease(session, lease)).toBe('gone');
    expect(await leaseState(session, lease)).toMatchObject({ state: 'error', error: { reason: 'lease_over' } });
    await gone(vsphere);
  });

  test('no progress in time: the upload is cut, the lease is over, the machine is gone', async () => {
    const vsphere = await vc({ upload_break: { how: 'stall', at: 0.2 } });
    const session = await login(vsphere);
    const { lease, send } = await ready(vsphere, session);
    const sending = met(send());
    await until(() => (vsphere.uploads[0]?.bytes ?? 0) > 0);
    await vsphere.expireLease();
    expect(await sending).toMatchObject({ code: 'remote_unreachable' });
    expect(await leaseState(session, lease)).toMatchObject({
      state: 'error',
      error: { reason: 'lease_over', fault_type: 'Timedout' },
    });
    expect(await met(completeLease(session, lease))).toMatchObject({ reason: 'lease_over' });
    expect(await abortLease(session, lease)).toBe('gone');
    await gone(vsphere);
  });

  test('progress in time keeps it for as long as the upload lasts', async () => {
    const vsphere = await vc({ lease_timeout: 2, upload_rate: 100_000 });
    const session = await login(vsphere);
    const { lease, send } = await ready(vsphere, session);
    const kept = keepingLease(session, lease, () => 50, 100);
    await Promise.race([send(), kept.lost]);
    kept.stop();
    await completeLease(session, lease);
    const upload = vsphere.uploads[0]!;
    expect(upload.ended! - upload.began).toBeGreaterThan(2000);
    expect(vsphere.progress.length).toBeGreaterThan(5);
  });

  test('a connection that breaks: it may be sent again while the lease lasts', async () => {
    const vsphere = await vc({ upload_break: { how: 'reset', at: 0.5, times: 1 } });
    const session = await login(vsphere);
    const { lease, send } = await ready(vsphere, session);
    expect(await met(send())).toMatchObject({ code: 'remote_unreachable' });
    expect(await met(completeLease(session, lease))).toMatchObject({ fault_type: 'InvalidState' });
    expect((await leaseState(session, lease)).state).toBe('ready');
    expect(await abortLease(session, lease)).toBe('aborted');
  });

  test('a disk of another size than the descriptor says ends the import', async () => {
    const vsphere = await vc();
    const session = await login(vsphere);
    const { lease, send } = await ready(vsphere, session);
    expect(await met(send(DISK.subarray(0, 1000)))).toMatchObject({ reason: 'upload_refused' });
    expect((await leaseState(session, lease)).state).toBe('error');
    await gone(vsphere);
  });

  test('a datastore that fills up while it is sent', async () => {
    const vsphere = await vc({ upload_status: 507 });
    const session = await login(vsphere);
    const { send } = await ready(vsphere, session);
    expect(await met(send())).toMatchObject({ reason: 'no_space' });
  });

  test('a cancelled upload ends at once', async () => {
    const vsphere = await vc({ upload_break: { how: 'stall', at: 0.1 } });
    const session = await login(vsphere);
    const { send } = await ready(vsphere, session);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('cancelled')), 100);
    await expect(send(DISK, stop.signal)).rejects.toThrow('cancelled');
  });

  test.each([
    ['wrong', 'names another one'],
    ['none', 'says which certificate it has'],
  ] as const)('a host that can not be told for the right one (%s): nothing is sent', async (thumbprint, words) => {
    const vsphere = await vc({ thumbprint });
    const session = await login(vsphere);
    const fault = await met(ready(vsphere, session));
    expect(fault).toMatchObject({ reason: 'untrusted_host' });
    expect(fault.message).toContain(words);
    expect(vsphere.uploads).toEqual([]);
  });

  test.each([
    ['SHA-256 in the lease', { thumbprint: 'sha256' }],
    ['the certificate in the lease', { thumbprint: 'none', certificate_in_lease: true }],
    ['a thumbprint in the inventory alone', { thumbprint: 'none', hosts_with_thumbprint: true }],
    ['the address of the API', { uploads_at: 'same', thumbprint: 'none' }],
  ] as const)('trust by %s', async (_name, options) => {
    const vsphere = await vc(options);
    const session = await login(vsphere);
    const { lease, send } = await ready(vsphere, session);
    await send();
    await completeLease(session, lease);
  });

  test('a host whose certificate changed since its management server saw it', async () => {
    const vsphere = await vc({ thumbprint: 'none', hosts_with_thumbprint: true });
    const session = await login(vsphere);
    vsphere.changeCertificate('uploads');
    expect(await met(ready(vsphere, session))).toMatchObject({ reason: 'untrusted_host' });
  });

  test('a lease that only its own session reaches: after its time the machine is gone', async () => {
    const vsphere = await vc({ lease_sessions: 'own' });
    const { lease } = await importing(await login(vsphere));
    const other = await login(vsphere);
    expect((await leaseState(other, lease)).state).toBe('gone');
    expect(await abortLease(other, lease)).toBe('gone');
    expect(await machinesNamed(other, 'sddc-manager')).toHaveLength(1);
    await vsphere.expireLease();
    await until(async () => (await machinesNamed(other, 'sddc-manager')).length === 0);
    expect(await leaseState(other, lease)).toMatchObject({ state: 'gone' });
  });
});

test('a server that was restarted under an import: the lease is gone, the machine is found by its name', async () => {
  const vsphere = await vc();
  const session = await login(vsphere);
  const { lease, send } = await ready(vsphere, session);
  vsphere.endSessions();
  vsphere.forgetLeases();
  expect(await met(leaseState(session, lease))).toMatchObject({ reason: 'session_lost' });
  await expect(send()).rejects.toMatchObject({ reason: 'upload_refused' });
  await session.renew(vsphere.account);
  expect((await leaseState(session, lease)).state).toBe('gone');
  expect(await abortLease(session, lease)).toBe('gone');
  expect(await machinesNamed(session, 'sddc-manager')).toHaveLength(1);
});

describe('after the import', () => {
  async function imported(options: Partial<Parameters<typeof fake>[0]> = {}) {
    const vsphere = await vc(options);
    const session = await login(vsphere);
    const { lease, machine_id, send } = await ready(vsphere, session);
    await send();
    await completeLease(session, lease);
    return { vsphere, session, machine_id };
  }

  test('too few resources to switch it on: it stays, switched off', async () => {
    const { session, machine_id } = await imported({
      faults: [
        { method: 'PowerOnVM_Task', in_task: true, type: 'InsufficientMemoryResourcesFault', message: 'No memory.' },
      ],
    });
    expect(await met(powerOn(session, machine_id))).toMatchObject({ reason: 'no_resources' });
    expect(await machineFacts(session, machine_id)).toMatchObject({ power: 'off' });
  });

  test('a task that takes its time shows progress, and waiting for it can be ended', async () => {
    const { session, machine_id } = await imported({ power_on_ms: 60_000 });
    const seen: number[] = [];
    const stop = new AbortController();
    const onProgress = (percent: number) => {
      seen.push(percent);
      stop.abort(new Error('cancelled'));
    };
    await expect(powerOn(session, machine_id, { signal: stop.signal, onProgress })).rejects.toThrow('cancelled');
    expect(seen.length).toBeGreaterThan(0);
  });

  test('the addresses of its guest, once it runs', async () => {
    const { session, machine_id } = await imported({ boot: async () => ({ addresses: ['192.0.2.20'] }) });
    await powerOn(session, machine_id);
    await until(async () => (await machineFacts(session, machine_id))?.tools === 'guestToolsRunning');
    expect(await machineFacts(session, machine_id)).toMatchObject({
      power: 'on',
      guest_addresses: ['192.0.2.20'],
      tools: 'guestToolsRunning',
    });
  });

  test('settings of its guest can be cleared again', async () => {
    const { vsphere, session, machine_id } = await imported();
    await setExtraConfig(session, machine_id, { 'guestinfo.ovfEnv': `<a b="${PASSWORD}"/>` });
    await setExtraConfig(session, machine_id, { 'guestinfo.ovfEnv': '' });
    expect(await vsphere.extraConfig('sddc-manager', 'guestinfo.ovfEnv')).toBe('');
  });
});

test('what a client sends in another order is refused by the fake, as by a real one', async () => {
  const vsphere = await vc();
  const session = await login(vsphere);
  const inside = '<recursive>true</recursive><type>Folder</type><container type="Folder">group-d1</container>';
  const call = session.call({ method: 'CreateContainerView', on: session.services.viewManager, inside, what: 'read' });
  expect(await met(call)).toMatchObject({ fault_type: 'InvalidRequest' });
  expect(descriptor()).toContain('<?xml');
});
