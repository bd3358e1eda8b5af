// What the tests of plans and of drift share: an appliance of their own each, and applies over its API.
import { afterEach, expect } from '@jest/globals';
import { type Credentials, type Heard, House, type HouseOptions } from '../../setup/house.ts';

export const PLANS = '/api/v1/apply/plans';
/** Of the test that runs; set by open(). */
export let house: House;
export let admin: Credentials;
let opened = false;

afterEach(async () => {
  if (opened) await house.close();
  opened = false;
});

export async function open(options: HouseOptions = {}): Promise<void> {
  house = await House.open(options);
  opened = true;
  admin = await house.actor('admin', undefined, 'alice');
}

export const api = (method: string, path: string, body?: unknown): Promise<Heard> =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });

export async function saved(...edits: [method: string, path: string, body: unknown][]): Promise<void> {
  for (const [method, path, body] of edits) {
    const heard = await api(method, path, body);
    expect([heard.status < 300, heard.text]).toEqual([true, heard.text]);
  }
}

/** Submits a plan and waits for its job. */
export async function submitted(plan: { id: string; digest: string }, note = 'over the API'): Promise<Heard> {
  const heard = await api('POST', `${PLANS}/${plan.id}/submit`, { digest: plan.digest, note });
  await house.appliance.runner.idle();
  return heard;
}

/** A plan that went through. Answers its id. */
export async function applied(body: object = {}): Promise<string> {
  const { body: plan } = await api('POST', PLANS, body);
  expect((await submitted(plan)).status).toBe(202);
  const { body: ended } = await api('GET', `${PLANS}/${plan.id}`);
  const { error } = (await api('GET', `/api/v1/jobs/${ended.job_id}`)).body;
  expect([ended.state, error]).toEqual(['applied', null]);
  return plan.id;
}

export const reasons = ({ body }: Heard) =>
  body.units.map(({ id, reason }: { id: string; reason: string }) => [id, reason]);
