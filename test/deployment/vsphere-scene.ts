// What the tests against the simulated vSphere share: fakes, clients and logins that end after each test, a small OVF.
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach } from '@jest/globals';
import { type PinnedClient, pinnedClient } from '../../shared/vcf/connection/pinned-client.ts';
import type { ReachShell } from '../../shared/vcf/connection/reach.ts';
import type { TrustedTarget } from '../../shared/vcf/connection/trust.ts';
import { createImportSpec, type ImportChoice, importMachine } from '../../shared/vcf/vsphere/import.ts';
import { type Inventory, readInventory } from '../../shared/vcf/vsphere/inventory.ts';
import { leaseProgress } from '../../shared/vcf/vsphere/lease.ts';
import { openVsphere, type VsphereSession } from '../../shared/vcf/vsphere/session.ts';
import { startVsphere, type Vsphere, type VsphereOptions } from '../fakes/vsphere.ts';
import { House } from '../setup/house.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of ended.splice(0).reverse()) await each();
});

export async function fake(options: VsphereOptions): Promise<Vsphere> {
  const started = await startVsphere(options);
  ended.push(() => started.stop());
  return started;
}

export const trusted = ({ host, port, sha256 }: Vsphere): TrustedTarget => ({ host, port, address: host, sha256 });

export function client(of: Vsphere): PinnedClient {
  const made = pinnedClient({ ...trusted(of), timeout: 60_000 });
  ended.push(() => made.close());
  return made;
}

export async function login(of: Vsphere, password = of.account.password): Promise<VsphereSession> {
  const session = await openVsphere(client(of), { ...of.account, password });
  ended.push(() => session.logout());
  return session;
}

/** What a way to a remote machine asks for; `allowed`: networks that the saved settings permit. */
export async function shell(allowed = ['127.0.0.0/8']): Promise<ReachShell> {
  const house = await House.open();
  ended.push(() => house.close());
  const admin = await house.actor('admin');
  const body = { allowed_networks: allowed };
  await house.send('PATCH', '/api/v1/remote/settings', { token: admin.token, body });
  return house.services;
}

export const DISK = randomBytes(300_000);
export const ISO = randomBytes(5000);
export const PASSWORD = 'Guest & <Root> "15" \' chars';

/** A virtual machine with one disk, one network, properties of every kind that matters here, and two options. */
export const descriptor = (disk_bytes = DISK.length): string => `<?xml version="1.0" encoding="UTF-8"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData">
  <References><File ovf:href="tiny-disk1.vmdk" ovf:id="file1" ovf:size="${disk_bytes}"/></References>
  <DiskSection><Info>Disks</Info><Disk ovf:capacity="8" ovf:capacityAllocationUnits="byte * 2^20" ovf:diskId="vmdisk1" ovf:fileRef="file1" ovf:format="http://www.vmware.com/interfaces/specifications/vmdk.html#streamOptimized"/></DiskSection>
  <NetworkSection><Info>Networks</Info><Network ovf:name="Network 1"><Description>Management</Description></Network></NetworkSection>
  <DeploymentOptionSection><Info>Sizes</Info><Configuration ovf:default="true" ovf:id="small"><Label>Small</Label><Description>Small</Description></Configuration><Configuration ovf:id="large"><Label>Large</Label><Description>Large</Description></Configuration></DeploymentOptionSection>
  <VirtualSystem ovf:id="tiny">
    <Info>A machine</Info><Name>tiny</Name>
    <ProductSection ovf:class="vami" ovf:instance="SDDC-Manager"><Info>Network</Info><Property ovf:key="hostname" ovf:type="string" ovf:userConfigurable="true"/><Property ovf:key="ip0" ovf:type="string" ovf:userConfigurable="true"/><Property ovf:key="fixed" ovf:type="string" ovf:value="1"/></ProductSection>
    <ProductSection><Info>Accounts</Info><Property ovf:key="ROOT_PASSWORD" ovf:type="password" ovf:userConfigurable="true"/></ProductSection>
    <VirtualHardwareSection ovf:transport="com.vmware.guestInfo"><Info>Hardware</Info>
      <System><vssd:ElementName>Virtual Hardware Family</vssd:ElementName><vssd:InstanceID>0</vssd:InstanceID><vssd:VirtualSystemType>vmx-13</vssd:VirtualSystemType></System>
      <Item><rasd:ElementName>cpu</rasd:ElementName><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>2</rasd:VirtualQuantity></Item>
      <Item><rasd:ElementName>memory</rasd:ElementName><rasd:InstanceID>2</rasd:InstanceID><rasd:ResourceType>4</rasd:ResourceType><rasd:VirtualQuantity>64</rasd:VirtualQuantity></Item>
      <Item><rasd:ElementName>SCSI</rasd:ElementName><rasd:InstanceID>3</rasd:InstanceID><rasd:ResourceSubType>lsilogic</rasd:ResourceSubType><rasd:ResourceType>6</rasd:ResourceType></Item>
      <Item><rasd:ElementName>disk0</rasd:ElementName><rasd:HostResource>ovf:/disk/vmdisk1</rasd:HostResource><rasd:InstanceID>4</rasd:InstanceID><rasd:Parent>3</rasd:Parent><rasd:ResourceType>17</rasd:ResourceType></Item>
      <Item><rasd:Connection>Network 1</rasd:Connection><rasd:ElementName>nic</rasd:ElementName><rasd:InstanceID>5</rasd:InstanceID><rasd:ResourceSubType>VmxNet3</rasd:ResourceSubType><rasd:ResourceType>10</rasd:ResourceType></Item>
    </VirtualHardwareSection>
  </VirtualSystem>
</Envelope>`;

/** A choice that fits: the first host with a datastore and a network. */
export function choiceOf(
  inventory: Inventory,
  changes: Partial<ImportChoice> = {},
): ImportChoice & { folder_id: string } {
  const host = inventory.hosts.find(
    ({ datastore_ids, network_ids }) => datastore_ids.length > 0 && network_ids.length > 0,
  )!;
  const compute = inventory.compute.find(({ id }) => id === host.compute_id)!;
  return {
    descriptor_xml: descriptor(),
    name: 'sddc-manager',
    pool_id: compute.pool_id,
    host_id: host.id,
    datastore_id: host.datastore_ids[0]!,
    folder_id: inventory.folders.find(
      ({ datacenter_id, path }) => datacenter_id === compute.datacenter_id && path === '/',
    )!.id,
    networks: { 'Network 1': host.network_ids[0]! },
    properties: [
      { key: 'vami.hostname.SDDC-Manager', value: 'sddc.lab.test' },
      { key: 'vami.ip0.SDDC-Manager', value: '192.0.2.20' },
      { key: 'ROOT_PASSWORD', value: PASSWORD },
    ],
    deployment_option: '',
    disk_provisioning: 'thin',
    ...changes,
  };
}

/** Up to the lease. */
export async function importing(
  session: VsphereSession,
  changes: Partial<ImportChoice> = {},
): Promise<{ lease: string; files: Awaited<ReturnType<typeof createImportSpec>>['files']; inventory: Inventory }> {
  const inventory = await readInventory(session);
  const choice = choiceOf(inventory, changes);
  const { spec_xml, files } = await createImportSpec(session, choice);
  const { pool_id, host_id, folder_id } = choice;
  return { lease: await importMachine(session, { spec_xml, pool_id, folder_id, host_id }), files, inventory };
}

/** In pieces, as a file is read. */
export const pieces = (bytes: Buffer, size = 64 * 1024): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)),
    { objectMode: false },
  );

/** Tells the progress over and over until it is stopped, as whoever imports does. */
export function keepingLease(session: VsphereSession, lease: string, percent: () => number, pause_ms: number) {
  const ended = new AbortController();
  const { signal } = ended;
  const lost = (async (): Promise<never> => {
    for (;;) {
      await leaseProgress(session, lease, percent(), { signal });
      await pause(pause_ms, undefined, { signal });
    }
  })();
  lost.catch(() => undefined);
  return { lost, stop: () => ended.abort() };
}
