// Turns an OVF descriptor into the specification of one import, and starts that import.

import { childOf, childrenOf, namespacesOf, textOf, writtenTypeOf, type XmlElement } from '../../ground/xml/element.ts';
import { VsphereFault } from './fault.ts';
import type { VsphereSession } from './session.ts';
import { booleanOf, escaped, localizedFault, numberOf, refOf, refXml, textXml } from './soap.ts';

export interface ImportChoice {
  /** The OVF descriptor in the OVA. */
  descriptor_xml: string;
  /** Of the virtual machine. */
  name: string;
  pool_id: string;
  datastore_id: string;
  host_id?: string | undefined;
  /** Network of the OVF → id of the network there; all of them. */
  networks: Readonly<Record<string, string>>;
  /** `secret`: its value is in no message; values of keys that say password are anyway. */
  properties: readonly { key: string; value: string; secret?: boolean }[];
  /** Empty for the default one. */
  deployment_option: string;
  disk_provisioning: 'thin' | 'thick';
  /** Only where the OVF permits fixed addresses. */
  ip_protocol?: 'IPv4' | 'IPv6' | undefined;
}

export interface ImportSpec {
  /** `<spec …>` as ImportVApp takes it. Secret: it holds the values of the properties. */
  spec_xml: string;
  /** In the order in which they have to be uploaded. */
  files: ImportFile[];
  warnings: string[];
}

export interface ImportFile {
  /** Matches `import_key` of an upload. */
  device_id: string;
  /** As the References of the OVF have it. */
  path: string;
  size: number | null;
  /** True: to be sent with PUT and `Overwrite: t`. */
  create: boolean;
}

/** Properties whose values no message repeats. */
export const SECRET_KEY = /passw|secret|token|passphrase|credential/i;
/** Milliseconds: the answer of a vCenter with many hosts takes its time. */
const SPEC_MS = 180_000;
const MOST_ERRORS = 3;
const MOST_WARNINGS = 20;
const MOST_FILES = 64;
const SPEC_BYTES = 8 << 20;

/** Networks have one of three types; their ids say which. */
const networkType = (id: string): string =>
  /^dvportgroup/i.test(id) ? 'DistributedVirtualPortgroup' : /^network-o/i.test(id) ? 'OpaqueNetwork' : 'Network';

/**
 * Any error that vSphere finds in the descriptor for this destination is thrown; warnings are given back.
 * @throws VsphereFault, Problem of the connection; the signal's reason
 */
export async function createImportSpec(
  session: VsphereSession,
  choice: ImportChoice,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<ImportSpec> {
  for (const { key, value, secret } of choice.properties) if (secret || SECRET_KEY.test(key)) session.hide(value);
  const what = 'prepare the import';
  const answer = await session.call({
    ...{
      method: 'CreateImportSpec',
      on: session.services.ovfManager,
      what,
      signal,
      timeout: SPEC_MS,
      limit: SPEC_BYTES,
    },
    inside: [
      textXml('ovfDescriptor', choice.descriptor_xml),
      refXml('resourcePool', { type: 'ResourcePool', id: choice.pool_id }),
      refXml('datastore', { type: 'Datastore', id: choice.datastore_id }),
      `<cisp xsi:type="OvfCreateImportSpecParams">${parameters(choice)}</cisp>`,
    ].join(''),
  });
  const result = childOf(answer, 'returnval');
  const errors = childrenOf(result, 'error').slice(0, MOST_ERRORS).map(localizedFault);
  if (errors[0]) {
    const { reason, fault_type } = session.faultOf(errors[0], what);
    const said = errors.flatMap(({ message, type }) => message ?? type ?? []).map((each) => session.clean(each));
    throw new VsphereFault(reason, 'The OVA can not be deployed there as chosen.', fault_type, said.join(' '));
  }
  const spec = childOf(result, 'importSpec');
  if (!spec) throw new VsphereFault('unreadable', 'The server gave no specification of the import.');
  return {
    spec_xml: specXml(spec),
    files: filesIn(result),
    warnings: warningsIn(session, result),
  };
}

/** @throws VsphereFault for one that is named twice: it would be sent twice */
function filesIn(result: XmlElement | null): ImportFile[] {
  const files = childrenOf(result, 'fileItem')
    .slice(0, MOST_FILES + 1)
    .map(fileOf);
  const unusable = (what: string) => new VsphereFault('unreadable', `The specification of the import names ${what}.`);
  if (files.length > MOST_FILES) throw unusable('more files than an OVA can have');
  for (const [position, { path, device_id }] of files.entries()) {
    if (path.length > 1000 || /\p{Cc}/u.test(path)) throw unusable('a file that no OVA has');
    const again = files.findIndex((one) => one.path === path || (device_id !== '' && one.device_id === device_id));
    if (again !== position) throw unusable('a file twice');
  }
  return files;
}

/** A readable number of texts; the last one says how many more there are. */
function warningsIn(session: VsphereSession, result: XmlElement | null): string[] {
  const all = childrenOf(result, 'warning');
  const shown = all.length > MOST_WARNINGS ? all.slice(0, MOST_WARNINGS - 1) : all;
  const texts = shown.map((each) => session.clean(localizedFault(each).message ?? '')).filter((each) => each !== '');
  return shown.length === all.length ? texts : [...texts, `${all.length - shown.length} more warnings.`];
}

/** In the order of the API's description, which servers insist on. */
function parameters(choice: ImportChoice): string {
  const { name, host_id, networks, properties, deployment_option, disk_provisioning, ip_protocol } = choice;
  return [
    textXml('locale', ''),
    textXml('deploymentOption', deployment_option),
    textXml('entityName', name),
    refXml('hostSystem', host_id ? { type: 'HostSystem', id: host_id } : null),
    ...Object.entries(networks).map(
      ([from, id]) =>
        `<networkMapping>${textXml('name', from)}${refXml('network', { type: networkType(id), id })}</networkMapping>`,
    ),
    ip_protocol ? textXml('ipAllocationPolicy', 'fixedPolicy') + textXml('ipProtocol', ip_protocol) : '',
    ...properties.map(
      ({ key, value }) => `<propertyMapping>${textXml('key', key)}${textXml('value', value)}</propertyMapping>`,
    ),
    textXml('diskProvisioning', disk_provisioning),
  ].join('');
}

/** The very characters of the answer, within an element of the name that the import wants. */
function specXml(spec: XmlElement): string {
  const prefixes = [...namespacesOf(spec)].map(
    ([prefix, uri]) => ` ${prefix ? `xmlns:${prefix}` : 'xmlns'}="${escaped(uri)}"`,
  );
  const type = writtenTypeOf(spec);
  // Whatever prefix the answer has for it, XMLSchema-instance is `xsi` here.
  const typed = type === null ? '' : ` xsi:type="${escaped(type)}"`;
  const instance = namespacesOf(spec).has('xsi') ? '' : ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
  return `<spec${prefixes.join('')}${instance}${typed}>${spec.source()}</spec>`;
}

const fileOf = (item: XmlElement): ImportFile => ({
  device_id: textOf(item, 'deviceId') ?? '',
  path: textOf(item, 'path') ?? '',
  size: numberOf(textOf(item, 'size')),
  create: booleanOf(textOf(item, 'create')) ?? false,
});

/**
 * Creates the virtual machine there, without its disks; answers the id of the lease under which they are uploaded.
 * `folder_id`: required by a vCenter. A fault may also come from the lease.
 */
export async function importMachine(
  session: VsphereSession,
  choice: { spec_xml: string; pool_id: string; folder_id?: string | undefined; host_id?: string | undefined },
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<string> {
  const { spec_xml, pool_id, folder_id, host_id } = choice;
  const answer = await session.call({
    method: 'ImportVApp',
    on: { type: 'ResourcePool', id: pool_id },
    inside: [
      spec_xml,
      refXml('folder', folder_id ? { type: 'Folder', id: folder_id } : null),
      refXml('host', host_id ? { type: 'HostSystem', id: host_id } : null),
    ].join(''),
    ...{ what: 'import the machine', timeout: SPEC_MS, signal },
  });
  const lease = refOf(childOf(answer, 'returnval'));
  if (lease?.type !== 'HttpNfcLease') throw new VsphereFault('unreadable', 'The server gave no lease for the import.');
  return lease.id;
}
