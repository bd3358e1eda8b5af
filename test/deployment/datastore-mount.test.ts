// Mounting a datastore on ESX hosts against govmomi's simulator: what is asked for and read is as another's program has it. It
// looks for a local folder of the datastore's name, so that the datastore is called as the one beside it. It has no unmounting.
import { expect, test } from '@jest/globals';
import { isSameNas, mountNas, nasHosts, otherVersion } from '../../shared/vcf/vsphere/nas-datastores.ts';
import { fake, login } from './vsphere-scene.ts';

const SPEC = { name: 'simulator', server: '10.10.0.5', path: '/srv/datastores/disk-lab/lab' };
const signal = AbortSignal.timeout(60_000);

test.each(['3', '4.1'] as const)(
  'a host has it over NFS %s by its server, folder and version, once',
  async (version) => {
    const session = await login(await fake({ mode: 'vc' }));
    const before = await nasHosts(session, signal);
    expect(before.length).toBeGreaterThan(1);
    expect(before.every(({ connected, system, mounts }) => connected && system !== '' && mounts.length === 0)).toBe(
      true,
    );
    const [host] = before;
    const spec = { ...SPEC, version };
    await mountNas(session, host!.system, spec, signal);
    const after = await nasHosts(session, signal);
    expect(after.map(({ id, mounts }) => [id, mounts.length])).toEqual(
      before.map(({ id }) => [id, id === host!.id ? 1 : 0]),
    );
    const [mount] = after.find(({ id }) => id === host!.id)!.mounts;
    expect(mount).toMatchObject(spec);
    expect(isSameNas(mount!, spec)).toBe(true);
    const other = version === '3' ? '4.1' : '3';
    expect(otherVersion(after, { ...spec, version: other })).toEqual({ host: host!.name, version });
    await expect(mountNas(session, host!.system, spec, signal)).rejects.toMatchObject({
      ...{ reason: 'datastore_name_taken', fault_type: 'DuplicateName' },
      message: expect.stringMatching(/has another datastore named simulator\. Rename one/),
    });
  },
);

test('what the host says of a mount that fails is told', async () => {
  const session = await login(await fake({ mode: 'esx' }));
  const [host] = await nasHosts(session, signal);
  const spec = { ...SPEC, name: 'no-such-folder', version: '4.1' } as const;
  await expect(mountNas(session, host!.system, spec, signal)).rejects.toMatchObject({ fault_type: 'NotFound' });
});
