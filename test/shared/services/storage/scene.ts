// A datastore on one volume, and what a change of it writes.
import type { DesiredDatastore, StorageDesired } from '../../../../shared/services/storage/desired.ts';
import { facts } from '../../../../shared/services/storage/facts.ts';
import { render } from '../../../../shared/services/storage/render.ts';

export const LAB: DesiredDatastore = {
  id: 'ds_h7k2m9p4q6r8s3t5',
  name: 'Lab; (rw) *',
  mount_path: '/srv/datastores/v-1',
  path: 'lab',
  version: '4.1',
  interface: 'ens192',
  usable: true,
  addresses: ['10.0.0.5'],
  clients: ['10.0.0.0/24'],
  unserved: [],
};
export const VOLUME = { name: 'v-1', device: '/dev/disk/by-id/scsi-36000c29e', mount_path: '/srv/datastores/v-1' };
export const desired = (...datastores: Partial<DesiredDatastore>[]): StorageDesired => ({
  settings: { enabled: true, hostname: '' },
  volumes: [VOLUME],
  datastores: datastores.map((each, at) => ({ ...LAB, id: `ds_${at}`, ...each })),
});
export const same = (path: string) => path;
export const textOf = (state: StorageDesired, path: string, kind: 'system' | 'namespace' = 'system') =>
  render(state, same, kind)
    .find((file) => file.path === path)
    ?.content.split('\n')
    .slice(1)
    .join('\n');
export const change = (before: StorageDesired, after: StorageDesired, kind: 'system' | 'namespace' = 'system') => {
  const [had, has] = [render(before, same, kind), render(after, same, kind)];
  const written = has.filter(({ path, content }) => had.find((file) => file.path === path)?.content !== content);
  const removed = had.filter(({ path }) => !has.some((file) => file.path === path));
  const paths = (files: { path: string }[]) => files.map(({ path }) => path);
  return { before: facts(before), after: facts(after), written: paths(written), removed: paths(removed) };
};
