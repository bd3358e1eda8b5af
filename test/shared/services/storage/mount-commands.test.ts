// What is typed to mount a datastore: a shell takes each text whole, whatever the name is.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { esxcli, powerCli, serversOf } from '../../../../shared/services/storage/mount-commands.ts';

const LAB = {
  name: 'lab-nfs-01',
  nfs_version: '4.1',
  server: 'nfs.lab.test',
  folder: '/srv/datastores/v/lab',
} as const;

describe('on an ESX host', () => {
  test('each version has its own command', () => {
    expect(esxcli(LAB).mount).toBe(
      'esxcli storage nfs41 add --hosts=nfs.lab.test --share=/srv/datastores/v/lab --volume-name=lab-nfs-01',
    );
    expect(esxcli({ ...LAB, nfs_version: '3' })).toEqual({
      mount: 'esxcli storage nfs add --host=nfs.lab.test --share=/srv/datastores/v/lab --volume-name=lab-nfs-01',
      unmount: 'esxcli storage nfs remove --volume-name=lab-nfs-01',
    });
  });

  test('a name is one word for the shell', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~]{1,42}$/), (name) => {
        const words = esxcli({ ...LAB, name }).unmount;
        const script = `esxcli() { printf '%s\\n' "$@"; }; eval "$1"`;
        const { stdout } = spawnSync('sh', ['-c', script, 'shell', words], { encoding: 'utf8' });
        expect(stdout).toBe(`storage\nnfs41\nremove\n--volume-name=${name}\n`);
      }),
      { numRuns: 30 },
    );
  });
});

test('in PowerCLI a quote is doubled', () => {
  expect(powerCli({ ...LAB, name: "Bob's $lab" }).mount).toBe(
    "Get-VMHost | New-Datastore -Nfs -FileSystemVersion '4.1' -Name 'Bob''s $lab' -NfsHost 'nfs.lab.test' -Path '/srv/datastores/v/lab'",
  );
  expect(powerCli({ ...LAB, nfs_version: '3' }).mount).toContain("-FileSystemVersion '3.0'");
});

test('the name comes first, where there is one', () => {
  expect(serversOf('', ['10.0.0.5', 'fd00::5'], new Set())).toEqual(['10.0.0.5', 'fd00::5']);
  expect(serversOf('nfs.lab.test', ['10.0.0.5'], new Set())).toEqual(['nfs.lab.test', '10.0.0.5']);
});

test('before it come the names of its own families, as far as the appliance keeps them', () => {
  const kept = new Set(['nfs-ipv4.lab.test', 'nfs-ipv6.lab.test']);
  expect(serversOf('nfs.lab.test', ['10.0.0.5'], kept)).toEqual(['nfs-ipv4.lab.test', 'nfs.lab.test', '10.0.0.5']);
  expect(serversOf('nfs.lab.test', ['10.0.0.5', 'fd00::5'], kept).slice(0, 3)).toEqual([...kept, 'nfs.lab.test']);
});
