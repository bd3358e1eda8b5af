// NFS datastores of ESX hosts: which each host has, mounting one and unmounting it (HostDatastoreSystem). A vCenter asks the
// host for it; the same works on a host itself.
import { createHash } from 'node:crypto';
import { childOf, textOf, type XmlElement } from '../../ground/xml/element.ts';
import { VsphereFault } from './fault.ts';
import { refsIn, retrieveAll } from './properties.ts';
import type { VsphereSession } from './session.ts';
import { type ObjectRef, refOf, refXml, textXml } from './soap.ts';

export interface NasMount {
  /** Of the datastore. */
  id: string;
  name: string;
  server: string;
  path: string;
  /** Null: the host tells another one, or none. */
  version: NasSpec['version'] | null;
  /** Of the export as the host has it: what is shown may hide a part that the password has, too. */
  key: string;
}

export interface NasHost {
  id: string;
  name: string;
  version: string;
  connected: boolean;
  /** Id of its HostDatastoreSystem; empty: this account does not see it. */
  system: string;
  /** NFS datastores that it has mounted. */
  mounts: NasMount[];
}

export interface NasSpec {
  name: string;
  server: string;
  path: string;
  version: '3' | '4.1';
}

const PATHS = {
  HostSystem: [
    ...['name', 'runtime.connectionState', 'summary.config.product.version', 'datastore'],
    'configManager.datastoreSystem',
  ],
  Datastore: ['name', 'info'],
} as const;
const HOSTS_MOST = 1_000;

/** By name. */
export async function nasHosts(session: VsphereSession, signal: AbortSignal): Promise<NasHost[]> {
  const all = await retrieveAll(session, PATHS, { signal, what: 'read hosts and datastores' });
  const mounts = new Map(
    all.flatMap(({ ref, properties }): [string, NasMount][] => {
      const found = ref.type === 'Datastore' ? mountIn(session, ref, properties) : null;
      return found ? [[ref.id, found]] : [];
    }),
  );
  return all
    .filter(({ ref }) => ref.type === 'HostSystem')
    .slice(0, HOSTS_MOST)
    .map(({ ref, properties }) => ({
      id: ref.id,
      name: session.label(properties.get('name')?.text ?? ref.id),
      version: session.label(properties.get('summary.config.product.version')?.text ?? ''),
      connected: properties.get('runtime.connectionState')?.text === 'connected',
      system: refOf(properties.get('configManager.datastoreSystem'))?.id ?? '',
      mounts: refsIn(properties.get('datastore')).flatMap(({ id }) => mounts.get(id) ?? []),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** HostNasVolume; NFS41 with Kerberos has types of its own, which no datastore of ours asks for. */
const VERSIONS: Readonly<Record<string, NasSpec['version']>> = { NFS: '3', NFS41: '4.1' };

/** NasDatastoreInfo alone has `nas`, with the server and the path. */
function mountIn(
  session: VsphereSession,
  { id }: ObjectRef,
  properties: ReadonlyMap<string, XmlElement>,
): NasMount | null {
  const nas = childOf(properties.get('info') ?? null, 'nas');
  if (!nas) return null;
  const [server, path] = [textOf(nas, 'remoteHost') ?? '', textOf(nas, 'remotePath') ?? ''];
  return {
    id,
    name: session.label(properties.get('name')?.text ?? ''),
    server: session.label(server),
    path: session.label(path),
    version: VERSIONS[textOf(nas, 'type') ?? ''] ?? null,
    key: keyOf({ server, path }),
  };
}

const keyOf = ({ server, path }: Pick<NasSpec, 'server' | 'path'>): string =>
  createHash('sha256').update(`${server.toLowerCase()} ${path}`).digest('hex');

const SYSTEM = 'HostDatastoreSystem';

/** @throws VsphereFault, Problem of the connection */
export async function mountNas(
  session: VsphereSession,
  system: string,
  { name, server, path, version }: NasSpec,
  signal: AbortSignal,
): Promise<void> {
  const many = version === '4.1' ? textXml('remoteHostNames', server) : '';
  const inside = [
    ...[textXml('remoteHost', server), textXml('remotePath', path), textXml('localPath', name)],
    ...[textXml('accessMode', 'readWrite'), textXml('type', version === '3' ? 'NFS' : 'NFS41'), many],
    version === '4.1' ? textXml('securityType', 'AUTH_SYS') : '',
  ].join('');
  const asked = { method: 'CreateNasDatastore', on: { type: SYSTEM, id: system }, what: `mount ${name}`, signal };
  await session.call({ ...asked, inside: `<spec>${inside}</spec>` }).catch((error: unknown) => {
    if (!(error instanceof VsphereFault) || error.reason !== 'name_taken') throw error;
    const sentence = `This host, or another one beside it, has another datastore named ${name}.`;
    throw new VsphereFault('datastore_name_taken', sentence, error.fault_type);
  });
}

/** From this host alone; what the datastore holds stays. @throws VsphereFault, Problem of the connection */
export async function unmountNas(
  session: VsphereSession,
  system: string,
  { id, name }: Pick<NasMount, 'id' | 'name'>,
  signal: AbortSignal,
): Promise<void> {
  const inside = refXml('datastore', { type: 'Datastore', id });
  await session.call({
    ...{ method: 'RemoveDatastore', on: { type: SYSTEM, id: system }, what: `unmount ${name}`, signal, inside },
  });
}

/** Whether it is this export, whatever the host calls it. */
export const isSameNas = (mount: NasMount, spec: Pick<NasSpec, 'server' | 'path'>): boolean =>
  mount.key === keyOf(spec);

/**
 * The first of these hosts that has it mounted over the other version; null: none has. The versions lock files apart, so that two
 * hosts would write to one virtual disk at once.
 */
export const otherVersion = (
  hosts: readonly NasHost[],
  spec: NasSpec,
): { host: string; version: NasSpec['version'] } | null => {
  for (const { name, mounts } of hosts) {
    const other = mounts.find(
      (mount) => mount.version !== null && mount.version !== spec.version && isSameNas(mount, spec),
    );
    if (other) return { host: name, version: other.version! };
  }
  return null;
};
