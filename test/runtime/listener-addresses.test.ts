// Which management listeners are in force: told by what was applied, and by a change that waits for its confirmation. And a
// saved network that leaves none is not applied, however it came to be saved.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppliedAddresses } from '../../runtime/listener-addresses.ts';
import { deadlineIn, type WindowRecord } from '../../shared/appliance/apply/window/record.ts';
import { removeWindow, writeWindow } from '../../shared/appliance/apply/window/record-file.ts';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import { type Credentials, House, LINKS } from '../setup/house.ts';

const PHYSICAL = '/api/v1/interfaces/physical';
const PLANS = '/api/v1/apply/plans';
const SAVED = { role: 'access', ipv4_cidr: '10.20.0.1/24', enabled: true, access_management_ui_enabled: true };
const NO_LISTENER = "UPDATE interface SET role = 'route' WHERE role = 'management'";

let house: House;
let admin: Credentials;
let links: ObservedLink[];
/** Called at each step of an apply. */
let atStep: (step: string) => unknown;

beforeEach(async () => {
  links = LINKS;
  atStep = () => undefined;
  house = await House.open({
    host: (rehearsal) => ({ ...rehearsal, links: async () => links }),
    services: { checkpoint: async (step) => void (await atStep(step)) },
  });
  admin = await house.actor();
  await send('PATCH', '/api/v1/firewall/settings', { enabled: false });
});

afterEach(() => house.close());

const send = (method: string, path: string, body?: unknown) =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });
const plan = async () => (await send('POST', PLANS, { units: ['network'] })).body;

async function submit({ id, digest }: { id: string; digest: string }) {
  const heard = await send('POST', `${PLANS}/${id}/submit`, { digest });
  await house.appliance.runner.idle();
  const { state, job_id } = (await send('GET', `${PLANS}/${id}`)).body;
  const error = job_id === null ? null : (await send('GET', `/api/v1/jobs/${job_id}`)).body.error;
  return { status: heard.status, code: heard.body.error_code, detail: heard.body.detail, state, error };
}

const applyNetwork = async () => expect((await submit(await plan())).state).toBe('applied');

/** Past every rule of an edit, as a restored or mended database would have it. */
const straight = (statement: string) => house.services.store.write((tx) => tx.run(statement));
const network = () => house.services.store.one("SELECT * FROM unit_state WHERE unit = 'network'");

test('nothing until the first apply; after it what was applied, whatever is saved since', async () => {
  const applied = new AppliedAddresses(house.services);
  expect(await applied.read()).toBeNull();
  await applyNetwork();
  expect(await applied.read()).toEqual(['10.10.0.5', 'fd00:10::5']);
  expect((await send('PATCH', `${PHYSICAL}/ens224`, SAVED)).status).toBe(200);
  expect(await applied.read()).toEqual(['10.10.0.5', 'fd00:10::5']);
  await applyNetwork();
  expect(await applied.read()).toEqual(['10.10.0.5', 'fd00:10::5', '10.20.0.1']);
  await send('PATCH', `${PHYSICAL}/ens224`, { access_management_ui_enabled: false });
  await applyNetwork();
  expect(await applied.read()).toEqual(['10.10.0.5', 'fd00:10::5']);
});

test('during a confirm window of the network the addresses of before and after', async () => {
  const applied = new AppliedAddresses(house.services);
  await applyNetwork();
  await send('PATCH', `${PHYSICAL}/ens224`, SAVED);
  const folder = join(house.data, 'apply');
  const record: WindowRecord = {
    ...deadlineIn(120),
    plan_id: 'plan_x',
    state: 'armed',
    touched: [],
    nonce_sha256: '',
    units: ['network'],
    enforced_uptime_ms: null,
    arrived_at: '',
    listeners: ['10.20.0.1'],
    ended: null,
  };
  const both = ['10.10.0.5', 'fd00:10::5', '10.20.0.1'];
  const before = both.slice(0, 2);
  const cases: [Partial<WindowRecord>, string[]][] = [
    [{}, both],
    [{ state: 'confirmed' }, both],
    [{ state: 'reverting' }, both],
    [{ state: 'unreverted' }, both],
    [{ state: 'reverted' }, before],
    [{ units: ['firewall'] }, before],
  ];
  for (const [differs, addresses] of cases) {
    await writeWindow(folder, { ...record, ...differs });
    expect([differs, await applied.read()]).toEqual([differs, addresses]);
  }
  // Left behind by a service that was killed right after its plan had ended.
  const ended = await house.services.store.one<{ id: string }>('SELECT id FROM plan WHERE finished_at IS NOT NULL');
  await writeWindow(folder, { ...record, plan_id: ended!.id, state: 'confirmed' });
  expect(await applied.read()).toEqual(before);
  await removeWindow(folder);
  expect(await applied.read()).toEqual(before);
});

test('an address that the network gave is the one of this moment', async () => {
  await send('PATCH', `${PHYSICAL}/ens192`, { ipv4_method: 'dhcp', ipv6_enabled: false });
  await applyNetwork();
  links = LINKS.map((link) => (link.name === 'ens192' ? { ...link, ipv4_cidrs: ['10.10.0.99/24'] } : link));
  expect(await new AppliedAddresses(house.services).read()).toEqual(['10.10.0.99']);
});

test('a saved network without a listener does not pass the plan, however it came to be', async () => {
  await applyNetwork();
  await straight(NO_LISTENER);
  const made = await plan();
  expect(made.units[0].check).toMatchObject({ ok: false });
  expect(made.units[0].check.faults.join()).toMatch(/No effective management UI listener/);
  expect(await submit(made)).toMatchObject({ status: 409, state: 'open' });
});

test('nor the submit, if it came to be after a plan that was good, unnoticed', async () => {
  await applyNetwork();
  await send('PATCH', `${PHYSICAL}/ens224`, SAVED);
  const made = await plan();
  const before = await network();
  await straight("UPDATE interface SET enabled = 0 WHERE role IN ('management', 'access')");
  await straight(`UPDATE unit_state SET desired_version = ${before?.desired_version} WHERE unit = 'network'`);
  const refused = await submit(made);
  expect(refused).toMatchObject({ status: 409, code: 'state_conflict', state: 'open' });
  expect(refused.detail).toMatch(/No effective management UI listener/);
  expect(await network()).toEqual(before);
});

test.each([
  ['prepare', 'failed'],
  // By then the unit holds what it enforces and checks: the rest is only saved, and not in force.
  ['network:stage', 'applied'],
])('nor the apply itself, if it came to be at its step %s: the plan is %s', async (when, outcome) => {
  await applyNetwork();
  const applied = new AppliedAddresses(house.services);
  const listening = await applied.read();
  await send('PATCH', `${PHYSICAL}/ens192`, { mtu: 1400 });
  const made = await plan();
  atStep = (step) => step === when && straight(NO_LISTENER);
  const { status, state, error } = await submit(made);
  expect([status, state]).toEqual([202, outcome]);
  if (outcome === 'failed') expect(error.detail).toMatch(/No effective management UI listener/);
  expect(await applied.read()).toEqual(listening);
});
