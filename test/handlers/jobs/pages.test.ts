// Jobs in the browser: who sees them, and who may stop one.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { queueJob } from '../../../shared/kernel/jobs/job.ts';
import { type Credentials, House, type Send } from '../../setup/house.ts';

const UI = '/ui/management';
let house: House;
let viewer: Credentials;
let networker: Credentials;

beforeAll(async () => {
  house = await House.open();
  viewer = await house.actor('viewer', undefined, 'vera');
  networker = await house.actor('network-admin', undefined, 'nils');
});
afterAll(() => house.close());

/** Sends, and answers with the audit events that this wrote. */
async function send(method: string, path: string, what: Send = {}) {
  const before = await house.lastAudit();
  const heard = await house.send(method, path, what);
  return { ...heard, audited: await house.audited(before) };
}

describe('jobs in the browser', () => {
  const queued = () =>
    house.services.store.write((tx) =>
      queueJob(tx, new Date(), house.services.entropy, {
        kind: 'unknown-kind',
        subject: null,
        input: {},
        created_by: 'ada',
        tasks: [{ name: 'one', title: 'Do <one> thing' }],
      }),
    );

  test('a queued job is listed, shown, and stopped; afterwards the button says why not', async () => {
    const id = await queued();
    expect((await house.send('GET', `${UI}/jobs?state=queued`, { session: viewer })).text).toContain(id);
    expect((await house.send('GET', `${UI}/jobs?state=failed`, { session: viewer })).text).not.toContain(id);
    const shown = await house.send('GET', `${UI}/jobs/${id}`, { session: networker });
    expect(shown.text).toContain('Do &lt;one> thing');
    expect(shown.text).toContain('data-live="jobs"');
    const stopped = await send('POST', `${UI}/jobs/${id}/cancel`, { session: networker });
    expect(stopped.status).toBe(303);
    expect(stopped.audited).toEqual(['job.cancel']);
    await house.appliance.runner.idle();
    const after = await house.send('GET', `${UI}/jobs/${id}`, { session: networker });
    expect(after.text).toContain('it has ended');
    const twice = await send('POST', `${UI}/jobs/${id}/cancel`, { session: networker });
    expect(twice.status).toBe(409);
    expect(twice.text).toContain('The job was not asked to stop');
  });

  test('who may not stop a job reads why', async () => {
    const id = await queued();
    expect((await house.send('GET', `${UI}/jobs/${id}`, { session: viewer })).text).toContain('not stop them');
    expect((await send('POST', `${UI}/jobs/${id}/cancel`, { session: viewer })).status).toBe(403);
  });
});
