// What tests of the confirm window share: a house in rehearsal, where a window is opened when it is asked for, and a plan
// that waits in one.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { enforcementOf } from '../../shared/appliance/apply/enforcement-of.ts';
import type { WindowRecord } from '../../shared/appliance/apply/window/record.ts';
import { readWindow, writeWindow } from '../../shared/appliance/apply/window/record-file.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import { type Credentials, type Heard, House, type Send } from '../setup/house.ts';

export const PLANS = '/api/v1/apply/plans';
export const PAGE = '/ui/management/appliance-apply';
export const LOOPBACK = { local: '127.0.0.1', remote: '127.0.0.1' };
const MTU = ['PATCH', '/api/v1/interfaces/physical/ens192', { mtu: 9000 }] as const;

export let house: House;
export let admin: Credentials;

export async function open(host?: (rehearsal: Host) => Host): Promise<void> {
  house = await House.open(host ? { host } : {});
  admin = await house.actor('admin', undefined, 'alice');
}

/** The same after a restart. */
export async function openAgain(): Promise<void> {
  house = await House.open({ data: house.data });
}

export const api = (method: string, path: string, body?: unknown, send: Send = {}): Promise<Heard> =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }), ...send });
export const post = (path: string, form: Record<string, string>, send: Send = {}): Promise<Heard> =>
  house.send('POST', path, { session: admin, form, over: LOOPBACK, ...send });
export const look = async (path: string, send: Send = {}): Promise<string> =>
  (await house.send('GET', path, { session: admin, over: LOOPBACK, ...send })).text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
const folder = () => join(house.data, 'apply');
/** Changes the record of the window as its owner would, to what it can't be made to say from outside. */
export async function rewrite(change: Partial<WindowRecord>): Promise<void> {
  await writeWindow(folder(), { ...(await readWindow(folder()))!, ...change });
}
/** Puts this in the place of the record and, unless told otherwise, of its copy. */
export function damage(content: string, { copy = true } = {}): void {
  mkdirSync(folder(), { recursive: true });
  const files = readdirSync(folder()).filter((name) => /^window(-plan_\w+)?\.json$/.test(name));
  for (const name of copy ? files : ['window.json']) writeFileSync(join(folder(), name), content);
}
export const planOf = async (id: string) => (await api('GET', `${PLANS}/${id}`)).body;
export const { until } = {
  async until(what: string, holds: () => Promise<boolean>, limit = 60_000): Promise<void> {
    for (let waited = 0; waited < limit; waited += 50) {
      if (await holds()) return;
      await pause(50);
    }
    throw new Error(`${what}: not within ${limit} ms`);
  },
};
export const inState = (id: string, state: string) =>
  until(`${id} is ${state}`, async () => (await planOf(id)).state === state);
export const windowOf = () => enforcementOf(house.services).window;
export const units = () =>
  house.services.store.all('SELECT unit, desired_version, applied_version, digest, plan_id FROM unit_state');
export const mtu = async () =>
  /MTUBytes=(\d+)/.exec(
    (await house.services.host.read('/etc/systemd/network/40-groundcrew-ens192.network')) ?? '',
  )?.[1];

/** A plan that was applied, an edit after it, and a plan of that, submitted with a window. Answers what the submit said. */
export async function submitted(over = LOOPBACK): Promise<{ plan_id: string; confirm: { nonce: string } }> {
  const first = (await api('POST', PLANS, {})).body;
  await api('POST', `${PLANS}/${first.id}/submit`, { digest: first.digest });
  await house.appliance.runner.idle();
  expect((await planOf(first.id)).state).toBe('applied');
  await api(...MTU);
  const plan = (await api('POST', PLANS, {})).body;
  const answer = await api(
    'POST',
    `${PLANS}/${plan.id}/submit`,
    { digest: plan.digest, confirm_timeout: 60 },
    { over },
  );
  expect([answer.status, answer.body]).toEqual([
    202,
    {
      plan_id: plan.id,
      job_id: expect.any(String),
      confirm: {
        nonce: expect.stringMatching(/^[\w-]{32}$/),
        timeout_seconds: 60,
        addresses: expect.any(Array),
      },
    },
  ]);
  return answer.body;
}

export async function waiting(over = LOOPBACK) {
  const answer = await submitted(over);
  await inState(answer.plan_id, 'confirming');
  return { id: answer.plan_id, nonce: answer.confirm.nonce, before: await house.lastAudit(), states: await units() };
}

export const confirm = (id: string, nonce: string, over: Send['over'] | null = LOOPBACK) =>
  api('POST', `${PLANS}/${id}/confirm`, { nonce }, over ? { over } : {});
