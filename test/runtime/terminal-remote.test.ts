// A terminal to another machine: by an entry of a vault, to a machine whose host key was confirmed, and to no other.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { listRecordings, openRecording } from '../../shared/services/web-terminal/recording/recordings.ts';
import { MACHINE_PASSWORD, MACHINE_USER, SshMachine } from '../fakes/ssh-machine.ts';
import { type Credentials, PASSWORD } from '../setup/house.ts';
import { TerminalScene, TICKET_PATH } from '../setup/terminal-scene.ts';
import { until } from '../setup/until.ts';

const SIZE = { columns: 80, rows: 24 };
const PAGE = TICKET_PATH.replace(/\/ticket$/, '');

let scene: TerminalScene;
let admin: Credentials;
let machine: SshMachine;
let entry: { vault_id: string; id: string };
const lines: string[] = [];

beforeAll(async () => {
  scene = await TerminalScene.open({}, { log: (line) => void lines.push(line) });
  machine = await new SshMachine().start();
  admin = await scene.house.actor('admin');
  const vault = await api('POST', '/api/v1/vaults', { name: 'machines' });
  entry = await api('POST', `/api/v1/vaults/${vault.id}/entries`, {
    ...{ key: 'esx01.root', username: MACHINE_USER, value: MACHINE_PASSWORD },
    uris: [`ssh://127.0.0.1:${machine.port}`],
  });
});
beforeEach(async () => {
  admin = await scene.house.actor('admin');
  await scene.apply({ sessions: 16 });
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  machine.given.length = 0;
});
afterAll(async () => {
  await machine.stop();
  await scene.close();
});

async function api(method: string, path: string, body: unknown) {
  const heard = await scene.house.send(method, path, { token: admin.token, body });
  if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
  return heard.body;
}

async function choice(): Promise<string> {
  const { text } = await scene.house.send('GET', PAGE, { session: admin });
  return new RegExp(`value="(${entry.id}\\.[0-9a-f]+)"`).exec(text)?.[1] ?? '';
}

const post = (step: string, form: Record<string, string>, who = admin) =>
  scene.house.send('POST', `${PAGE}/${step}`, { session: who, headers: { accept: 'application/json' }, form });

async function confirmed(): Promise<string> {
  const target = await choice();
  const { body } = await post('look-at-host-key', { target });
  expect(body).toMatchObject({ server: `127.0.0.1:${machine.port}`, sha256: machine.fingerprint });
  const done = await post('confirm-host-key', { target, sha256: body.sha256, own_password: PASSWORD });
  expect([done.status, done.body.sha256]).toEqual([200, machine.fingerprint]);
  return target;
}

/** A ticket for the other machine, shown. */
async function entered(target: string) {
  const { ticket } = await scene.ticket(admin, { account: '', target });
  const client = await scene.connect(admin);
  client.tell({ type: 'ticket', ticket, ...SIZE });
  return client;
}

async function useCount(): Promise<number> {
  const rows = await scene.house.services.store.all<{ detail: string }>(
    "SELECT detail FROM audit_event WHERE action = 'vault.entry.use' AND resource_id = ?",
    [entry.id],
  );
  return rows.filter(({ detail }) => JSON.parse(detail).purpose === 'web-terminal').length;
}

test('before its host key is confirmed nothing goes there, and the value is not opened', async () => {
  const target = await choice();
  const client = await entered(target);
  expect(await client.closed()).toBe(4416);
  expect(client.said.at(-1)).toMatchObject({ type: 'closing', says: expect.stringMatching(/not confirmed yet/) });
  expect([machine.given, await useCount()]).toEqual([[], 0]);
  const other = `SHA256:${'A'.repeat(43)}`;
  // A session alone confirms nothing.
  const alone = await post('confirm-host-key', { target, sha256: machine.fingerprint });
  expect(alone.status).toBe(422);
  const wrong = await post('confirm-host-key', { target, sha256: other, own_password: PASSWORD });
  expect([wrong.status, wrong.body.error_code]).toEqual([409, 'host_key_changed']);
});

test('confirmed, its shell opens without a question: the value is opened for this connection, recorded, and never shown', async () => {
  const before = await useCount();
  const client = await entered(await confirmed());
  await client.next('ready');
  expect(client.said.some(({ type }) => type === 'prompt')).toBe(false);
  const channel = machine.channels.at(-1)!;
  channel.write('hello from there');
  await until(() => client.text.includes('hello from there'));
  client.ws.send(Buffer.from('ls\n'));
  let typed = '';
  channel.on('data', (bytes: Buffer) => (typed += bytes));
  await until(() => typed === 'ls\n');
  client.tell({ type: 'end' });
  await client.closed();
  await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.close');
  const rows = await scene.audited();
  expect(rows.at(-1)!.detail).toMatchObject({
    account: MACHINE_USER,
    target: `127.0.0.1:${machine.port}`,
    entry_id: entry.id,
  });
  expect([await useCount(), machine.given]).toEqual([before + 1, [MACHINE_PASSWORD]]);
  const everything =
    JSON.stringify(rows) + lines.join('') + scene.house.heard.map(({ answer }) => answer.body).join('');
  expect(everything).not.toContain(MACHINE_PASSWORD);
});

test('a machine that shows another host key is refused with both fingerprints, and is sent nothing', async () => {
  const target = await confirmed();
  const former = machine.fingerprint;
  await machine.stop();
  await machine.start();
  const client = await entered(target);
  expect(await client.closed()).toBe(4416);
  const { says } = client.said.at(-1) as { says: string };
  expect([says.includes(former), says.includes(machine.fingerprint)]).toEqual([true, true]);
  expect(machine.given).toEqual([]);
  await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.refuse');
  expect((await scene.audited()).at(-1)!.detail).toMatchObject({ cause: 'remote', problem: 'host_key_changed' });
});

test('the policy of remote machines holds; a wrong value, a changed address and another role open nothing', async () => {
  const target = await confirmed();
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
  const client = await entered(target);
  expect(await client.closed()).toBe(4416);
  await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.refuse');
  expect((await scene.audited()).at(-1)!.detail).toMatchObject({ problem: 'target_refused' });
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  const path = `/api/v1/vaults/${entry.vault_id}/entries/${entry.id}`;
  await api('PATCH', path, { value: 'canary wrong' });
  expect(await (await entered(target)).closed()).toBe(4416);
  await api('PATCH', path, { value: MACHINE_PASSWORD, uris: ['ssh://127.0.0.1:1'] });
  expect((await scene.ticket(admin, { account: '', target })).status).toBe(404);
  await api('PATCH', path, { uris: [`ssh://127.0.0.1:${machine.port}`] });
  const service = await scene.house.actor('service-admin');
  expect((await post('look-at-host-key', { target }, service)).status).toBe(403);
  expect((await scene.ticket(service, { account: '', target })).status).toBe(403);
  expect((await scene.ticket(admin, { account: 'operator', target: '' })).status).toBe(200);
  expect((await scene.ticket(admin, { account: '', target: '' })).status).toBe(422);
});

test('a machine that asks by PAM is answered by the same value', async () => {
  const asking = await new SshMachine(['keyboard-interactive']).start();
  const path = `/api/v1/vaults/${entry.vault_id}/entries/${entry.id}`;
  const { port, fingerprint } = machine;
  try {
    await api('PATCH', path, { uris: [`ssh://127.0.0.1:${asking.port}`] });
    machine.port = asking.port;
    machine.fingerprint = asking.fingerprint;
    const client = await entered(await confirmed());
    await client.next('ready');
    expect(asking.given).toEqual([MACHINE_PASSWORD]);
    client.tell({ type: 'end' });
    await client.closed();
  } finally {
    machine.port = port;
    machine.fingerprint = fingerprint;
    await asking.stop();
    await api('PATCH', path, { uris: [`ssh://127.0.0.1:${port}`] });
  }
});

test('a machine that lets in and opens no shell is let go with the page', async () => {
  const target = await confirmed();
  await until(() => machine.connections === 0);
  const before = machine.asked;
  machine.mute = true;
  try {
    const client = await entered(target);
    await until(() => machine.asked === before + 1);
    client.ws.close();
    await until(() => machine.connections === 0);
    await until(async () => (await scene.audited()).at(-1)?.action === 'terminal.refuse');
    expect((await scene.audited()).at(-1)!.detail).toMatchObject({ problem: 'remote_answer_unusable' });
  } finally {
    machine.mute = false;
  }
});

test('a machine that keeps to no window is hung up on before it fills the memory', async () => {
  const client = await entered(await confirmed());
  await client.next('ready');
  const channel = machine.channels.at(-1)! as unknown as {
    outgoing: { window: number };
    write(bytes: Buffer): boolean;
  };
  channel.outgoing.window = Number.MAX_SAFE_INTEGER;
  // The page says of none of it that it was drawn. Odd pieces step over the one window that the library looks for, 0.
  channel.write(Buffer.from('x'));
  for (let at = 0; at < 12; at += 1) channel.write(Buffer.alloc(1 << 20, 'x'));
  expect(await client.closed()).toBe(1000);
  await until(() => machine.connections === 0);
});

test('who was signed out between handshake and ticket opens no value', async () => {
  const target = await confirmed();
  const before = await useCount();
  const { ticket } = await scene.ticket(admin, { account: '', target });
  const client = await scene.connect(admin);
  await scene.house.services.store.write((tx) => tx.run('DELETE FROM session WHERE user_id = ?', [admin.user.id]));
  client.tell({ type: 'ticket', ticket, ...SIZE });
  expect(await client.closed()).toBe(4401);
  expect([await useCount(), machine.given]).toEqual([before, []]);
});

test('a recording names the other machine', async () => {
  await scene.apply({ sessions: 16, recording: { days: 30, megabytes: 64 } });
  const client = await entered(await confirmed());
  await client.next('ready');
  client.tell({ type: 'end' });
  await client.closed();
  const { services } = scene.house;
  const newest = async () => (await listRecordings(services, { limit: 1 })).items[0];
  await until(async () => (await newest())?.state === 'complete');
  const found = (await newest())!;
  expect(found).toMatchObject({ account: MACHINE_USER, machine: `127.0.0.1:${machine.port}` });
  const { text } = await openRecording(services, found.id);
  expect(JSON.parse(text.split('\n')[0]!).title).toMatch(`${MACHINE_USER} at 127.0.0.1:${machine.port}, by `);
});

test('an entry whose user name was changed since the ticket opens no shell as somebody else', async () => {
  const target = await confirmed();
  const { ticket } = await scene.ticket(admin, { account: '', target });
  const path = `/api/v1/vaults/${entry.vault_id}/entries/${entry.id}`;
  await api('PATCH', path, { username: 'somebody' });
  try {
    const client = await scene.connect(admin);
    client.tell({ type: 'ticket', ticket, ...SIZE });
    expect(await client.closed()).toBe(4416);
    expect(client.said.at(-1)).toMatchObject({ says: expect.stringMatching(/user name .* was changed/) });
    expect(machine.given).toEqual([]);
  } finally {
    await api('PATCH', path, { username: MACHINE_USER });
  }
});
