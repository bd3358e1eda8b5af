// The schedule of archives and its targets, over the API and on their pages.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { PASSWORD } from '../../setup/house.ts';
import { newHostKey } from '../../setup/ssh-host-key.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const SCHEDULE = '/api/v1/archives/schedule';
const TARGETS = `${SCHEDULE}/targets`;
const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

/** A folder of the appliance. */
async function folder({ api, house, next }: Scene): Promise<Given> {
  const path = join(house.data, 'copies', `of-${next()}`);
  const { body } = await api('POST', TARGETS, { name: `folder ${next()}`, kind: 'folder', path });
  return { target_id: body.id, path, name: body.name };
}

let port: Promise<number> | null = null;

/** A machine that shows its host key, and lets nobody in. */
const hostKeyPort = (): Promise<number> =>
  new Promise((resolve) => {
    const { private: key } = newHostKey();
    const server = new ssh2.Server({ hostKeys: [key] }, (client) => void client.on('error', () => undefined));
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    server.unref();
  });

async function sftp({ api, next }: Scene): Promise<Given> {
  port ??= hostKeyPort();
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  const place = { host: '127.0.0.1', port: await port, username: 'lab', path: 'archives', password: 'of nobody' };
  const { body } = await api('POST', TARGETS, { name: `sftp ${next()}`, kind: 'sftp', ...place });
  const seen = await api('POST', `${TARGETS}/${body.id}/look-at-host-key`);
  return { target_id: body.id, host_key_sha256: seen.body.host_key_sha256 };
}

/** No more targets than there may be, no exception for loopback, and nothing that still runs. */
async function remove({ house, api }: Scene): Promise<void> {
  await house.appliance.runner.idle();
  await house.services.store.write((tx) => tx.run('DELETE FROM archive_target'));
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
}

async function runnable(scene: Scene): Promise<Given> {
  await scene.api('PATCH', SCHEDULE, { recipients: [RECIPIENT] });
  return folder(scene);
}

export const ARCHIVE_SCHEDULE: Scenarios = {
  getArchiveSchedule: {},
  updateArchiveSchedule: { audit: ['archive.schedule.update'], statements: 9 },
  updateArchiveScheduleForm: {
    send: () => ({
      form: {
        ...{ every: 'weekly', weekday: 'monday', at: '03:30', recipients: RECIPIENT, own_password: PASSWORD },
        ...{ keep_last: '3', keep_daily: '0', keep_weekly: '4', keep_monthly: '0' },
      },
    }),
    audit: ['archive.schedule.update'],
    statements: 18,
  },
  runArchiveSchedule: { given: runnable, audit: ['archive.schedule.run'], after: remove, statements: 18 },
  runArchiveScheduleForm: { given: runnable, audit: ['archive.schedule.run'], after: remove, statements: 18 },

  listArchiveTargets: { given: folder, after: remove },
  getArchiveTarget: { given: folder, after: remove },
  createArchiveTarget: { audit: ['archive.target.create'], after: remove },
  updateArchiveTarget: { given: folder, audit: ['archive.target.update'], after: remove },
  deleteArchiveTarget: { given: folder, audit: ['archive.target.delete'], after: remove },
  testArchiveTarget: { given: folder, audit: ['archive.target.test'], after: remove },
  lookAtArchiveTargetHostKey: { given: sftp, audit: ['archive.target.look'], after: remove, statements: 18 },
  confirmArchiveTargetHostKey: {
    given: sftp,
    audit: ['archive.target.trust'],
    after: remove,
    statements: 18,
  },

  createArchiveTargetForm: {
    given: async ({ house, next }) => ({ path: join(house.data, 'copies', `of-${next()}`) }),
    send: ({ path }) => ({ form: { name: 'folder', kind: 'folder', path: path!, enabled: 'true' } }),
    audit: ['archive.target.create'],
    after: remove,
  },
  updateArchiveTargetForm: {
    given: folder,
    send: ({ path, name }) => ({ form: { name: name!, kind: 'folder', path: path! } }),
    audit: ['archive.target.update'],
    after: remove,
  },
  deleteArchiveTargetForm: { given: folder, audit: ['archive.target.delete'], after: remove },
  testArchiveTargetForm: { given: folder, audit: ['archive.target.test'], after: remove },
  lookAtArchiveTargetHostKeyForm: {
    given: sftp,
    status: 200,
    audit: ['archive.target.look'],
    after: remove,
    statements: 22,
  },
  confirmArchiveTargetHostKeyForm: {
    given: sftp,
    send: ({ host_key_sha256 }) => ({ form: { host_key_sha256: host_key_sha256! } }),
    audit: ['archive.target.trust'],
    after: remove,
    statements: 18,
  },

  archiveSchedulePage: { given: folder, after: remove },
  editArchiveSchedulePage: {},
  newArchiveTargetPage: {},
  archiveTargetPage: { given: folder, after: remove },
  editArchiveTargetPage: { given: folder, after: remove },
  deleteArchiveTargetPage: { given: folder, after: remove },
};
