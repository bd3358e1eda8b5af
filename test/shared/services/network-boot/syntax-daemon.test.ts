// Whether dnsmasq takes the files that the unit "Network boot" renders.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { render } from '../../../../shared/services/network-boot/render.ts';
import { LAB } from '../../../fixtures/network-boot/desired.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundcrew-boot-syntax-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['all of it', LAB],
  ['the least of it', { ...LAB, settings: { ...LAB.settings, tftp_enabled: false, uefi_http_url: '' } }],
])('dnsmasq takes %s', (_name, desired) => {
  const path = join(folder, 'fragment.conf');
  writeFileSync(path, render(desired, (file) => file)[1]!.content);
  expect(spawnSync('dnsmasq', ['--test', '-C', path], { encoding: 'utf8' })).toMatchObject({
    stderr: expect.stringMatching(/^dnsmasq: syntax check OK\.\n$/),
  });
});
