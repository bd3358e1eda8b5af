// The appliance as a whole: Debian with Groundcrew installed by its own script boots in software emulation, and an operator
// on the management wire signs in, sets it up, applies, and then does to it what happens to machines: the service dies, the
// machine restarts, the power goes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newIdentity } from '../../shared/ground/age/x25519.ts';
import { systemEntropy } from '../../shared/ground/clock.ts';
import { debianBase } from './base.ts';
import { Booting, bootable, MENU, shippedProgram } from './booting.ts';
import { DepotClient } from './depot.ts';
import { makeMaterial } from './hostile-house.ts';
import { extractImage, type Image } from './image.ts';
import { type ApplianceLab, makeApplianceLab } from './lab.ts';
import { Machine, pause } from './machine.ts';
import { Operator } from './operator.ts';
import { Plans } from './plans.ts';
import { type Guest, switchOnGuest } from './tagged-guest.ts';
import { ASK, as, besiege, plantAttack, SURROUNDINGS, TRICKS } from './taken-over.ts';

/**
 * Milliseconds after which something is taken to hang. No pace is judged by them: in software emulation, on a slow machine
 * with other things to do, a step takes ten times what it takes on an idle one.
 */
const BOOT = 600_000;
const STEP = 400_000;
const WHOLE = 1_800_000;
/** The second machine on the trunk. */
const GUEST = { mac: '52:54:00:99:00:03', address: '10.20.0.50' };
/** A machine that boots over the network, and the secret in what it would install. */
const ESX = { hostname: 'esx01', mac: '52:54:00:99:00:04', secret: 'CanaryRootPasswordQWZX' };
const MANIFEST = '/etc/groundcrew/network-boot/manifest.json';
/** Of the places that a hostile text can have, each so many-th: the others are tried on paper. */
const EVERY = Number(process.env.HOSTILE_EVERY ?? 24);
/** What starts the machine once more: one power cut is tried always, the others by `npm run long`. */
const longTest = process.env.RESTARTS === 'all' ? test : () => undefined;
const SCOPES = 'interfaces vlans firewall dns dhcp ntp ca depot pxe apply jobs settings archives vaults'
  .split(' ')
  .map((scope) => `write:${scope}`);
/** Whose archives of the appliance are. */
const OWNER = newIdentity(systemEntropy);
/** Where the archive of the machine that is lost lies on the next one. */
const FORMER = '/opt/former';

let image: Image;
let lab: ApplianceLab;
let appliance: Machine;
let guest: Guest;
let booting: Booting;
let depot: DepotClient;
let operator: Operator;
let plans: Plans;
let disk: string;
let record: { id: string };
let vlan: { id: string };
let password = '';
/** An archive of the first apply, base64, and the root certificate that was made before it. */
let archive = '';
let root = '';
const began = performance.now();
const times: string[] = [];

/** Says when something was reached, for whoever wants the suite to be quicker. */
const note = (what: string): void => void times.push(`${((performance.now() - began) / 1000).toFixed(1)} s ${what}`);

function switchOn(): Machine {
  const { management, trunk, data } = lab.taps;
  return new Machine({
    namespace: lab.namespace,
    kernel: image.kernel,
    initrd: image.initrd,
    parameters: 'root=/dev/vda rw systemd.show_status=0',
    disk,
    memory_mb: 1024,
    processors: 2,
    cards: [management, trunk, data].map((tap, at) => ({ tap, mac: `52:54:00:99:01:0${at}` })),
    shell: `${disk}.shell`,
    limit: WHOLE,
  });
}

beforeAll(async () => {
  const base = debianBase();
  note(base.seconds > 0 ? `Debian base made in ${base.seconds} s` : 'Debian base taken from the cache');
  image = extractImage(base.archive);
  const installed = image.install('--management', 'enp0s8=10.99.0.1/24');
  if (installed.code !== 0) throw new Error(installed.said);
  plantAttack(image.system, await makeMaterial(image.system, SURROUNDINGS, EVERY));
  disk = image.disk('disk.img');
  note('disk made');
  lab = makeApplianceLab();
  operator = new Operator(lab.namespace, 'https://10.99.0.1');
  plans = new Plans(operator, STEP, failures);
  depot = new DepotClient(lab, operator, { interface: 'enp0s10', address: '10.30.0.1' });
  appliance = switchOn();
  guest = switchOnGuest(lab, image, { shell: `${disk}.guest`, mac: GUEST.mac, limit: WHOLE });
  booting = new Booting(guest.machine, '10.20.0.1');
}, WHOLE);

afterAll(async () => {
  operator?.close();
  depot?.remove();
  for (const machine of [guest?.machine, appliance]) if (machine?.running) await machine.cutPower();
  guest?.remove();
  lab?.remove();
  image?.remove();
  console.log(times.join('\n'));
}, STEP);

/** What the log says went wrong, for the report of a failing test. */
function failures(): string {
  const lines = appliance.console.split('\n').filter((line) => /ERROR|enforce|watchdog|rollback|panic/.test(line));
  return lines.slice(-20).join('\n');
}

const asked = (): string => lab.run('dig', '+short', '+time=1', '+tries=1', `@10.99.0.1`, 'vc01.lab.example', 'A');

/** Waits until the name has this address. */
async function answers(address: string, limit: number): Promise<number> {
  const since = performance.now();
  for (;;) {
    const got = asked();
    const took = performance.now() - since;
    if (got === address) return took;
    if (took > limit) throw new Error(`vc01.lab.example is ${got}, not ${address}, after ${limit / 1000} s`);
    await pause(200);
  }
}

async function hears(pattern: RegExp, limit = STEP): Promise<void> {
  const from = guest.machine.console.length;
  for (const until = performance.now() + limit; performance.now() < until; await pause(100)) {
    if (pattern.test(guest.machine.console.slice(from))) return;
  }
  throw new Error(`the guest did not say ${pattern}: ${guest.machine.console.slice(-400)}`);
}

test(
  'it boots, and the password that it shows once lets the operator in',
  async () => {
    await operator.reaches(BOOT);
    note('first answer');
    [, password = ''] = await appliance.shows(/with this password, then change it:[\s\S]*?\]: {3,}(\S{20})\s/, STEP);
    await operator.signIn(password, SCOPES);
    const { items } = await operator.expect('GET', '/api/v1/interfaces/physical');
    expect(items.map(({ name, role, ipv4_cidr }: Record<string, string>) => [name, role, ipv4_cidr])).toEqual([
      ['enp0s10', 'unused', ''],
      ['enp0s8', 'management', '10.99.0.1/24'],
      ['enp0s9', 'unused', ''],
    ]);
  },
  BOOT + STEP,
);

test(
  'what is set up over REST is applied, confirmed and answered',
  async () => {
    await operator.expect('PATCH', '/api/v1/interfaces/physical/enp0s9', { mode: 'trunk', enabled: true });
    const link = { parent_interface: 'enp0s9', vlan_id: 20, ipv4_cidr: '10.20.0.1/24', role: 'access', enabled: true };
    vlan = await operator.expect('POST', '/api/v1/vlans', link);
    await operator.expect('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['enp0s8'] });
    await operator.expect('POST', '/api/v1/dns/zones', { name: 'lab.example' });
    const name = { fqdn: 'vc01.lab.example', type: 'A', value: '10.20.0.10' };
    record = await operator.expect('POST', '/api/v1/dns/records', name);
    await operator.expect('PATCH', '/api/v1/dhcp/settings', { enabled: true });
    const ranges = [{ start: '10.20.0.100', end: '10.20.0.199' }];
    const scope = { name: 'lab', interface: 'enp0s9.20', subnet_cidr: '10.20.0.0/24', ranges };
    await operator.expect('POST', '/api/v1/dhcp/scopes', scope);
    const card = { hostname: 'guest', mac_address: GUEST.mac, ip_address: GUEST.address };
    await operator.expect('POST', '/api/v1/dhcp/reservations', card);
    const time = { enabled: true, listen_interfaces: ['enp0s8'], local_stratum: 10 };
    await operator.expect('PATCH', '/api/v1/ntp/settings', time);
    await bootable(operator, 'enp0s9.20', ESX);
    await depot.setUp(8443);
    note('set up');
    await plans.apply();
    note('first apply');
    expect(asked()).toBe('10.20.0.10');
    ({ sha256: root } = await operator.expect('GET', '/api/v1/certificate-authority/root'));
    const encryption = { encryption: 'recipients', recipients: [OWNER.recipient] };
    const { id } = await operator.expect('POST', '/api/v1/archives', encryption);
    archive = await appliance.inside(`base64 -w0 /var/lib/groundcrew/data/archives/${id}.gcarchive`);
    note('an archive of it');
  },
  2 * STEP,
);

test(
  'a second machine on the trunk gets its reserved address, and an answer from the address of the VLAN',
  async () => {
    const [said] = await guest.machine.shows(/guest: has .*/, STEP);
    expect(said.trim()).toBe(`guest: has ${GUEST.address}/24 from 10.20.0.1`);
    await guest.machine.shows(/10\.20\.0\.1 answers/, STEP);
    note('the guest has its answer');
    const { items } = await operator.expect('GET', '/api/v1/dhcp/leases');
    expect(items).toMatchObject([{ ip_address: GUEST.address, mac_address: GUEST.mac }]);
  },
  2 * STEP,
);

test(
  'a machine of the VLAN gets first boot programs and a menu, and nobody gets more by asking',
  async () => {
    for (const name of ['undionly.kpxe', 'snponly.efi'])
      expect([name, await booting.tftp(name)]).toEqual([name, shippedProgram(image.system, name)]);
    expect(await booting.tftp(`../../../..${MANIFEST}`)).toMatch(/server error/);
    expect(await booting.menu(ESX.mac)).toMatch(MENU);
    const known = `/boot/kickstarts/01-${ESX.mac.replaceAll(':', '-')}`;
    for (const path of [`${known}/${'0'.repeat(64)}/${'A'.repeat(43)}.cfg`, '/api/v1/network-boot/esxi-hosts'])
      expect([path, await booting.http(path)]).toEqual([path, expect.stringContaining('404 Not Found')]);
    // It listens nowhere else.
    const listening = await appliance.inside("ss -Hltn 'sport = :8081'");
    expect(listening.split('\n')).toEqual([expect.stringMatching(/ 10\.20\.0\.1:8081 /)]);
    expect(await appliance.inside(`stat -c '%a %U:%G' ${MANIFEST}; grep -c ${ESX.secret} ${MANIFEST}`)).toBe(
      '640 root:groundcrew\n0',
    );
    const reads = (user: string) => `setpriv --reuid=${user} --regid=nogroup --clear-groups cat ${MANIFEST}`;
    const tried = await appliance.inside(`${reads('nobody')}; ${reads('dnsmasq')}`);
    expect(tried.match(/Permission denied/g)).toHaveLength(2);
    note('a machine could boot');
  },
  STEP,
);

test(
  'somebody on the wire for data takes a file from the depot, with its login and our root certificate, through the one open port',
  async () => {
    await depot.serves(8443, appliance);
    note('a file came from the depot');
  },
  STEP,
);

test(
  'what only root may see is seen through the root step',
  async () => {
    expect(await operator.expect('GET', '/api/v1/firewall/status')).toMatchObject({ in_force: true, reason: null });
    expect(await operator.expect('GET', '/api/v1/ntp/status')).toMatchObject({ running: true, reason: null });
    const active = 'systemctl is-active groundcrew groundcrew-dnsmasq groundcrew-chronyd systemd-networkd';
    expect(await appliance.inside(active)).toBe('active\nactive\nactive\nactive');
    expect(await appliance.inside('systemctl --failed --no-legend --plain')).toBe('');
    expect(plans.checkedBy.get('network')).toBe('systemd-networkd and groundcrew network rules');
  },
  STEP,
);

test(
  'what somebody does to a link by hand is seen',
  async () => {
    await appliance.inside('ip addr add 10.66.0.1/24 dev enp0s9');
    // The host is compared every few minutes; they pass at once.
    await appliance.inside('date --set "+5 minutes"');
    const compared = async () => {
      const { items } = await operator.expect('GET', '/api/v1/apply/drift');
      return new Map<string, { state: string; lines: string[] }>(
        items.map((item: { unit: string }) => [item.unit, item]),
      );
    };
    let found = await compared();
    for (const until = performance.now() + STEP; performance.now() < until; found = await compared()) {
      if (found.get('network')?.state === 'drifted') break;
      await pause(500);
    }
    const lines = [expect.stringMatching(/^enp0s9 has 10\.66\.0\.1\/24/)];
    expect(found.get('network')).toMatchObject({ state: 'drifted', lines });
    for (const unit of ['dns-dhcp', 'network-boot', 'private-cloud-services'])
      expect([unit, found.get(unit)]).toEqual([unit, expect.objectContaining({ state: 'none', lines: [] })]);
    await appliance.inside('ip addr del 10.66.0.1/24 dev enp0s9; date --set "-5 minutes"');
    note('a change by hand is seen');
  },
  2 * STEP,
);

let windowed: { plan_id: string; since: number };

test(
  'a change waits for its confirmation, and the service dies',
  async () => {
    await operator.expect('PATCH', `/api/v1/dns/records/${record.id}`, { value: '10.20.0.11' });
    await depot.move(443);
    const { plan_id } = await plans.submit({ confirm_timeout: 60 });
    await plans.is(plan_id, ['confirming']);
    windowed = { plan_id, since: performance.now() };
    expect(asked()).toBe('10.20.0.11');
    // The management UI has this port at its own address only.
    await depot.answers(443);
    await appliance.inside('systemctl kill --signal=KILL groundcrew; systemctl stop groundcrew');
    note('a change waits, with the service dead');
  },
  2 * STEP,
);

test(
  'whoever has taken the service over gets no further than the root step lets him',
  async () => {
    expect(await appliance.inside(as('nobody', ASK), STEP)).toBe('EACCES');
    const said = (await appliance.inside(as('groundcrew', ASK), STEP)).split('\n');
    expect(said).toHaveLength(TRICKS.length);
    for (const [at, [request, answer]] of TRICKS.entries())
      expect([request, said[at]]).toEqual([request, expect.stringMatching(answer)]);
    const writes = [
      '/etc/groundcrew/x',
      '/etc/groundcrew/offline-depot/x',
      '/etc/systemd/network/x',
      '/var/lib/groundcrew/x',
      '/var/lib/groundcrew/enforce/apply/x',
    ];
    const tried = await appliance.inside(as('groundcrew', 'touch', ...writes));
    expect(tried.match(/Permission denied/g)).toHaveLength(writes.length);
  },
  STEP,
);

test(
  'the change goes back in time although the service is dead',
  async () => {
    await answers('10.20.0.10', STEP);
    const seconds = ((performance.now() - windowed.since) / 1000).toFixed(1);
    note(`back ${seconds} s after a window of 60 s began`);
    await appliance.inside('systemctl start groundcrew');
    await operator.reaches(BOOT);
    await plans.is(windowed.plan_id, ['reverted']);
    await depot.answers(8443);
    depot.isSilent(443);
    await depot.move(8443);
    note('the service is back');
  },
  BOOT + STEP,
);

longTest(
  'a restart inside the confirm window goes back to the former management address',
  async () => {
    await operator.expect('PATCH', '/api/v1/interfaces/physical/enp0s8', { ipv4_cidr: '10.99.0.3/24' });
    const { plan_id } = await plans.submit({ confirm_timeout: 600 });
    operator.origin = 'https://10.99.0.3';
    await plans.is(plan_id, ['confirming']);
    note('moved to another management address');
    await appliance.inside('systemctl reboot --no-block');
    await appliance.ended(STEP);
    appliance = switchOn();
    operator.origin = 'https://10.99.0.1';
    await operator.reaches(BOOT);
    note('second start');
    await plans.is(plan_id, ['reverted']);
    expect(await appliance.inside('ip -br -4 addr show dev enp0s8')).toMatch(/ 10\.99\.0\.1\/24$/);
    await answers('10.20.0.10', STEP);
    await hears(/10\.20\.0\.1 answers/);
    await depot.answers(8443);
    await operator.expect('PATCH', '/api/v1/interfaces/physical/enp0s8', { ipv4_cidr: '10.99.0.1/24' });
  },
  BOOT + 3 * STEP,
);

/** Cuts the power as soon as a task of the plan's job is at work, and switches the appliance on again. */
async function cutDuring(plan_id: string, task: string): Promise<void> {
  for (const until = performance.now() + STEP; ; await pause(200)) {
    const { job_id } = await operator.expect('GET', `/api/v1/apply/plans/${plan_id}`);
    const { tasks } = await operator.expect('GET', `/api/v1/jobs/${job_id}`);
    const { state } = tasks.find(({ name }: { name: string }) => name === task);
    if (state !== 'queued') {
      note(`power cut while ${task} is ${state}`);
      break;
    }
    if (performance.now() > until) throw new Error(`${task} was never at work`);
  }
  await appliance.cutPower();
  appliance = switchOn();
  await operator.reaches(BOOT);
}

test(
  'a power cut while a change of links and names is being made ends in the former state',
  async () => {
    await operator.expect('PATCH', `/api/v1/vlans/${vlan.id}`, { ipv4_cidr: '10.20.0.5/24' });
    await operator.expect('PATCH', `/api/v1/dns/records/${record.id}`, { value: '10.20.0.12' });
    const { plan_id } = await plans.submit({ confirm_timeout: 600 });
    await cutDuring(plan_id, 'dns-dhcp');
    note('third start');
    await plans.is(plan_id, ['reverted']);
    await answers('10.20.0.10', STEP);
    await hears(/10\.20\.0\.1 answers/);
    // Network boot was to move with the address, and stays as well.
    expect(await booting.menu(ESX.mac)).toMatch(MENU);
    expect(await booting.tftp('undionly.kpxe')).toBe(shippedProgram(image.system, 'undionly.kpxe'));
    await operator.expect('PATCH', `/api/v1/vlans/${vlan.id}`, { ipv4_cidr: '10.20.0.1/24' });
  },
  BOOT + 3 * STEP,
);

longTest(
  'a power cut during an apply that needs no confirmation ends in one of the two states',
  async () => {
    await operator.expect('PATCH', `/api/v1/dns/records/${record.id}`, { value: '10.20.0.13' });
    const { plan_id, nonce } = await plans.submit();
    expect(nonce).toBe('');
    await cutDuring(plan_id, 'dns-dhcp');
    const state = await plans.is(plan_id, ['applied', 'failed']);
    await answers(state === 'applied' ? '10.20.0.13' : '10.20.0.10', STEP);
    note(`the plan is ${state}`);
    expect(await operator.expect('GET', '/api/v1/firewall/status')).toMatchObject({ in_force: true });
    await depot.answers(8443);
  },
  BOOT + 2 * STEP,
);

test(
  'whoever has taken the service over puts hostile databases, plans and files in its place: no command of his runs',
  async () => {
    const { outcome, owned, written, ran } = await besiege(appliance, WHOLE / 2);
    const { done, silent, ...counts } = outcome;
    note(`attacked: ${JSON.stringify({ ...counts, done: done.length })}`);
    expect([silent, done.length > 0, (counts.answers.refused ?? 0) > 80 / EVERY]).toEqual([[], true, true]);
    expect([owned, written]).toEqual([[], []]);
    expect(ran.filter(({ said }) => !said.includes('Permission denied'))).toEqual([]);
  },
  WHOLE,
);

longTest(
  'the machine is lost: another one starts from its archive, and all of it answers as before, below the same root',
  async () => {
    await appliance.cutPower();
    const former = join(image.system, FORMER);
    mkdirSync(former);
    writeFileSync(join(former, 'archive'), Buffer.from(archive, 'base64'));
    writeFileSync(join(former, 'identity'), `${OWNER.identity}\n`);
    disk = image.disk('another.img');
    appliance = switchOn();
    await operator.reaches(BOOT);
    expect(asked()).not.toBe('10.20.0.10');
    const identity = `--identity ${FORMER}/identity`;
    await appliance.inside(`groundcrew archive restore ${FORMER}/archive ${identity} --first-start`, STEP);
    // The accounts of the one that is lost came with it.
    await operator.signIn(password, SCOPES);
    await plans.apply();
    note('and it is in force');
    await answers('10.20.0.10', STEP);
    expect(await booting.menu(ESX.mac)).toMatch(MENU);
    expect(await booting.tftp('undionly.kpxe')).toBe(shippedProgram(image.system, 'undionly.kpxe'));
    await hears(/10\.20\.0\.1 answers/);
    const { items } = await operator.expect('GET', '/api/v1/dhcp/reservations');
    expect(items).toMatchObject([{ mac_address: GUEST.mac, ip_address: GUEST.address }]);
    expect(await operator.expect('GET', '/api/v1/certificate-authority/root')).toMatchObject({ sha256: root });
    // Its login, and its certificate below the root that the client has had all along. Files of the depot are in no archive.
    await depot.serves(8443, appliance);
    expect(await appliance.inside('systemctl --failed --no-legend --plain')).toBe('');
  },
  BOOT + 4 * STEP,
);
