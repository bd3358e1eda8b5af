// What an operator types to mount a datastore, on an ESX host or in PowerCLI. A name may hold quotes, blanks and dollar signs.
import { FAMILIES, familyNames } from '../../platform/interfaces/refresh/mount-server.ts';
import type { StorageDatastore } from './datastores.ts';
import { familyOf } from './desired.ts';

export interface Mountable extends Pick<StorageDatastore, 'name' | 'nfs_version'> {
  /** As every host names the server: a datastore is the same one by the same text alone. */
  server: string;
  /** Its folder on the appliance. */
  folder: string;
}

const shell = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
const powerShell = (text: string): string => `'${text.replaceAll(/['‘’‚‛]/g, (sign) => sign + sign)}'`;

const family = (nfs_version: Mountable['nfs_version']): string => (nfs_version === '3' ? 'nfs' : 'nfs41');

export function esxcli({ name, nfs_version, server, folder }: Mountable): Record<'mount' | 'unmount', string> {
  const command = `esxcli storage ${family(nfs_version)}`;
  const host = nfs_version === '3' ? '--host' : '--hosts';
  return {
    mount: `${command} add ${host}=${shell(server)} --share=${shell(folder)} --volume-name=${shell(name)}`,
    unmount: `${command} remove --volume-name=${shell(name)}`,
  };
}

export function powerCli({ name, nfs_version, server, folder }: Mountable): Record<'mount' | 'unmount', string> {
  const version = nfs_version === '3' ? '3.0' : '4.1';
  const about = [`-Name ${powerShell(name)}`, `-NfsHost ${powerShell(server)}`, `-Path ${powerShell(folder)}`].join(
    ' ',
  );
  return {
    mount: `Get-VMHost | New-Datastore -Nfs -FileSystemVersion '${version}' ${about}`,
    unmount: `Get-VMHost | Remove-Datastore -Datastore ${powerShell(name)} -Confirm:$false`,
  };
}

/**
 * The texts by which hosts may know the server: names of one family of these addresses that the appliance keeps, the name of both,
 * and each address.
 */
export function serversOf(hostname: string, addresses: readonly string[], kept: ReadonlySet<string>): string[] {
  if (hostname === '') return [...addresses];
  const names = familyNames(hostname);
  const served = FAMILIES.filter((family) => addresses.some((address) => familyOf(address) === family));
  const own = served.flatMap((family) => (kept.has(names[family] ?? '') ? names[family]! : []));
  return [...own, hostname, ...addresses];
}
