// Every change by which a text with values of vaults could come to a machine that no administrator chose.
import { describe, expect, test } from '@jest/globals';
import { type Bound, hostReach, settingsReach } from '../../../../shared/services/network-boot/vault-reach.ts';

const HOST: Bound = {
  kickstart_id: 'kickstart_1',
  mac_address: '00:50:56:01:02:03',
  media_id: 'medium_1',
  variables_digest: 'a',
  enabled: true,
};
const OFF = { ...HOST, enabled: false };
const BARE = { ...HOST, kickstart_id: null, media_id: null };

describe('of a host whose Kickstart takes values of vaults', () => {
  const cases: [what: string, before: Bound | null, change: Partial<Bound>, pointers: string[]][] = [
    ['nothing else', HOST, {}, []],
    ['a new host, or the copy of one', null, {}, ['/kickstart_id']],
    ['a new host that is off', null, { enabled: false }, ['/kickstart_id']],
    ['the Kickstart', { ...HOST, kickstart_id: null }, {}, ['/kickstart_id']],
    ['another Kickstart', HOST, { kickstart_id: 'kickstart_2' }, ['/kickstart_id']],
    ['the MAC address', HOST, { mac_address: '02:00:00:00:00:09' }, ['/mac_address']],
    ['the MAC address while it is off', OFF, { enabled: false, mac_address: '02:00:00:00:00:09' }, ['/mac_address']],
    ['the medium', HOST, { media_id: 'medium_2' }, ['/media_id']],
    ['a medium where there was none', { ...HOST, media_id: null }, {}, ['/media_id']],
    ['no medium', HOST, { media_id: null }, []],
    ['variables', HOST, { variables_digest: 'b' }, ['/variables']],
    ['a host taken into use', OFF, {}, ['/enabled']],
    ['a host taken out of use', HOST, { enabled: false }, []],
    ['all at once', BARE, { mac_address: '02:00:00:00:00:09' }, ['/kickstart_id', '/mac_address', '/media_id']],
  ];
  test.each(cases)('%s', (_what, before, change, pointers) => {
    const next = { ...HOST, ...change };
    expect(hostReach(next, before, true).map(({ pointer }) => pointer)).toEqual(pointers);
    // The same of any other Kickstart is nobody's business.
    expect(hostReach(next, before, false)).toEqual([]);
  });
});

describe('of the settings while a host has such a Kickstart', () => {
  const SETTINGS = { listen_interfaces: ['ens192'], uefi_http_url: '' };
  const cases: [what: string, change: Partial<typeof SETTINGS>, pointers: string[]][] = [
    ['nothing', {}, []],
    ['another interface', { listen_interfaces: ['ens256', 'ens192'] }, ['/listen_interfaces/0']],
    ['one in its place', { listen_interfaces: ['ens256'] }, ['/listen_interfaces/0']],
    ['none', { listen_interfaces: [] }, []],
    ['a boot program of somebody', { uefi_http_url: 'http://10.0.0.9/x.efi' }, ['/uefi_http_url']],
  ];
  test.each(cases)('%s', (_what, change, pointers) => {
    const next = { ...SETTINGS, ...change };
    expect(settingsReach(next, SETTINGS, true).map(({ pointer }) => pointer)).toEqual(pointers);
    expect(settingsReach(next, SETTINGS, false)).toEqual([]);
  });

  test.each(['', 'none'])('the appliance’s own boot program again, or none: %p', (uefi_http_url) => {
    const before = { ...SETTINGS, uefi_http_url: 'http://10.0.0.9/x.efi' };
    expect(settingsReach({ ...SETTINGS, uefi_http_url }, before, true)).toEqual([]);
  });
});
