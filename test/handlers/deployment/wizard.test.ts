// The wizard that deploys a service manager, walked as a browser without script does: what is offered, what is refused at
// which field, and what a change in between does to what was chosen.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LAB } from '../../fakes/vsphere-lite.ts';
import { DEPLOY, OVA, putOva, SECRETS, sentBy, walkOn, walkTo } from '../../setup/deployment-scene.ts';
import { optionsOf, Walk } from '../../setup/wizard-walk.ts';
import { faults, jobsOf, onlyOva, passwords, vsphere, wizardScene } from './wizard-scene.ts';

const scene = wizardScene();

describe('which OVA', () => {
  test('none in the depot: the page says so and leads there', async () => {
    rmSync(scene.folder, { recursive: true });
    const walk = await new Walk(scene.house, scene.admin).open(DEPLOY);
    expect(walk.words).toContain('The offline depot has no OVA of a service manager');
    expect(walk.html).toContain('href="/ui/management/offline-depot"');
    expect(walk.html).not.toContain('aria-label="Credential"');
  });

  test('one that is no OVA is shown with its fault and can’t be chosen; the newest sound one is', async () => {
    writeFileSync(join(scene.folder, 'VCF-SDDC-Manager-Appliance-9.2.0.0.25000000.ova'), 'no tar');
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'appliance');
    expect(walk.html).toMatch(/value="VCF-SDDC-Manager-Appliance-9\.2[^>]* disabled/);
    expect(sentBy(walk, 'Appliance').file).toBe(OVA);
    await walk.send('Appliance', { file: 'VCF-SDDC-Manager-Appliance-9.2.0.0.25000000.ova', eula: 'yes' });
    expect([walk.shown.status, walk.step, Object.keys(faults(walk))]).toEqual([422, 'appliance', ['file']]);
  });

  test.each(['../../../etc/passwd', 'gone.ova', ''])(
    'a file that is not there, %p, is refused at its field',
    async (file) => {
      const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'appliance');
      await walk.send('Appliance', { file, eula: 'yes' });
      expect([walk.shown.status, walk.step, Object.keys(faults(walk))]).toEqual([422, 'appliance', ['file']]);
    },
  );

  test('of two with different agreements each is shown by name, and the one of the chosen counts', async () => {
    const other = 'VCF-SDDC-Manager-Appliance-9.0.2.0.24700000.ova';
    await putOva(scene.house.services, { eula: 'Terms of the other one.' }, other);
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'appliance');
    expect(walk.words).toContain(`License agreement of ${other}`);
    expect(walk.words).toContain('Terms of the other one.');
    await walk.send('Appliance', { file: other, name: 'sddc01' });
    expect(faults(walk)).toEqual({ eula: 'Read the license agreement of the chosen OVA and accept it.' });
    await walk.send('Appliance', { eula: 'yes' });
    expect([walk.step, walk.words.includes(other)]).toEqual(['placement', false]);
  });

  test('an agreement that came between showing and sending is shown before it is accepted', async () => {
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'appliance');
    await onlyOva(scene, { eula: 'Terms that nobody saw.' });
    await walk.send('Appliance', { eula: 'yes' });
    expect(faults(walk).eula).toContain('was not shown yet');
    expect(walk.words).toContain('Terms that nobody saw.');
    await walk.send('Appliance', { eula: 'yes' });
    expect(walk.step).toBe('placement');
  });

  test('of long agreements only those that have room are shown, and each before it is accepted', async () => {
    const other = 'VCF-SDDC-Manager-Appliance-9.0.0.0.24000000.ova';
    await putOva(scene.house.services, { eula: `Of the one. ${'x'.repeat(300_000)}` });
    await putOva(scene.house.services, { eula: `Of the other. ${'y'.repeat(300_000)}` }, other);
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'appliance');
    expect([walk.html.includes('Of the one.'), walk.html.includes('Of the other.')]).toEqual([true, false]);
    await walk.send('Appliance', { file: other, name: 'sddc01', eula: 'yes' });
    expect(faults(walk).eula).toContain('was not shown yet');
    expect([walk.html.includes('Of the one.'), walk.html.includes('Of the other.')]).toEqual([false, true]);
  });

  test('one without an agreement asks for none', async () => {
    await onlyOva(scene, { eula: null });
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'appliance');
    expect(walk.html).not.toContain('name="eula"');
    await walk.send('Appliance');
    expect(walk.step).toBe('placement');
  });

  test.each([
    [
      'replaced',
      () => putOva(scene.house.services, { disks: [{ size: 8192 }] }),
      'is another one than was chosen here',
    ],
    ['gone', async () => rmSync(join(scene.folder, OVA)), 'does not exist'],
    ['broken', async () => writeFileSync(join(scene.folder, OVA), 'no tar'), 'no tar archive'],
  ])('%s in the depot between two steps: nothing goes on before it is chosen again', async (_what, change, said) => {
    await putOva(
      scene.house.services,
      { eula: 'Terms of the other one.' },
      'VCF-SDDC-Manager-Appliance-9.0.2.0.24700000.ova',
    );
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    const before = await jobsOf(scene);
    await change();
    await walk.send('Deploy', passwords(fake));
    expect([walk.shown.status, walk.step, await jobsOf(scene)]).toEqual([409, 'appliance', before]);
    expect(walk.words).toContain(said);
    expect(walk.words).toContain('choose the OVA again');
    // What was said about the other one is not taken over.
    await walk.send('Appliance', { eula: 'yes', file: 'VCF-SDDC-Manager-Appliance-9.0.2.0.24700000.ova' });
    expect(walk.step).toBe('placement');
    const { server, trust, draft } = sentBy(walk, 'Placement');
    await walk.open(
      `${DEPLOY}?${new URLSearchParams({ step: 'review', server: server!, trust: trust!, draft: draft! })}`,
    );
    expect(walk.step).toBe('placement');
  });
});

describe('the name', () => {
  test('of a machine that exists is refused at its field, however it is written', async () => {
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'appliance');
    await walk.send('Appliance', { name: 'VC01', eula: 'yes' });
    expect(faults(walk).name).toContain('There is a machine named vc01 already');
  });

  test('that one of two data centers has is refused where that one is chosen', async () => {
    const fake = await vsphere({ datacenters: [LAB, { ...SECOND, machines: ['other'] }] });
    const walk = await walkTo(scene.house, scene.admin, fake, 'placement', { appliance: { name: 'vc01' } });
    await walk.send('Placement', PLACED);
    expect(faults(walk).pool_id).toContain('has a machine named vc01 already');
    await walk.send('Placement', { pool_id: 'domain-c2-pool', host_id: 'host-8', datastore_id: 'ds-8', net0: 'net-8' });
    expect(walk.step).toBe('properties');
  });

  test('that came to exist since is refused by the look before the deployment', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    fake.datacenters = [{ ...LAB, machines: ['sddc01'] }];
    const before = await jobsOf(scene);
    await walk.send('Deploy', passwords(fake));
    expect([walk.shown.status, walk.step, await jobsOf(scene)]).toEqual([409, 'review', before]);
    expect(walk.html).toMatch(/<a href="#check-name">Name of the virtual machine: /);
    expect(walk.html).toMatch(/<li id="check-name"[\s\S]*?step=appliance[^>]*>Go to Appliance/);
  });
});

const SECOND = {
  id: 'datacenter-2',
  name: 'Site B',
  compute: [
    {
      id: 'domain-c2',
      name: 'edge',
      cluster: { drs: false },
      hosts: [
        { id: 'host-8', name: 'esx81.lab.example' },
        { id: 'host-9', name: 'esx82.lab.example', maintenance: true },
      ],
      pools: [
        { id: 'pool-9', name: 'prod' },
        { id: 'pool-10', name: 'web', in: 'pool-9' },
        { id: 'vapp-1', name: 'an app', vapp: true },
      ],
    },
  ],
  datastores: [
    { id: 'ds-8', name: 'vmfs-81' },
    { id: 'ds-9', name: 'vmfs-82', accessible: false },
  ],
  networks: [
    { id: 'net-8', name: 'VM Network' },
    { id: 'net-9', name: 'uplinks', uplink: true },
  ],
  folders: [{ id: 'group-v5', name: 'infrastructure' }],
};
const PLACED = { pool_id: 'domain-c1-pool', host_id: '', datastore_id: 'datastore-1', net0: 'network-1' };

describe('where it goes', () => {
  test('a lone ESX host has one of everything: chosen already, and no host to choose', async () => {
    const walk = await walkTo(scene.house, scene.admin, await vsphere({ kind: 'esxi' }), 'placement');
    expect(sentBy(walk, 'Placement')).toMatchObject({
      ...{ pool_id: 'ha-compute-res-pool', host_id: '', datastore_id: 'ds-1', net0: 'HaNetwork-VM Network' },
    });
    expect(walk.html).not.toMatch(/<select[^>]*name="host_id"/);
    await walk.send('Placement');
    expect(walk.step).toBe('properties');
  });

  test('two data centers: grouped; uplinks and vApps are not offered, pools within pools are', async () => {
    const walk = await walkTo(scene.house, scene.admin, await vsphere({ datacenters: [LAB, SECOND] }), 'placement');
    expect(walk.html).toMatch(/<optgroup label="Site A">[\s\S]*<optgroup label="Site B">/);
    expect(optionsOf(walk.html, 'net0')).toEqual(['', 'network-1', 'net-8']);
    expect(optionsOf(walk.html, 'pool_id')).toEqual(['', 'domain-c1-pool', 'domain-c2-pool', 'pool-9', 'pool-10']);
    expect(walk.words).toContain('edge: prod/web');
  });

  test.each([
    ['nothing chosen', { pool_id: '', datastore_id: '', net0: '' }, ['pool_id']],
    ['a cluster without DRS and no host', { pool_id: 'pool-10', datastore_id: 'ds-8', net0: 'net-8' }, ['host_id']],
    [
      'a host in maintenance',
      { pool_id: 'pool-9', host_id: 'host-9', datastore_id: 'ds-8', net0: 'net-8' },
      ['host_id'],
    ],
    ['a host of another cluster', { ...PLACED, host_id: 'host-8' }, ['host_id']],
    [
      'a datastore and a network of the other side',
      { ...PLACED, datastore_id: 'ds-8', net0: 'net-8' },
      ['datastore_id', 'net0'],
    ],
    ['a datastore that is not there', { ...PLACED, datastore_id: 'ds-77' }, ['datastore_id']],
    ['an uplink', { ...PLACED, net0: 'net-9' }, ['net0']],
    ['a folder of the other side', { ...PLACED, folder_id: 'group-v5' }, ['folder_id']],
    ['a size that the OVF does not have', { ...PLACED, deployment_option: 'huge' }, ['deployment_option']],
  ] as [string, Record<string, string>, string[]][])(
    '%s is said at the field, and what was typed stays',
    async (_what, typed, fields) => {
      const walk = await walkTo(scene.house, scene.admin, await vsphere({ datacenters: [LAB, SECOND] }), 'placement');
      await walk.send('Placement', typed);
      expect([walk.shown.status, walk.step]).toEqual([422, 'placement']);
      // A size that is none has no field of its own here.
      const shown = Object.keys(faults(walk));
      expect(shown).toEqual(fields.filter((field) => field !== 'deployment_option'));
      expect(sentBy(walk, 'Placement').datastore_id).toBe(typed.datastore_id === 'ds-77' ? '' : typed.datastore_id);
    },
  );

  test('a datastore that no host with the network sees is refused', async () => {
    const apart = {
      ...LAB.compute[0]!,
      hosts: [
        { id: 'host-1', name: 'esx01.lab.example', networks: [] },
        { id: 'host-2', name: 'esx02.lab.example', datastores: [] },
      ],
    };
    const walk = await walkTo(
      scene.house,
      scene.admin,
      await vsphere({ datacenters: [{ ...LAB, compute: [apart] }] }),
      'placement',
    );
    await walk.send('Placement', PLACED);
    expect(faults(walk).datastore_id).toBe('No host of management sees this datastore and all these networks.');
  });

  test('what went since it was read is found by the look before the deployment', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    fake.datacenters = [{ ...LAB, datastores: [{ id: 'datastore-5', name: 'vsan-05' }] }];
    await walk.send('Deploy', passwords(fake));
    expect([walk.shown.status, walk.words.includes('The datastore is not there any more.')]).toEqual([409, true]);
  });

  test('names are text, whatever they hold', async () => {
    const bad = '<img src=x onerror=alert(1)>"\'&amp;';
    const host = { id: 'host-1', name: bad };
    const site = { ...LAB, name: bad, compute: [{ id: 'c', name: bad, cluster: { drs: true }, hosts: [host] }] };
    const fake = await vsphere({
      datacenters: [
        { ...site, datastores: [{ id: 'd', name: bad }], networks: [{ id: 'n', name: bad }], machines: [bad] },
      ],
    });
    const property = { key: 'k', type: 'string', label: bad, description: bad, value: bad };
    await onlyOva(scene, {
      eula: bad,
      networks: [{ name: bad, description: bad }],
      properties: [{ categories: { [bad]: [property, { ...property, key: 's', password: true }] } }],
      options: [{ id: 'o', label: bad, description: bad }],
    });
    const walk = await walkTo(scene.house, scene.admin, fake, 'appliance');
    for (const step of ['placement', 'properties', 'after', 'review'] as const) {
      await walkOn(walk, fake, step);
      expect([step, walk.html.includes('<img')]).toEqual([step, false]);
    }
    await walk.send('Deploy', { s1: 'A secret-of-the-OVF', password: fake.account.password });
    expect([walk.html.includes('<img'), walk.words.includes(bad)]).toEqual([false, true]);
  });
});

describe('properties', () => {
  const OPTIONS = [
    { id: 'small', label: 'Small', description: '', default: true },
    { id: 'large', label: 'Large', description: '' },
  ];

  test('have the defaults of the chosen size; another size takes along what was nobody’s choice', async () => {
    const of = (key: string) => ({ key, type: 'int', by_option: { small: '2', large: '8' } });
    await onlyOva(scene, { options: OPTIONS, properties: [{ categories: { '': [of('cpus'), of('disks')] } }] });
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'properties');
    expect(sentBy(walk, 'Properties')).toMatchObject({ p0: '2', p1: '2' });
    await walk.send('Properties', { p1: '5' });
    const { server, trust, draft } = sentBy(walk, 'After the start');
    const place = new URLSearchParams({ step: 'placement', server: server!, trust: trust!, draft: draft! });
    await walk.open(`${DEPLOY}?${place}`);
    await walk.send('Placement', { deployment_option: 'large' });
    expect(sentBy(walk, 'Properties')).toMatchObject({ p0: '8', p1: '5' });
  });

  test('one family needs nothing of the other: what may stay empty stays empty', async () => {
    const ip = (key: string) => ({ key, type: 'string', vmw_qualifiers: 'Ip' });
    await onlyOva(scene, {
      properties: [{ categories: { Network: [ip('ip0'), ip('ipv6_0'), { key: 'n', type: 'uint8' }] } }],
    });
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'properties');
    await walk.send('Properties', { p0: '', p1: 'fd00::x', p2: '256' });
    expect(faults(walk)).toEqual({ p1: 'Enter an IPv4 or IPv6 address.', p2: 'Enter at most 255.' });
    await walk.send('Properties', { p1: 'fd00::15', p2: '255' });
    expect(walk.step).toBe('after');
  });

  test('three hundred of them', async () => {
    const many = Array.from({ length: 300 }, (_none, at) => ({ key: `key${at}`, type: 'string', value: `v${at}` }));
    await onlyOva(scene, { properties: [{ categories: { '': many } }] });
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'properties');
    await walk.send('Properties', { p299: 'x'.repeat(1000) });
    await walkOn(walk, fake, 'review');
    expect(walk.words).toContain('280 more');
    // Nothing of them says a name to look up, which is a warning.
    const password = fake.account.password;
    await walk.send('Deploy', { password });
    const [, accept_warnings = ''] = /name="accept_warnings"[^>]*value="([^"]*)"/.exec(walk.html)!;
    await walk.send('Deploy', { password, accept_warnings });
    expect(walk.at).toMatch(/tasks\/job_/);
  });

  test('what needs the machine to be on is refused without it, at its field', async () => {
    const walk = await walkTo(scene.house, scene.admin, await vsphere(), 'after');
    await walk.send('After the start', { power_on: null, depot: 'yes', trust_root: 'yes' });
    expect(faults(walk)).toEqual({
      ...{
        trust_root: 'This needs the machine to be switched on.',
        depot: 'This needs the machine to be switched on.',
      },
    });
  });
});

test('after a new login of the same session the fields hold what was chosen before, and nothing is taken as sent', async () => {
  const fake = await vsphere({ datacenters: [LAB, SECOND] });
  const placement = { pool_id: 'pool-9', host_id: 'host-8', datastore_id: 'ds-8', net0: 'net-8' };
  const ways = { appliance: { name: 'sddc77' }, placement, after: { dns: 'yes' } };
  await walkTo(scene.house, scene.admin, fake, 'review', ways);
  const walk = await walkTo(scene.house, scene.admin, fake, 'appliance');
  expect(sentBy(walk, 'Appliance')).toMatchObject({ name: 'sddc77' });
  expect(sentBy(walk, 'Appliance')).not.toHaveProperty('eula');
  await walk.send('Appliance', { eula: 'yes' });
  expect(sentBy(walk, 'Placement')).toMatchObject(placement);
  await walk.send('Placement');
  expect(Object.values(sentBy(walk, 'Properties'))).toContain('sddc01.lab.test');
  await walk.send('Properties');
  expect(sentBy(walk, 'After the start')).toMatchObject({ power_on: 'yes', dns: 'yes' });
  // Of nobody else.
  const other = await walkTo(scene.house, scene.service, fake, 'appliance');
  expect(sentBy(other, 'Appliance').name).toBe('sddc-manager');
});

describe('the review', () => {
  test('what is missing stands at its field; no password comes back', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review', { after: { depot: 'yes', trust_root: 'yes' } });
    expect(walk.words).not.toContain('Enter every password once more');
    await walk.send('Deploy', { s0: 'short', password: fake.account.password });
    expect(faults(walk)).toEqual({
      ...{ s0: 'Enter at least 15 characters.', s1: 'Enter at least 15 characters.' },
      depot_password: 'Enter the password of the depot.',
    });
    expect(walk.words).toContain('Root user password: Enter at least 15 characters.');
    expect(walk.words).toContain('Enter every password once more');
    expect(sentBy(walk, 'Deploy')).toMatchObject({ s0: '', s1: '', password: '', depot_password: '' });
  });

  test('checked only: nothing is queued, what was looked at is shown, and passwords are asked for again', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    const before = await jobsOf(scene);
    await walk.post(`${DEPLOY}/check`, Object.entries({ ...sentBy(walk, 'Deploy'), ...passwords(fake) }));
    expect([walk.step, await jobsOf(scene)]).toEqual(['review', before]);
    expect(walk.words).toMatch(/\d+ things looked at: all as it has to be/);
    expect(walk.words).toContain('Enter every password once more');
    expect(sentBy(walk, 'Deploy')).toMatchObject({ s0: '', s1: '', password: '' });
  });

  test('a warning is told, linked, accepted as it is; another one asks again', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    fake.ahead_ms = 100_000;
    await walk.send('Deploy', passwords(fake));
    expect([walk.shown.status, Object.keys(faults(walk))]).toEqual([409, ['accept_warnings']]);
    const mark = /name="accept_warnings"[^>]*value="([^"]*)"/.exec(walk.html)![1]!;
    fake.datacenters = [{ ...LAB, datastores: [{ ...LAB.datastores[0]!, free: 2 ** 30 }] }];
    const before = await jobsOf(scene);
    await walk.send('Deploy', { ...passwords(fake), accept_warnings: mark });
    expect([walk.shown.status, await jobsOf(scene)]).toEqual([409, before]);
    expect(walk.words).toContain('Free space');
    fake.ahead_ms = 0;
    fake.datacenters = [LAB];
    await walk.send('Deploy', passwords(fake));
    expect([walk.at.includes('/tasks/job_'), await jobsOf(scene)]).toEqual([true, before + 1]);
  });

  test('a wrong password of the depot leads to its field', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review', { after: { depot: 'yes', trust_root: 'yes' } });
    await walk.send('Deploy', { ...passwords(fake), depot_password: 'not that of the depot' });
    expect([walk.shown.status, walk.step]).toEqual([409, 'review']);
    expect(walk.html).toMatch(/id="check-depot-extra"[\s\S]*<a href="#depot_password">Go to the password/);
  });

  test('a look whose answer was not waited for does not make the review another one', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    const sent = Object.entries({ ...sentBy(walk, 'Deploy'), ...passwords(fake) });
    await walk.post(`${DEPLOY}/check`, sent);
    await walk.post(`${DEPLOY}/deploy`, sent);
    expect(walk.at).toContain('/tasks/job_');
  });

  test('of another tab’s choices is not what is done', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    const sent = { ...sentBy(walk, 'Deploy'), ...passwords(fake) };
    const { server, trust, draft } = sentBy(walk, 'Deploy');
    const other = new Walk(scene.house, scene.admin);
    await other.open(
      `${DEPLOY}?${new URLSearchParams({ step: 'after', server: server!, trust: trust!, draft: draft! })}`,
    );
    await other.send('After the start', { power_on: null });
    const before = await jobsOf(scene);
    await walk.post(`${DEPLOY}/deploy`, Object.entries(sent));
    expect([walk.shown.status, walk.step, await jobsOf(scene)]).toEqual([409, 'review', before]);
    expect(walk.words).toContain('left switched off');
  });

  test('a login that is refused now, and a certificate that changed, queue nothing', async () => {
    const fake = await vsphere();
    const walk = await walkTo(scene.house, scene.admin, fake, 'review');
    const before = await jobsOf(scene);
    await walk.send('Deploy', { ...SECRETS, password: 'not this one, surely' });
    expect([walk.shown.status, await jobsOf(scene)]).toEqual([409, before]);
    fake.changeCertificate();
    await walk.send('Deploy', passwords(fake));
    expect(await jobsOf(scene)).toBe(before);
    expect(walk.shown.status).toBe(409);
  });
});
