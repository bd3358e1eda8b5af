// The folders that the service writes to are those that systemd lets it write to.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { MOUNTS } from '../../shared/appliance/archive/schedule/places/allowed-folder.ts';
import { DEPOT_STORE } from '../../shared/services/offline-depot/store.ts';
import { MOUNTS as VOLUMES } from '../../shared/services/storage/paths.ts';

const APPLIANCE = resolve(import.meta.dirname, '../../build/appliance');
const text = (name: string): string => readFileSync(resolve(APPLIANCE, name), 'utf8');

test('data, depot and volumes, each of which is made by the installation', () => {
  const [, writable = ''] = /^ReadWritePaths=(.*)$/m.exec(text('systemd/groundcrew.service')) ?? [];
  const paths = writable.split(' ').map((path) => path.replace(/^-/, ''));
  expect(paths).toEqual(['/var/lib/groundcrew/data', DEPOT_STORE, MOUNTS]);
  const made = [...text('tmpfiles.conf').matchAll(/^d (\S+) /gm)].map(([, path]) => path);
  expect(made).toEqual(expect.arrayContaining(paths));
});

test('copies of archives go where volumes are mounted', () => {
  expect(`${MOUNTS}/`).toBe(VOLUMES);
});
