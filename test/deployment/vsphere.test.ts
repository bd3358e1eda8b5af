// The client against govmomi's simulator, as a vCenter and as a host: everything from the login to a machine that is on.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ovfEnvironment } from '../../shared/ground/ova/environment.ts';
import { indexOva } from '../../shared/ground/ova/index-ova.ts';
import { openMember } from '../../shared/ground/ova/open.ts';
import { uploadMembers } from '../../shared/ground/ova/uploads.ts';
import { readInventory } from '../../shared/vcf/vsphere/inventory.ts';
import { completeLease, leaseManifest, leaseState, waitForLease } from '../../shared/vcf/vsphere/lease.ts';
import { machineFacts, powerOn, readExtraConfig, setExtraConfig } from '../../shared/vcf/vsphere/machine.ts';
import { uploadClient, uploadFile } from '../../shared/vcf/vsphere/upload-host.ts';
import { makeOva } from '../setup/make-ova.ts';
import { until } from '../setup/until.ts';
import { DISK, fake, importing, keepingLease, login, PASSWORD, pieces, shell, trusted } from './vsphere-scene.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe.each(['vc', 'esx'] as const)('%s', (mode) => {
  test('a machine is imported, its disk arrives whole, it is switched on', async () => {
    const booted: unknown[] = [];
    const prepared = Promise.withResolvers<void>();
    const vsphere = await fake({
      mode,
      initializing_until: prepared.promise,
      power_on_ms: 300,
      boot: async (machine) => {
        booted.push(machine);
        return { addresses: ['192.0.2.20'] };
      },
    });
    const services = await shell();
    const session = await login(vsphere);
    expect(session.kind).toBe(mode === 'vc' ? 'vcenter' : 'esxi');
    expect(session.about.version).toBe('8.0.3');
    const { lease, files } = await importing(session);
    expect(files).toEqual([expect.objectContaining({ path: 'tiny-disk1.vmdk', size: DISK.length, create: false })]);

    expect((await leaseState(session, lease)).state).toBe('initializing');
    prepared.resolve();
    const ready = await waitForLease(session, lease);
    const url = ready.urls.find(({ import_key }) => import_key === files[0]!.device_id)!;
    expect(url).toMatchObject({ host: mode === 'vc' ? '127.0.0.11' : null, disk: true });
    const place = await uploadClient(services, trusted(vsphere), url);
    let sent = 0;
    const kept = keepingLease(session, lease, () => (sent / DISK.length) * 100, 50);
    await uploadFile(
      place,
      { body: pieces(DISK), size: DISK.length, create: false },
      {
        onProgress: (bytes) => {
          sent = bytes;
        },
      },
    );
    place.client.close();
    const [received] = await leaseManifest(session, lease);
    expect(received).toMatchObject({ key: url.key, checksum: { algorithm: 'sha256', hex: sha256(DISK) } });
    kept.stop();
    await completeLease(session, lease);
    expect((await leaseState(session, lease)).state).toBe('done');
    expect(vsphere.uploads).toEqual([
      expect.objectContaining({
        path: 'tiny-disk1.vmdk',
        bytes: DISK.length,
        sha256: sha256(DISK),
        status: 200,
        method: 'POST',
      }),
    ]);
    expect(vsphere.uploads[0]!.headers).toMatchObject({
      cookie: undefined,
      'content-type': 'application/x-vnd.vmware-streamVmdk',
    });
    expect(vsphere.progress.length).toBeGreaterThan(0);

    const { machine_id } = ready;
    if (mode === 'esx') {
      const environment = ovfEnvironment({
        machine_id,
        about: session.about,
        properties: [{ key: 'ROOT_PASSWORD', value: PASSWORD }],
      });
      await setExtraConfig(session, machine_id, { 'guestinfo.ovfEnv': environment });
      expect(await readExtraConfig(session, machine_id, ['guestinfo.ovfEnv', 'other'])).toEqual({
        'guestinfo.ovfEnv': environment,
        other: null,
      });
    }
    await powerOn(session, machine_id);
    expect(await machineFacts(session, machine_id)).toMatchObject({ name: 'sddc-manager', power: 'on' });
    const properties =
      mode === 'vc'
        ? {
            'vami.hostname.SDDC-Manager': 'sddc.lab.test',
            'vami.ip0.SDDC-Manager': '192.0.2.20',
            ROOT_PASSWORD: PASSWORD,
          }
        : { ROOT_PASSWORD: PASSWORD };
    // The task is done before the guest reads its properties.
    await until(() => booted.length > 0);
    expect(booted).toEqual([{ id: machine_id, name: 'sddc-manager', properties }]);
    expect(vsphere.imports[0]!.properties.ROOT_PASSWORD).toBe(PASSWORD);
    await session.logout();
    expect(vsphere.sessions()).toEqual([]);
  }, 300_000);
});

test('the inventory of a vCenter, in pages', async () => {
  const vsphere = await fake({ mode: 'vc', page_size: 4, hosts_with_thumbprint: true, datacenters: 2, machines: 1 });
  const { behind } = vsphere;
  const vm = (await behind.all('Folder')).find(({ name }) => name === 'vm')!.ref;
  await behind.call('CreateFolder', vm, '<name>Lab%2fEast 100%25</name>');
  const [machine] = await behind.all('VirtualMachine');
  await behind.call('Rename_Task', machine!.ref, '<newName>a%2fb%5cc</newName>');
  const session = await login(vsphere);
  const inventory = await readInventory(session);
  expect(vsphere.calls.filter(({ method }) => method === 'ContinueRetrievePropertiesEx').length).toBeGreaterThan(5);
  expect(inventory).toMatchObject({ kind: 'vcenter', about: { name: 'VMware vCenter Server', version: '8.0.3' } });
  expect(inventory.datacenters.map(({ name }) => name)).toEqual(['DC0', 'DC1']);
  expect(inventory.compute.map(({ name, cluster, host_ids }) => [name, cluster, host_ids.length])).toEqual([
    ['DC0_C0', true, 3],
    ['DC1_C0', true, 3],
    ['DC0_H0', false, 1],
    ['DC1_H0', false, 1],
  ]);
  expect(inventory.pools.map(({ path }) => path)).toEqual(['/', '/', '/DC0_C0_RP1', '/', '/', '/DC1_C0_RP1']);
  // Uplink port groups are no networks for machines.
  expect(inventory.networks.map(({ name }) => name).sort()).toEqual([
    'DC0_DVPG0',
    'DC1_DVPG0',
    'VM Network',
    'VM Network',
  ]);
  expect(inventory.folders.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/Lab/East 100%']));
  expect(inventory.machines.map(({ name }) => name)).toContain('a/b\\c');
  const [first] = inventory.datacenters;
  const mine = inventory.datastores.filter(({ datacenter_id }) => datacenter_id === first!.id);
  expect(mine).toEqual([
    expect.objectContaining({
      name: 'LocalDS_0',
      type: 'VMFS',
      capacity_bytes: 2 ** 41,
      free_bytes: 2 ** 40,
      accessible: true,
    }),
  ]);
  expect(mine[0]!.host_ids).toHaveLength(4);
  const [host] = inventory.hosts;
  expect(host).toMatchObject({ name: '127.0.0.11', connected: true, maintenance: false, version: '8.0.3' });
  expect(host!.thumbprint).toMatch(/^(?:[0-9A-F]{2}:){19}[0-9A-F]{2}$/);
  expect(inventory.compute.map(({ id }) => id)).toContain(host!.compute_id);
  // Nothing stays behind of the reading.
  expect(vsphere.calls.filter(({ method }) => /View$/.test(method)).map(({ method }) => method)).toEqual([
    'CreateContainerView',
    'DestroyView',
  ]);
});

test('the inventory of a host', async () => {
  const vsphere = await fake({ mode: 'esx' });
  const inventory = await readInventory(await login(vsphere));
  expect(inventory).toMatchObject({
    kind: 'esxi',
    datacenters: [{ id: 'ha-datacenter', name: 'ha-datacenter' }],
    compute: [{ id: 'ha-compute-res', cluster: false, pool_id: 'ha-root-pool', host_ids: ['ha-host'] }],
    hosts: [{ id: 'ha-host', name: '127.0.0.1', port: vsphere.port, network_ids: ['HaNetwork-VM Network'] }],
    networks: [{ id: 'HaNetwork-VM Network', name: 'VM Network', host_ids: ['ha-host'] }],
    folders: [{ id: 'ha-folder-vm', path: '/', datacenter_id: 'ha-datacenter' }],
  });
});

test('an OVA as it lies in the depot: its descriptor, its disks in their order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-ova-'));
  try {
    const path = join(folder, 'tiny.ova');
    await makeOva({ path, disks: [{ size: 3 << 20 }, { size: 70_001 }], algorithm: 'sha256' });
    const ova = await indexOva(path);
    const vsphere = await fake({ mode: 'esx' });
    const services = await shell();
    const session = await login(vsphere);
    const networks = (await readInventory(session)).networks;
    const { lease, files } = await importing(session, {
      descriptor_xml: ova.descriptor_xml,
      networks: Object.fromEntries(ova.descriptor.networks.map(({ name }) => [name, networks[0]!.id])),
      properties: [],
    });
    const ready = await waitForLease(session, lease);
    for (const file of files) {
      const member = uploadMembers(ova).find(({ href }) => href === file.path)!;
      const url = ready.urls.find(({ import_key }) => import_key === file.device_id)!;
      const place = await uploadClient(services, trusted(vsphere), url);
      await uploadFile(place, {
        body: openMember(ova, member.members[0]!.name),
        size: member.size,
        create: file.create,
      });
      place.client.close();
    }
    await completeLease(session, lease);
    expect(vsphere.uploads.map(({ sha256 }) => sha256)).toEqual(
      files.map(({ path: href }) => ova.manifest.get(href)?.hex),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
