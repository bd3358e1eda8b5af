// A failed apply says why: step, unit, file, what the system said, and under which id the log has more.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Host } from '../../../shared/ground/machine/host.ts';
import { admin, api, house, open, PLANS, saved, submitted } from './apply-scene.ts';

const page = async (path: string) =>
  (await house.send('GET', path, { session: admin })).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

async function failed() {
  const { body: plan } = await api('POST', PLANS, {});
  const spoil = join(house.data, 'host/rehearsal/etc/systemd');
  rmSync(spoil, { recursive: true, force: true });
  mkdirSync(dirname(spoil), { recursive: true });
  writeFileSync(spoil, '');
  await submitted(plan);
  const { body: ended } = await api('GET', `${PLANS}/${plan.id}`);
  return { plan: ended, job: (await api('GET', `/api/v1/jobs/${ended.job_id}`)).body };
}

test('a folder that is a file is named with the unit and the words of the system', async () => {
  await open();
  await saved(['PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens192'] }]);
  const { plan, job } = await failed();
  expect(plan.state).toBe('failed');
  expect(job.error).toMatchObject({
    error_code: 'host_refused',
    request_id: job.id,
    failed: { unit: 'network', file: expect.stringMatching(/^\/etc\/systemd\/network\//) },
  });
  expect(job.error.detail).toMatch(
    /^Network failed while .*: \/etc\/systemd\/network\/\S+: not a directory \(ENOTDIR\)\. Nothing was applied\.$/,
  );
  expect(job.tasks.find(({ name }: { name: string }) => name === 'network').log.at(-1)).toMatchObject({
    ok: false,
    text: expect.stringContaining('not a directory (ENOTDIR)'),
  });
  const text = await page(`/ui/management/appliance-apply/${plan.id}`);
  expect(text).toContain('Nothing was applied');
  expect(text).not.toContain('Nothing was saved');
  expect(text).toContain(`Request id ${job.id}`);
  expect(text).toMatch(/\d units? not reached/);
  expect(text.match(/still saved and pending/g)).toHaveLength(1);
  expect(await page(`/ui/management/jobs/${job.id}`)).toContain('not a directory (ENOTDIR)');
});

test('a host that a review can’t read is named at the review', async () => {
  await open();
  const spoil = join(house.data, 'host/rehearsal/etc');
  rmSync(spoil, { recursive: true, force: true });
  mkdirSync(dirname(spoil), { recursive: true });
  writeFileSync(spoil, '');
  const { status, body } = await api('POST', PLANS, {});
  expect([status, body.error_code]).toEqual([409, 'host_refused']);
  expect(body.detail).toContain('not a directory (ENOTDIR)');
});

test('what was never meant for people stays in the service log', async () => {
  const broken = (rehearsal: Host): Host => ({
    ...rehearsal,
    write: async () => {
      throw new TypeError('internal words');
    },
  });
  await open({ host: broken });
  const { body: plan } = await api('POST', PLANS, {});
  await submitted(plan);
  const { job_id } = (await api('GET', `${PLANS}/${plan.id}`)).body;
  const { error } = (await api('GET', `/api/v1/jobs/${job_id}`)).body;
  expect(error.error_code).toBe('unexpected_failure');
  expect(error.detail).toMatch(/^Network failed while writing its files: unexpectedly\. .* Nothing was applied\.$/);
  expect(error.detail).not.toContain('internal words');
});
