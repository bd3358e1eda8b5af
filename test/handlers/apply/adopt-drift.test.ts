// Adopting drift: what somebody set on the links by hand becomes the desired state by the rules of an edit, or nothing does.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ADOPT,
  admin,
  api,
  applied,
  blockers,
  changes,
  furnished,
  hand,
  house,
  PAGE,
  page,
  physical,
  report,
  saved,
} from './adopt-drift-scene.ts';

describe('what an edit can say is taken over', () => {
  beforeAll(furnished);
  afterAll(() => house.close());
  beforeEach(() => hand.reset());

  const scenarios: [name: string, change: () => void, changed: string[]][] = [
    [
      'another address, and the route that fits it',
      () => {
        hand.link('ens224').ipv4_cidrs = ['10.21.0.1/24'];
        hand.routes = [{ dev: 'ens224', gateway: '10.21.0.254' }];
      },
      ['ens224 ipv4_cidr 10.20.0.1/24 → 10.21.0.1/24', 'ens224 ipv4_gateway 10.20.0.254 → 10.21.0.254'],
    ],
    [
      'a default route that is gone',
      () => {
        hand.routes = [];
      },
      ['ens224 ipv4_gateway 10.20.0.254 → '],
    ],
    [
      'a default route of IPv6 with its address',
      () => {
        hand.link('ens224').ipv6_cidrs = ['fd00:20::1/64'];
        hand.routes.push({ dev: 'ens224', gateway: 'fe80::1' });
      },
      ['ens224 ipv6_enabled false → true', 'ens224 ipv6_cidr  → fd00:20::1/64', 'ens224 ipv6_gateway  → fe80::1'],
    ],
    [
      'no address any more',
      () => {
        hand.link('ens192').ipv6_cidrs = [];
        hand.link('ens224').ipv4_cidrs = [];
        hand.routes = [];
      },
      [
        'ens192 ipv6_enabled true → false',
        'ens192 ipv6_cidr fd00:10::5/64 → ',
        'ens224 ipv4_cidr 10.20.0.1/24 → ',
        'ens224 ipv4_gateway 10.20.0.254 → ',
      ],
    ],
    [
      'the MTU of a trunk and its VLAN, whichever way round',
      () => {
        hand.link('ens256').mtu = 9000;
        hand.link('ens256.30').mtu = 9000;
      },
      ['ens256 mtu 1500 → 9000', 'ens256.30 mtu 1500 → 9000'],
    ],
    [
      'a link that is down; its VLANs go with it',
      () => {
        hand.down = new Set(['ens224', 'ens256', 'ens256.30']);
      },
      ['ens224 enabled true → false', 'ens256 enabled true → false'],
    ],
    [
      'two interfaces that exchanged their networks',
      () => {
        hand.link('ens224').ipv4_cidrs = ['10.30.0.1/24'];
        hand.link('ens256.30').ipv4_cidrs = ['10.20.0.1/24'];
        hand.routes = [];
      },
      [
        'ens224 ipv4_cidr 10.20.0.1/24 → 10.30.0.1/24',
        'ens224 ipv4_gateway 10.20.0.254 → ',
        'ens256.30 ipv4_cidr 10.30.0.1/24 → 10.20.0.1/24',
      ],
    ],
  ];

  test.each(scenarios)('%s', async (_name, change, changed) => {
    change();
    const before = await house.lastAudit();
    const heard = await api('POST', `${ADOPT}?dry_run=true`);
    expect([heard.status, heard.status === 200 ? changes(heard) : heard.body]).toEqual([200, changed]);
    // A dry run writes nothing.
    expect(await house.audited(before)).toEqual([]);
    expect((await api('GET', physical('ens224'))).body.ipv4_cidr).toBe('10.20.0.1/24');
    expect(await page()).toContain('Save what the host has');
  });
});

describe('what no edit can say refuses all of it', () => {
  beforeAll(furnished);
  afterAll(() => house.close());
  beforeEach(() => hand.reset());

  const scenarios: [name: string, change: () => void, refused: string[]][] = [
    [
      'an address on a trunk',
      () => {
        hand.link('ens256').ipv4_cidrs = ['10.40.0.1/24'];
      },
      ['Interface ens256: It has 10.40.0.1/24, and a trunk carries no addresses.'],
    ],
    [
      'two addresses of a family on one link',
      () => {
        hand.link('ens224').ipv4_cidrs = ['10.21.0.1/24', '10.22.0.1/24'];
      },
      ['Interface ens224: It has 2 IPv4 addresses, 10.21.0.1/24, 10.22.0.1/24, and can keep one.'],
    ],
    [
      'links that are gone, or another VLAN',
      () => {
        hand.link('ens256.30').vlan = { parent: 'ens256', id: 31 };
        hand.links = hand.links.filter(({ name }) => name !== 'ens224');
      },
      [
        'Interface ens224: Its link is not on the host any more.',
        'VLAN ens256.30: Its link is VLAN 31 on ens256 on the host; parent and number are fixed.',
      ],
    ],
    [
      'an address of DHCP',
      () => {
        hand.link('ens224').ipv4_cidrs = ['10.20.0.77/24'];
        hand.lent.add('10.20.0.77/24');
      },
      ['Interface ens224: 10.20.0.77/24 ends by itself, as what DHCP or a router advertisement gives.'],
    ],
    [
      'default routes that an interface can not have',
      () => {
        hand.routes = [
          { dev: 'ens224', gateway: '10.20.0.253' },
          { dev: 'ens224', gateway: '10.20.0.252' },
          { dev: 'ens256.30', gateway: '10.30.0.254' },
        ];
      },
      [
        'Interface ens224: It has an IPv4 default route via 10.20.0.253 and via 10.20.0.252, and can keep one via one gateway.',
        'VLAN ens256.30: It has a default route via 10.30.0.254, which only an interface in access mode can keep.',
      ],
    ],
    [
      'a default route over several links, or one that was learned',
      () => {
        hand.routes = [
          { nexthops: [{ dev: 'ens224' }, { dev: 'ens192' }] },
          { dev: 'ens192', gateway: 'fe80::1', protocol: 'ra' },
        ];
      },
      [
        'Interface ens192: It has an IPv4 default route without a gateway, and can keep one via one gateway.',
        'Interface ens192: Its default route via fe80::1 was learned, not set.',
        'Interface ens224: It has an IPv4 default route without a gateway, and can keep one via one gateway.',
      ],
    ],
    [
      'values that an edit is refused for',
      () => {
        hand.link('ens224').mtu = 300;
        hand.link('ens256').mtu = 1400;
        hand.link('ens192').ipv4_cidrs = ['10.20.0.9/24'];
        hand.down.add('ens192');
      },
      [
        'Interface ens224: MTU 300: Must be at least 576.',
        'Interface ens192: A management interface must stay enabled; give it another role first, or enable it.',
        'VLAN ens256.30: VLANs of ens256 have a larger MTU.',
      ],
    ],
    [
      'a network that another interface has',
      () => {
        hand.link('ens192').ipv4_cidrs = ['10.20.0.9/24'];
      },
      ['Interface ens192: The network overlaps that of ens224; two interfaces in one network make routing ambiguous.'],
    ],
    [
      'a gateway off the link',
      () => {
        hand.routes = [{ dev: 'ens224', gateway: '10.99.0.254' }];
      },
      ['Interface ens224: IPv4 gateway 10.99.0.254: The gateway must be inside the network of the interface.'],
    ],
    [
      'a VLAN without an address, beside what could be taken over',
      () => {
        hand.link('ens256.30').ipv4_cidrs = [];
        hand.link('ens224').mtu = 1400;
      },
      ['VLAN ens256.30: A VLAN needs an IPv4 or an IPv6 CIDR.'],
    ],
  ];

  test.each(scenarios)('%s', async (_name, change, refused) => {
    change();
    const before = await house.lastAudit();
    const heard = await api('POST', ADOPT);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'state_conflict']);
    expect(blockers(heard).sort()).toEqual(refused.toSorted());
    expect(heard.body.detail).toContain('Nothing was saved.');
    expect(await house.audited(before)).toEqual([]);
    const shown = await page();
    expect(shown).toContain('another setting prevents it');
    for (const each of refused) expect(shown).toContain(each.split(': ').at(-1));
  });

  test('the last management listener', async () => {
    hand.link('ens192').ipv4_cidrs = [];
    hand.link('ens192').ipv6_cidrs = [];
    const heard = await api('POST', ADOPT);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'no_management_listener']);
    expect(await page()).toContain('The management UI would no longer be reachable');
  });

  test('a service that needs the address', async () => {
    const scope = {
      name: 'lab',
      address_family: 'ipv4',
      interface: 'ens224',
      subnet_cidr: '10.20.0.0/24',
      ranges: [{ start: '10.20.0.100', end: '10.20.0.200' }],
      enabled: true,
    };
    const { id } = await saved('POST', '/api/v1/dhcp/scopes', scope);
    hand.link('ens224').ipv4_cidrs = [];
    hand.routes = [];
    const heard = await api('POST', ADOPT);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'dependents_refuse']);
    expect(blockers(heard)).toEqual([expect.stringContaining('DHCP scope lab')]);
    expect(await page()).toContain('DHCP scope lab');
    // One that can follow does.
    hand.link('ens224').ipv4_cidrs = ['10.21.0.1/24'];
    const dry = await api('POST', `${ADOPT}?dry_run=true`);
    expect(dry.body).toMatchObject({ refreshed_units: ['dns-dhcp'], unit: 'network', files: [] });
    expect(dry.body.moves.map(({ property, to }: { property: string; to: string }) => [property, to])).toContainEqual([
      'subnet_cidr',
      '10.21.0.0/24',
    ]);
    expect(await page()).toMatch(/Saving this moves \d values in 1 unit/);
    expect((await api('DELETE', `/api/v1/dhcp/scopes/${id}`)).status).toBe(204);
  });

  test('units whose configuration can not be read back, in one sentence', async () => {
    for (const unit of ['firewall', 'dns-dhcp', 'ntp']) {
      const heard = await api('POST', `/api/v1/apply/drift/${unit}/adopt`);
      expect([heard.status, heard.body.error_code]).toEqual([409, 'state_conflict']);
      expect(heard.body.detail).toMatch(/can be adopted\. This change can’t be adopted automatically/);
      expect(await report(unit)).toMatchObject({
        adoptable: false,
        not_adoptable: expect.stringMatching(/^This change/),
      });
    }
    const ldap = await api('POST', '/api/v1/apply/drift/ldap/adopt');
    expect([ldap.status, ldap.body.detail]).toEqual([409, expect.stringContaining('It was never applied.')]);
    expect((await report('ldap')).not_adoptable).toBe('It was not compared with the host yet.');
    expect((await api('POST', '/api/v1/apply/drift/nobody/adopt')).status).toBe(404);
  });

  test('a host that is as it was applied, or can not be read', async () => {
    expect((await api('POST', ADOPT)).body.detail).toBe(
      'Nothing of Network can be adopted. The host is as the unit was applied.',
    );
    expect(await report()).toMatchObject({ adoptable: false, not_adoptable: 'The host is as the unit was applied.' });
    hand.broken = true;
    expect((await api('POST', ADOPT)).body.detail).toBe(
      'Nothing of Network can be adopted. The host could not be read.',
    );
    expect(await report()).toMatchObject({ state: 'unreadable', adoptable: false });
  });

  test('files alone', async () => {
    const folder = join(house.data, 'host/rehearsal/etc/systemd/network');
    writeFileSync(join(folder, readdirSync(folder).find((name) => name.includes('ens224'))!), '# by hand\n');
    expect(await report()).toMatchObject({ adoptable: false, not_adoptable: expect.stringMatching(/^Only files/) });
    expect((await api('POST', ADOPT)).body.detail).toContain('Only files were changed');
    expect(await page('/ui/management/appliance-apply')).toContain('What the host has can’t be taken over. Only files');
    // With the links besides they are named, and left.
    hand.link('ens224').mtu = 1400;
    expect(await report()).toMatchObject({ adoptable: true, not_adoptable: null });
    const { body } = await api('POST', `${ADOPT}?dry_run=true`);
    expect(body.files).toEqual([expect.stringMatching(/ens224\.network was changed$/)]);
    expect(await page()).toContain('ens224.network was changed: that is not taken over');
  });

  test('callers without the scopes', async () => {
    hand.link('ens256.30').mtu = 1400;
    const before = await house.lastAudit();
    const viewer = await house.actor('viewer');
    const some = await house.actor('admin', ['write:apply']);
    const more = await house.actor('admin', ['write:apply', 'write:interfaces']);
    for (const [who, scope] of [
      [viewer, 'write:apply'],
      [some, 'write:interfaces'],
      [more, 'write:vlans'],
    ] as const) {
      const heard = await api('POST', ADOPT, undefined, who.token);
      expect([heard.status, heard.body.scope]).toEqual([403, scope]);
    }
    expect((await house.send('GET', PAGE, { session: viewer })).status).toBe(403);
    expect((await house.send('POST', PAGE, { session: viewer })).status).toBe(403);
    const bare = await house.send('POST', PAGE, { session: { ...admin, csrf: 'wrong' } });
    expect(bare.status).toBe(403);
    expect((await house.audited(before)).filter((action) => action.startsWith('drift'))).toEqual([]);
    // Services only: the page says why there is no button.
    const services = await house.actor('service-admin');
    const shown = await house.send('GET', PAGE, { session: services });
    expect(shown.text).toContain('your role does not edit interfaces and vlans');
    expect((await house.send('POST', PAGE, { session: services })).status).toBe(403);
  });
});

describe('adopted', () => {
  beforeAll(furnished);
  afterAll(() => house.close());

  test('it is saved with one audit event, and the next plan puts in force what the host has', async () => {
    hand.link('ens224').ipv4_cidrs = ['10.21.0.1/24'];
    hand.link('ens224').mtu = 1400;
    hand.link('ens256.30').ipv4_cidrs = ['10.31.0.1/24'];
    hand.routes = [];
    expect(await report()).toMatchObject({ state: 'drifted', adoptable: true, not_adoptable: null });
    // Saved and not applied: not touched, as it does not differ on the host.
    await saved('PATCH', physical('ens192'), { mtu: 1450 });
    expect(await page('/ui/management/appliance-apply')).toContain('Keep what the host has');
    expect(await page()).toMatch(/ens224: IPv4 CIDR 10\.20\.0\.1\/24 10\.21\.0\.1\/24/);
    const revision = (await api('GET', physical('ens224'))).body.revision as number;
    const before = await house.lastAudit();
    const heard = await house.send('POST', PAGE, { session: admin });
    expect([heard.status, heard.headers.location]).toEqual([303, '/ui/management/appliance-apply']);
    expect(decodeURIComponent(heard.cookies.join())).toContain('Saved as the host has it: ens224, ens256.30.');
    expect(await house.audited(before)).toEqual(['drift.adopt']);
    const [event] = (await api('GET', '/api/v1/audit?limit=1')).body.items;
    expect(event).toMatchObject({
      resource: { type: 'unit', id: 'network' },
      detail: {
        interfaces: [
          {
            name: 'ens224',
            changed: [
              { property: 'mtu', from: 1500, to: 1400 },
              { property: 'ipv4_cidr', from: '10.20.0.1/24', to: '10.21.0.1/24' },
              { property: 'ipv4_gateway', from: '10.20.0.254', to: '' },
            ],
          },
          { name: 'ens256.30', changed: [{ property: 'ipv4_cidr', from: '10.30.0.1/24', to: '10.31.0.1/24' }] },
        ],
        refreshed_units: [],
      },
    });
    const row = (await api('GET', physical('ens224'))).body;
    expect(row).toMatchObject({ ipv4_cidr: '10.21.0.1/24', mtu: 1400, ipv4_gateway: '', revision: revision + 1 });
    expect((await api('GET', physical('ens192'))).body.mtu).toBe(1450);
  });

  test('once more it writes nothing and says so', async () => {
    const revision = (await api('GET', physical('ens224'))).body.revision;
    const heard = await api('POST', ADOPT);
    expect([heard.status, heard.body.interfaces]).toEqual([200, []]);
    expect((await api('GET', physical('ens224'))).body.revision).toBe(revision);
    expect(await page()).toContain('what the host has is saved already');
  });

  test('an apply ends the drift', async () => {
    await saved('PATCH', physical('ens192'), { mtu: 1500 });
    await applied({});
    expect(await report()).toMatchObject({ state: 'none', lines: [] });
    expect((await house.audited()).filter((action) => action.startsWith('drift'))).toEqual([
      'drift.found',
      'drift.adopt',
      'drift.adopt',
      'drift.gone',
    ]);
    expect((await api('POST', ADOPT)).status).toBe(409);
  });

  test('what is in the way of an edit today refuses it, whatever was applied', async () => {
    await saved('PATCH', physical('ens224'), { mode: 'trunk' });
    hand.link('ens224').ipv4_cidrs = ['10.22.0.1/24'];
    expect(blockers(await api('POST', ADOPT))).toEqual([
      expect.stringContaining('A trunk carries no role and no addresses of its own'),
    ]);
    const [vlan] = (await api('GET', '/api/v1/vlans')).body.items;
    expect((await api('DELETE', `/api/v1/vlans/${vlan.id}`)).status).toBe(204);
    hand.link('ens256.30').mtu = 1400;
    expect(blockers(await api('POST', ADOPT))).toContain(
      'Interface ens256.30: It is not among the saved interfaces any more.',
    );
  });
});
