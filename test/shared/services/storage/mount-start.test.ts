// What a start of the machine mounts: never a volume of a change that was not confirmed before the power went.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { fileRefusal } from '../../../../shared/appliance/host-guard.ts';
import { mountFile } from '../../../../shared/services/storage/files.ts';
import { PATIENT } from '../../../../shared/services/storage/mounts.ts';
import { render } from '../../../../shared/services/storage/render.ts';

const UNITS = join(import.meta.dirname, '../../../../build/appliance/systemd');
const AT = '/srv/datastores/v';
const ROLLBACK = 'groundcrew-rollback.service';

/** Values of a word of a unit, in order. */
const valuesOf = (unit: string, word: string): string[] =>
  unit
    .split('\n')
    .filter((line) => line.startsWith(`${word}=`))
    .flatMap((line) => line.slice(word.length + 1).split(' '));

const mount = render(
  {
    settings: { enabled: true, hostname: '' },
    volumes: [{ name: 'v', device: '/dev/disk/by-id/scsi-v', mount_path: AT }],
    datastores: [],
  },
  (path) => path,
  'system',
).find(({ path }) => path === mountFile(AT))!;

test('a volume waits for the rollback, and is exported after it', () => {
  expect(valuesOf(mount.content, 'After')).toContain(ROLLBACK);
  expect(valuesOf(mount.content, 'Before')).toContain('nfs-server.service');
  const rollback = readFileSync(join(UNITS, ROLLBACK), 'utf8');
  expect(valuesOf(rollback, 'Before')).toContain('nfs-server.service');
  // A unit whose file is put back, or gone, counts for systemd from then on alone.
  expect(rollback).toContain('\nExecStartPost=+/usr/bin/systemctl daemon-reload\n');
});

test('the rollback may take a while on a machine that starts slowly; whoever applies waits longer than a mount', () => {
  const [seconds] = valuesOf(mount.content, 'JobTimeoutSec').map(Number) as [number];
  expect(seconds).toBeGreaterThan(30);
  expect(PATIENT.timeout).toBeGreaterThan(seconds * 1_000);
});

test('files of a former release are still taken, and no other unit is waited for', () => {
  const accepts = (content: string) => fileRefusal({ ...mount, content }) === null;
  expect(accepts(mount.content)).toBe(true);
  expect(accepts(mount.content.replace('JobTimeoutSec=60', 'JobTimeoutSec=30'))).toBe(true);
  expect(accepts(mount.content.replace(`After=${ROLLBACK}`, 'After=sshd.service'))).toBe(false);
});
