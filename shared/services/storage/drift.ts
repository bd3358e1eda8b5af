// Whether the server runs or is off as applied, and every datastore can be mounted. Files are compared elsewhere.
import type { Host } from '../../ground/machine/host.ts';
import { driftOf } from '../../platform/units/probing.ts';
import { exported, type StorageDesired, speaksVersion3 } from './desired.ts';
import { daemonOf } from './files.ts';
import { ask } from './probe.ts';

export async function drift(host: Host, inForce: StorageDesired): Promise<string[]> {
  const datastores = exported(inForce);
  const running = await host.daemonRunning(daemonOf(host, speaksVersion3(datastores)));
  if (running !== datastores.length > 0) {
    return [running ? 'the NFS server runs, though nothing was applied to export' : 'the NFS server does not run'];
  }
  return running ? driftOf(await ask(host, inForce)) : [];
}
