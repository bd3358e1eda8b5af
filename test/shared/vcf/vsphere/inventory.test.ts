// The inventory as it is read from pages: what is missing, escaped, hidden or elsewhere.
import { expect, test } from '@jest/globals';
import { machinesNamed, readInventory } from '../../../../shared/vcf/vsphere/inventory.ts';
import { fault, faultOf, returned, session } from './canned.ts';

type Properties = Record<string, string>;
const ref = (type: string, id: string): string => `<val type="${type}" xsi:type="ManagedObjectReference">${id}</val>`;
const string = (text: string): string => `<val xsi:type="xsd:string">${text}</val>`;
const refs = (type: string, ...ids: string[]): string =>
  `<val xsi:type="ArrayOfManagedObjectReference">${ids.map((id) => `<ManagedObjectReference type="${type}">${id}</ManagedObjectReference>`).join('')}</val>`;
const strings = (...texts: string[]): string =>
  `<val xsi:type="ArrayOfString">${texts.map((text) => `<string>${text}</string>`).join('')}</val>`;
const object = (type: string, id: string, properties: Properties, missing = ''): string =>
  `<objects><obj type="${type}">${id}</obj>${Object.entries(properties)
    .map(([name, val]) => `<propSet><name>${name}</name>${val}</propSet>`)
    .join('')}${missing}</objects>`;
const MISSING =
  '<missingSet><path>summary.capacity</path><fault><fault xsi:type="NoPermission"/><localizedMessage>no</localizedMessage></fault></missingSet>';

const OBJECTS = [
  object('Datacenter', 'datacenter-1', {
    name: string('Lab%2fEast'),
    parent: ref('Folder', 'group-d1'),
    vmFolder: ref('Folder', 'group-v1'),
  }),
  object('Folder', 'group-v1', {
    name: string('vm'),
    parent: ref('Datacenter', 'datacenter-1'),
    childType: strings('Folder', 'VirtualMachine', 'VirtualApp'),
  }),
  object('Folder', 'group-v2', {
    name: string('VCF'),
    parent: ref('Folder', 'group-v1'),
    childType: strings('Folder', 'VirtualMachine'),
  }),
  object('Folder', 'group-v3', {
    name: string('100%25'),
    parent: ref('Folder', 'group-v2'),
    childType: strings('VirtualMachine'),
  }),
  object('Folder', 'group-h1', {
    name: string('host'),
    parent: ref('Datacenter', 'datacenter-1'),
    childType: strings('Folder', 'ComputeResource'),
  }),
  object('Folder', 'group-s1', {
    name: string('datastore'),
    parent: ref('Datacenter', 'datacenter-1'),
    childType: strings('Datastore'),
  }),
  object('ClusterComputeResource', 'domain-c1', {
    ...{ name: string('c1'), parent: ref('Folder', 'group-h1'), host: refs('HostSystem', 'host-1', 'host-2') },
    ...{
      resourcePool: ref('ResourcePool', 'resgroup-1'),
      'configuration.drsConfig.enabled': '<val xsi:type="xsd:boolean">true</val>',
    },
  }),
  object('HostSystem', 'host-1', {
    ...{
      name: string('esx01.lab.test'),
      parent: ref('ClusterComputeResource', 'domain-c1'),
      datastore: refs('Datastore', 'datastore-1'),
    },
    ...{
      network: refs('DistributedVirtualPortgroup', 'dvportgroup-1'),
      'runtime.connectionState': string('connected'),
    },
    ...{
      'runtime.inMaintenanceMode': '<val xsi:type="xsd:boolean">false</val>',
      'summary.config.port': '<val xsi:type="xsd:int">443</val>',
    },
    ...{ 'summary.config.sslThumbprint': string('AA:BB'), 'summary.config.product.version': string('9.0.1') },
  }),
  object('HostSystem', 'host-2', {
    name: string('esx02.lab.test'),
    parent: ref('ClusterComputeResource', 'domain-c1'),
    'runtime.connectionState': string('notResponding'),
    'runtime.inMaintenanceMode': '<val xsi:type="xsd:boolean">true</val>',
  }),
  object('ResourcePool', 'resgroup-1', {
    name: string('Resources'),
    parent: ref('ClusterComputeResource', 'domain-c1'),
    owner: ref('ClusterComputeResource', 'domain-c1'),
  }),
  object('ResourcePool', 'resgroup-2', {
    name: string('mgmt'),
    parent: ref('ResourcePool', 'resgroup-1'),
    owner: ref('ClusterComputeResource', 'domain-c1'),
  }),
  object('VirtualApp', 'resgroup-v3', {
    name: string('app'),
    parent: ref('ResourcePool', 'resgroup-1'),
    parentFolder: ref('Folder', 'group-v2'),
  }),
  object(
    'Datastore',
    'datastore-1',
    {
      name: string('vsan'),
      parent: ref('Folder', 'group-s1'),
      'summary.type': string('vsan'),
      'summary.freeSpace': '<val xsi:type="xsd:long">5497558138880</val>',
      'summary.accessible': '<val xsi:type="xsd:boolean">true</val>',
      'summary.maintenanceMode': string('normal'),
    },
    MISSING,
  ),
  object('Datastore', 'datastore-2', {
    name: string('old'),
    'summary.accessible': '<val xsi:type="xsd:boolean">true</val>',
    'summary.maintenanceMode': string('inMaintenance'),
  }),
  object('DistributedVirtualPortgroup', 'dvportgroup-1', {
    name: string('mgmt\\back'),
    parent: ref('Folder', 'group-n1'),
  }),
  object('DistributedVirtualPortgroup', 'dvportgroup-2', {
    name: string('uplinks'),
    tag: '<val xsi:type="ArrayOfTag"><Tag xsi:type="Tag"><key>SYSTEM/DVS.UPLINKPG</key></Tag></val>',
  }),
  object('VirtualMachine', 'vm-1', {
    name: string('SDDC-Manager'),
    parent: ref('Folder', 'group-v3'),
    'runtime.powerState': string('poweredOff'),
  }),
  object('VirtualMachine', 'vm-2', {
    name: string('in app'),
    parentVApp: ref('VirtualApp', 'resgroup-v3'),
    'runtime.powerState': string('poweredOn'),
  }),
  object('VirtualMachine', 'vm-3', { name: string('lost') }),
  // The same object again, because another type of the question fits it too.
  object('ClusterComputeResource', 'domain-c1', { name: string('c1') }),
];

const page = (method: string, objects: readonly string[], token: string | null): string =>
  returned(method, `<returnval>${token === null ? '' : `<token>${token}</token>`}${objects.join('')}</returnval>`);
const PAGES = {
  RetrievePropertiesEx: page('RetrievePropertiesEx', OBJECTS.slice(0, 7), 'token &amp; 1'),
  ContinueRetrievePropertiesEx: (_call: unknown, nth: number) =>
    nth === 0
      ? page('ContinueRetrievePropertiesEx', OBJECTS.slice(7, 12), 'two')
      : page('ContinueRetrievePropertiesEx', OBJECTS.slice(12), null),
};

test('reads all pages, climbs to the data center, unescapes names, leaves out what no machine is connected to', async () => {
  const { session: made, sent } = await session(PAGES);
  const inventory = await readInventory(made);
  expect(inventory.datacenters).toEqual([{ id: 'datacenter-1', name: 'Lab/East' }]);
  expect(inventory.compute).toEqual([
    {
      id: 'domain-c1',
      name: 'c1',
      datacenter_id: 'datacenter-1',
      cluster: true,
      drs: true,
      pool_id: 'resgroup-1',
      host_ids: ['host-1', 'host-2'],
    },
  ]);
  expect(inventory.hosts[0]).toEqual({
    ...{
      id: 'host-1',
      name: 'esx01.lab.test',
      port: 443,
      compute_id: 'domain-c1',
      connected: true,
      maintenance: false,
    },
    ...{ version: '9.0.1', thumbprint: 'AA:BB', datastore_ids: ['datastore-1'], network_ids: ['dvportgroup-1'] },
  });
  expect(inventory.hosts[1]).toMatchObject({
    connected: false,
    maintenance: true,
    thumbprint: null,
    port: 443,
    network_ids: [],
  });
  expect(inventory.pools.map(({ name, path }) => [name, path])).toEqual([
    ['Resources', '/'],
    ['mgmt', '/mgmt'],
  ]);
  expect(inventory.folders.map(({ path, datacenter_id }) => [path, datacenter_id])).toEqual([
    ['/', 'datacenter-1'],
    ['/VCF', 'datacenter-1'],
    ['/VCF/100%', 'datacenter-1'],
  ]);
  expect(inventory.datastores).toEqual([
    {
      id: 'datastore-1',
      name: 'vsan',
      datacenter_id: 'datacenter-1',
      type: 'vsan',
      capacity_bytes: 0,
      free_bytes: 5497558138880,
      accessible: true,
      host_ids: ['host-1'],
    },
    expect.objectContaining({ id: 'datastore-2', accessible: false, datacenter_id: '', host_ids: [] }),
  ]);
  expect(inventory.networks).toEqual([
    { id: 'dvportgroup-1', name: 'mgmt\\back', datacenter_id: '', host_ids: ['host-1'] },
  ]);
  expect(inventory.machines).toEqual([
    { id: 'vm-1', name: 'SDDC-Manager', datacenter_id: 'datacenter-1', power: 'off' },
    { id: 'vm-2', name: 'in app', datacenter_id: 'datacenter-1', power: 'on' },
    { id: 'vm-3', name: 'lost', datacenter_id: '', power: 'unknown' },
  ]);
  expect(sent.map(({ method }) => method).slice(2)).toEqual([
    ...[
      'CreateContainerView',
      'RetrievePropertiesEx',
      'ContinueRetrievePropertiesEx',
      'ContinueRetrievePropertiesEx',
      'DestroyView',
    ],
  ]);
  expect(sent[4]!.body).toContain('<token>token &amp; 1</token>');
  expect(sent.every(({ limit }) => (limit ?? 0) > 0)).toBe(true);
});

test('machines of a name are found whatever its case', async () => {
  const { session: made } = await session(PAGES);
  expect((await machinesNamed(made, 'sddc-MANAGER')).map(({ id }) => id)).toEqual(['vm-1']);
  expect(await machinesNamed((await session(PAGES)).session, 'sddc')).toEqual([]);
});

test('the view is given back when a read fails, and the failure is that of the read', async () => {
  const { session: made, sent } = await session({
    RetrievePropertiesEx: fault('NoPermission'),
    DestroyView: fault('SystemError'),
  });
  expect(await faultOf(readInventory(made))).toMatchObject({ reason: 'not_permitted' });
  expect(sent.at(-1)!.method).toBe('DestroyView');
});

test('an account that sees nothing gets an empty inventory', async () => {
  const { session: made } = await session({ RetrievePropertiesEx: returned('RetrievePropertiesEx', '') });
  expect(await readInventory(made)).toMatchObject({ kind: 'vcenter', datacenters: [], hosts: [], machines: [] });
});

test('an abort between pages ends it', async () => {
  const stop = new AbortController();
  const { session: made } = await session({
    ...PAGES,
    RetrievePropertiesEx: () => {
      stop.abort(new Error('cancelled'));
      return PAGES.RetrievePropertiesEx;
    },
  });
  await expect(readInventory(made, { signal: stop.signal })).rejects.toThrow('cancelled');
});
