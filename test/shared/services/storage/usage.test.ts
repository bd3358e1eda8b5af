// What is told of volumes in force to whoever watches: that a disk is mounted, and that one is missing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { SEEN } from '../../../../shared/services/storage/disks.ts';
import { facts } from '../../../../shared/services/storage/facts.ts';
import { storageMetrics, storageUsage } from '../../../../shared/services/storage/usage.ts';
import { desired, VOLUME } from './scene.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-usage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const AWAY = { name: 'v-2', device: '/dev/disk/by-id/scsi-2', mount_path: '/srv/datastores/v-2' };
const hostOf = (kind: Host['kind']) => ({ kind, enforces: true, resolve: () => folder }) as unknown as Host;

test('a volume whose place has no mount is told as such, by its name, and has no size', async () => {
  const mounts = join(folder, 'mounts');
  writeFileSync(mounts, `36 35 8:16 / ${VOLUME.mount_path} rw,nodev shared:1 - xfs /dev/sdb rw\n`);
  const inForce = facts({ ...desired({}), volumes: [VOLUME, AWAY] });
  const families = await storageMetrics(hostOf('system'), inForce, { ...SEEN, mounts });
  const samplesOf = (name: string) => families.find((family) => family.name === name)?.samples;
  expect(samplesOf('groundcrew_volume_mounted')).toEqual([
    { labels: { volume: 'v-1' }, value: 1 },
    { labels: { volume: 'v-2' }, value: 0 },
  ]);
  expect(samplesOf('groundcrew_volume_size_bytes')).toHaveLength(1);
});

test('a namespace has no disks of its own, so that none is missing', async () => {
  const usage = await storageUsage(hostOf('namespace'), facts(desired({})));
  expect(usage.volumes).toMatchObject([{ name: 'v-1', mounted: null }]);
});
