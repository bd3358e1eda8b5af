// Whether the server runs or is off as applied, its disks are mounted, and every datastore can be. Files are compared elsewhere.
import type { Host } from '../../ground/machine/host.ts';
import { driftOf } from '../../platform/units/probing.ts';
import type { DriftLook } from '../../platform/units/unit.ts';
import { exported, type StorageDesired, speaksVersion3 } from './desired.ts';
import { SEEN, type Seen } from './disks.ts';
import { daemonOf, serverOf } from './files.ts';
import { uncountedFaults } from './limits.ts';
import { look } from './look.ts';
import { strayMounts, volumeFaults } from './mounts.ts';
import { ask } from './probe.ts';

export async function drift(
  host: Host,
  inForce: StorageDesired,
  how: DriftLook<StorageDesired> = {},
  seen: Seen = SEEN,
): Promise<string[]> {
  const datastores = exported(inForce);
  const disks =
    serverOf(host.kind) === 'kernel'
      ? [
          ...(await volumeFaults(host, inForce, seen)),
          ...(await strayMounts(inForce, seen)),
          ...(await uncountedFaults(inForce, seen)),
        ]
      : [];
  const running = await host.daemonRunning(daemonOf(host, speaksVersion3(datastores)));
  if (running !== datastores.length > 0) {
    const server = running
      ? 'the NFS server runs, though nothing was applied to export'
      : 'the NFS server does not run';
    return [...disks, server];
  }
  if (!running) return disks;
  const asked = await look(host, inForce, how.look, (strangers) => ask(host, inForce, datastores, strangers));
  return [...disks, ...driftOf(asked)];
}
