// The web terminal: the ticket for its WebSocket, and recordings.
import { listSshCredentials } from '../../../shared/platform/vaults/credentials.ts';
import { MANIFEST_PATH } from '../../../shared/services/web-terminal/files.ts';
import { writeManifest } from '../../../shared/services/web-terminal/manifest.ts';
import { Recorder } from '../../../shared/services/web-terminal/recording/recorder.ts';
import { keptUntil } from '../../../shared/services/web-terminal/recording/recordings.ts';
import { beginIn } from '../../../shared/services/web-terminal/remote-files/uploading.ts';
import { visitsOf } from '../../../shared/services/web-terminal/remote-files/visits.ts';
import { SftpFiles } from '../../fakes/sftp-files.ts';
import { MACHINE_PASSWORD, SshMachine } from '../../fakes/ssh-machine.ts';
import { PASSWORD } from '../../setup/house.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const IN_FORCE = writeManifest({
  version: 1,
  listeners: [{ interface: 'ens192', address: '127.0.0.1' }],
  idle_minutes: 15,
  session_minutes: 60,
  sessions: 4,
  sessions_per_user: 1,
});

let machine: Promise<SshMachine> | null = null;

/** A machine that shows its host key; an entry of a vault leads to it. */
const host: NonNullable<Scenario['given']> = async ({ house, api, next }) => {
  machine ??= new SshMachine().start();
  const { port, fingerprint } = await machine;
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  await house.services.host.write({ path: MANIFEST_PATH, content: IN_FORCE, mode: 0o640 });
  const vault = await api('POST', '/api/v1/vaults', { name: `terminal-${next()}` });
  const uris = [`ssh://127.0.0.1:${port}`];
  const draft = { key: 'esx01.root', username: 'root', value: MACHINE_PASSWORD, uris };
  const { body } = await api('POST', `/api/v1/vaults/${vault.body.id}/entries`, draft);
  const all = await listSshCredentials(house.services.store);
  return { target: all.find(({ entry_id }) => entry_id === body.id)!.choice, sha256: fingerprint };
};

/** No exception for loopback. */
const unallowed: Scenario['after'] = async ({ api }) => {
  await (await machine)?.stop();
  machine = null;
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
};

const OVER = { local: '127.0.0.1', remote: '127.0.0.1' };

/** The host key of the machine is confirmed; its files are in memory. */
const confirmed: NonNullable<Scenario['given']> = async (scene) => {
  const given = await host(scene);
  const { target, sha256 } = given;
  const form = { target: target!, sha256: sha256!, own_password: PASSWORD };
  const path = '/ui/management/web-terminal/shell/confirm-host-key';
  const headers = { accept: 'application/json' };
  const { status, text } = await scene.house.send('POST', path, { session: scene.admin, headers, form });
  if (status !== 200) throw new Error(text);
  const [key] = (await scene.api('GET', '/api/v1/web-terminal/host-keys')).body.items;
  return { ...given, host_key_id: key.id };
};

const visited: NonNullable<Scenario['given']> = async (scene) => {
  const { target } = await confirmed(scene);
  (await machine)!.sftp = new SftpFiles().serve;
  const form = { target: target!, own_password: PASSWORD };
  const path = '/ui/management/web-terminal/files';
  const opened = await scene.house.send('POST', path, { session: scene.admin, form, over: OVER });
  const visit_id = opened.headers.location?.split('/').at(-1);
  if (visit_id === undefined) throw new Error(opened.text);
  // What its browser shows beside the session.
  const cookies = `${scene.admin.cookie}; ${opened.cookies[0]!.split(';')[0]}`;
  return { visit_id, cookies, csrf: scene.admin.csrf };
};

const within = ({ cookies, csrf }: Given) => ({ session: { cookie: cookies!, csrf: csrf! }, over: OVER });

async function sessionOf({ house, admin }: Scene): Promise<string> {
  const sql = 'SELECT id_hash FROM session WHERE user_id = ? ORDER BY rowid DESC';
  return (await house.services.store.one<{ id_hash: string }>(sql, [admin.user.id]))!.id_hash;
}

const left: Scenario['after'] = async (scene, given) => {
  await visitsOf(scene.house.services).stop();
  await unallowed!(scene, given);
};

const recorded: Scenario['given'] = async ({ house, admin }) => {
  const { services } = house;
  const started_at = services.clock.now().toISOString();
  const whose = { user_id: admin.user.id, user: admin.user.name, account: 'operator', source_address: '10.10.0.7' };
  const kept_until = keptUntil(services.clock.now(), { days: 30, megabytes: 64 });
  const head = { ...whose, started_at, kept_until, columns: 80, rows: 24 };
  const recorder = await Recorder.begin(services, head, 1_000_000);
  recorder.printed(Buffer.from('printed'));
  await recorder.end('ended');
  return { recording_id: recorder.id };
};

export const WEB_TERMINAL: Scenarios = {
  openTerminalForm: {
    given: async ({ house }) => {
      await house.services.host.write({ path: MANIFEST_PATH, content: IN_FORCE, mode: 0o640 });
      return {};
    },
    send: () => ({
      form: { account: 'operator', own_password: PASSWORD },
      over: { local: '127.0.0.1', remote: '127.0.0.1' },
    }),
    audit: ['terminal.ticket'],
  },
  lookAtTerminalHostKeyForm: {
    given: host,
    send: ({ target }) => ({ form: { target: target! } }),
    audit: ['terminal.host_key.look'],
    after: unallowed,
    statements: 18,
  },
  confirmTerminalHostKeyForm: {
    given: host,
    send: ({ target, sha256 }) => ({ form: { target: target!, sha256: sha256!, own_password: PASSWORD } }),
    audit: ['terminal.host_key.trust'],
    after: unallowed,
    statements: 18,
  },
  listTerminalHostKeys: {},
  deleteTerminalHostKey: { given: confirmed, audit: ['terminal.host_key.forget'], after: unallowed },
  deleteTerminalHostKeyForm: { given: confirmed, audit: ['terminal.host_key.forget'], after: unallowed },
  deleteTerminalHostKeyPage: { given: confirmed, after: unallowed },
  openTerminalFilesForm: {
    given: async (scene) => {
      const given = await confirmed(scene);
      (await machine)!.sftp = new SftpFiles().serve;
      return given;
    },
    unseen: {},
    send: ({ target }) => ({ form: { target: target ?? 'nothing', own_password: PASSWORD }, over: OVER }),
    audit: ['vault.entry.use', 'terminal.files.open'],
    after: left,
    statements: 24,
  },
  closeTerminalFilesForm: {
    given: visited,
    send: () => ({ form: {}, over: OVER }),
    audit: ['terminal.files.close'],
    after: left,
    statements: 8,
  },
  terminalVisitPage: { given: visited, send: within, after: left },
  beginTerminalUploadForm: {
    given: visited,
    send: (given) => ({ ...within(given), form: { folder: '/', name: 'a', size_bytes: '1' } }),
    audit: ['terminal.file.upload'],
    after: left,
    statements: 9,
  },
  uploadTerminalPieceForm: {
    given: async (scene) => {
      const given = await visited(scene);
      const visits = visitsOf(scene.house.services);
      const visit = visits.find(given.visit_id!, await sessionOf(scene));
      const begin = { folder: '/', name: 'a', size_bytes: 1, replace: false };
      const { entropy } = scene.house.services;
      const asker = { ...visit.facts.visitor, request_id: 'req_given' };
      const { id } = await beginIn({ visits, visit, asker, entropy }, begin);
      return { ...given, upload_id: id };
    },
    query: '?offset=0',
    send: (given) => ({
      ...within(given),
      raw: 'x',
      headers: { 'content-type': 'application/octet-stream', 'x-csrf-token': given.csrf! },
    }),
    audit: ['terminal.file.uploaded'],
    after: left,
    statements: 9,
  },
  uploadTerminalFileForm: {
    given: visited,
    send: (given) => ({
      ...within(given),
      form: { folder: '/', name: 'a', file: Buffer.from('x').toString('base64') },
    }),
    audit: ['terminal.file.upload', 'terminal.file.uploaded'],
    after: left,
    statements: 12,
  },
  deleteTerminalRecording: {
    given: recorded,
    send: () => ({ body: { own_password: PASSWORD } }),
    audit: ['terminal.recording.delete'],
    // As of a form, and the name of the token's user.
    statements: 14,
  },
  deleteTerminalRecordingForm: {
    given: recorded,
    send: () => ({ form: { own_password: PASSWORD } }),
    audit: ['terminal.recording.delete'],
  },
  openTerminalRecordingForm: {
    given: recorded,
    send: () => ({ form: { purpose: 'replay', own_password: PASSWORD } }),
    audit: ['terminal.recording.replay'],
  },
  terminalRecordingPage: { given: recorded },
  deleteTerminalRecordingPage: { given: recorded },
};
