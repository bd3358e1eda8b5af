// The first password is gone from the environment of a process that has read it: for itself, for whoever looks at it from
// outside, and for what it starts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const MODULE = join(import.meta.dirname, '../../runtime/forget-password.ts');
const SCRIPT = `
  const { forgetPassword } = await import(${JSON.stringify(MODULE)});
  const { readFileSync } = await import('node:fs');
  const { execFileSync } = await import('node:child_process');
  const seen = () => [
    process.env.GROUNDCREW_ADMIN_PASSWORD ?? null,
    readFileSync('/proc/self/environ', 'latin1').includes('CanaryFirstPassword'),
    execFileSync('env', { encoding: 'utf8' }).includes('CanaryFirstPassword'),
  ];
  const before = seen();
  forgetPassword(process.env);
  console.log(JSON.stringify([before, seen(), process.env.AFTER, readFileSync('/proc/self/environ', 'latin1').includes('AFTER=kept')]));`;

test('the first password leaves the environment, and nothing else does', () => {
  const env = { BEFORE: 'x', GROUNDCREW_ADMIN_PASSWORD: 'CanaryFirstPassword', AFTER: 'kept', PATH: process.env.PATH };
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    env,
    encoding: 'utf8',
  });
  expect([stderr.replace(/.*Warning.*\n/g, ''), JSON.parse(stdout || 'null')]).toEqual([
    expect.any(String),
    [['CanaryFirstPassword', true, true], [null, false, false], 'kept', true],
  ]);
});
