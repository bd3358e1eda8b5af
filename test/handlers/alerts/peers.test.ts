// Real receivers: rsyslog over TLS and aiosmtpd, with what each does when something is wrong.
import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeCertificate } from '../../fakes/tls-target.ts';
import { AlertScene, FAILING, RECEIVERS } from '../../setup/alert-scene.ts';
import { steadyPort } from '../../setup/steady-port.ts';

const PASSWORD = 'c4nary of the mail server';
/** Brings the TLS of rsyslog. */
const GTLS = '/var/lib/dpkg/info/rsyslog-gnutls.list';
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-peers-'));
// GnuTLS of rsyslog reads RSA keys everywhere.
const certificate = makeCertificate({ key: 'rsa:2048' });
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
const children: ChildProcess[] = [];
const servers: Server[] = [];
let scene: AlertScene;

beforeAll(async () => {
  if (!existsSync(GTLS)) throw new Error(`rsyslog speaks no TLS here: ${GTLS} is missing.`);
  writeFileSync(cert, certificate.cert);
  writeFileSync(key, certificate.key);
  scene = await AlertScene.open();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const server of servers) server.close();
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await scene.house.services.store.write(async (tx) => {
    for (const table of ['alert', 'alert_receiver']) await tx.run(`DELETE FROM ${table}`);
  });
});

async function until<T>(look: () => T | null | undefined | false, seconds = 30): Promise<T> {
  for (let waited = 0; waited < seconds * 1000; waited += 50) {
    const found = look();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('It did not come in time.');
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });

async function rsyslog(): Promise<{ port: number; lines(): string[] }> {
  const port = await steadyPort();
  const [log, work] = [join(folder, `log-${port}`), join(folder, `work-${port}`)];
  mkdirSync(work);
  const configuration = `global(workDirectory="${work}" defaultNetstreamDriver="gtls" defaultNetstreamDriverCAFile="${cert}"
  defaultNetstreamDriverCertFile="${cert}" defaultNetstreamDriverKeyFile="${key}")
module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")
input(type="imtcp" port="${port}" address="127.0.0.1" ruleset="remote")
template(name="raw" type="string" string="%rawmsg%\\n")
template(name="read" type="string" string="%syslogfacility-text%|%syslogseverity-text%|%hostname%|%app-name%|%msgid%|%msg%\\n")
ruleset(name="remote") { action(type="omfile" file="${log}" template="read") action(type="omfile" file="${log}.raw" template="raw") }
`;
  writeFileSync(join(folder, `rsyslog-${port}.conf`), configuration);
  const child = spawn(
    'rsyslogd',
    ['-n', '-f', join(folder, `rsyslog-${port}.conf`), '-i', join(folder, `pid-${port}`)],
    {
      stdio: 'ignore',
    },
  );
  children.push(child);
  let up = false;
  await until(() => {
    void listens(port).then((does) => {
      up = does;
    });
    return up;
  });
  return { port, lines: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) };
}

interface Mail {
  from: string;
  to: string[];
  tls: boolean;
  login: boolean;
  content: string;
}

async function mailServer(mode: 'starttls' | 'tls'): Promise<{ port: number; mails: Mail[] }> {
  const program = join(import.meta.dirname, '../../setup/smtp-server.py');
  const child = spawn('/usr/bin/python3', [program, cert, key, mode, 'gc', PASSWORD], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  let text = '';
  const facts = () => text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  const { port } = await until(() => text.includes('\n') && facts()[0]);
  return {
    port,
    get mails() {
      return facts().slice(1);
    },
  };
}

async function ready(body: object, sha256 = certificate.sha256): Promise<string> {
  const { id } = await scene.api('POST', RECEIVERS, { name: 'peer', host: '127.0.0.1', ...body });
  const looked = await scene.api('POST', `${RECEIVERS}/${id}/look-at-certificate`);
  expect(looked.sha256).toBe(sha256);
  await scene.api('POST', `${RECEIVERS}/${id}/confirm-certificate`, { sha256 });
  return id;
}

const MAIL = {
  ...{ kind: 'mail', username: 'gc', password: PASSWORD, sender: 'gc@lab.example' },
  recipients: ['ops@lab.example', 'lab@lab.example'],
};

test('rsyslog takes frames over TLS and reads every field', async () => {
  const server = await rsyslog();
  const id = await ready({ kind: 'syslog', port: server.port, facility: 'local5' });
  expect((await scene.send('POST', `${RECEIVERS}/${id}/test`)).status).toBe(200);
  await scene.open({ ...FAILING, says: 'Büro: "NTP" does not answer.\n1 <0>1 - evil' });
  await scene.deliver();
  const lines = await until(() => server.lines().length >= 2 && server.lines());
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^local5\|info\|gc01\.lab\.example\|groundcrew\|test\|/);
  expect(lines[1]).toMatch(/^local5\|crit\|gc01\.lab\.example\|groundcrew\|unit_failing\|/);
  expect(lines[1]).toContain('says="Büro: \\"NTP\\" does not answer. 1 <0>1 - evil"');
  expect((await scene.api('GET', `${RECEIVERS}/${id}/messages`)).items).toMatchObject([{ state: 'sent', attempts: 1 }]);
});

test.each(['starttls', 'tls'] as const)('a mail server with %s takes a mail after the login', async (security) => {
  const server = await mailServer(security);
  const id = await ready({ ...MAIL, port: server.port, security });
  await scene.open({ ...FAILING, says: 'Büro does not answer.\r\nBcc: evil@example.com' });
  await scene.deliver();
  const [mail] = await until(() => server.mails.length > 0 && server.mails);
  expect(mail).toMatchObject({ from: 'gc@lab.example', to: MAIL.recipients, tls: true, login: true });
  const [head = '', body = ''] = mail!.content.replaceAll('\r\n', '\n').split('\n\n');
  expect(head).not.toMatch(/^Bcc:/m);
  expect(Buffer.from(body, 'base64').toString()).toContain('Büro does not answer.');
  const wrong = await scene.api('PATCH', `${RECEIVERS}/${id}`, { password: 'another one' });
  expect(wrong.has_secret).toBe(true);
  const tried = await scene.send('POST', `${RECEIVERS}/${id}/test`);
  expect([tried.status, tried.body.error_code]).toEqual([409, 'remote_login_refused']);
  expect(JSON.stringify(tried.body)).not.toContain('another one');
});

test('a recipient that is refused is said, and the others get the mail; with none left it failed', async () => {
  const server = await mailServer('starttls');
  const recipients = ['unwanted@lab.example', 'ops@lab.example'];
  const id = await ready({ ...MAIL, port: server.port, recipients });
  expect((await scene.api('POST', `${RECEIVERS}/${id}/test`)).note).toContain('refused unwanted@lab.example');
  expect(server.mails).toMatchObject([{ to: ['ops@lab.example'] }]);
  await scene.api('PATCH', `${RECEIVERS}/${id}`, { recipients: ['unwanted@lab.example'] });
  const tried = await scene.send('POST', `${RECEIVERS}/${id}/test`);
  expect([tried.status, tried.body.detail]).toEqual([409, expect.stringContaining('every recipient with 550')]);
});

test('another certificate than the confirmed one is told neither mail, password nor syslog', async () => {
  const mail = await mailServer('starttls');
  const log = await rsyslog();
  for (const body of [
    { ...MAIL, name: 'mail', port: mail.port },
    { name: 'log', kind: 'syslog', port: log.port },
  ]) {
    const { id } = await scene.api('POST', RECEIVERS, { host: '127.0.0.1', ...body });
    const other = makeCertificate();
    await scene.house.services.store.write((tx) =>
      tx.run('UPDATE alert_receiver SET sha256 = ? WHERE id = ?', [new X509Certificate(other.cert).fingerprint256, id]),
    );
    const tried = await scene.send('POST', `${RECEIVERS}/${id}/test`);
    expect([tried.status, tried.body.error_code]).toEqual([409, 'certificate_changed']);
  }
  expect([mail.mails, log.lines()]).toEqual([[], []]);
});

/** Speaks SMTP in the clear as its script says; answers what it was told. */
async function clear(script: (line: string, socket: Socket) => void): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('220 mail.lab.example\r\n');
    socket.on('data', (piece) => {
      for (const line of String(piece).split('\r\n').filter(Boolean)) {
        heard.push(line);
        script(line, socket);
      }
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as { port: number }).port, heard };
}

const SHA256 = certificate.sha256;
const trusted = async (port: number): Promise<string> => {
  const { id } = await scene.api('POST', RECEIVERS, { name: 'clear', host: '127.0.0.1', ...MAIL, port });
  await scene.house.services.store.write((tx) => tx.run('UPDATE alert_receiver SET sha256 = ?', [SHA256]));
  return id;
};

test('without STARTTLS nothing is said in the clear', async () => {
  const server = await clear((_line, socket) => void socket.write('250-mail.lab.example\r\n250 AUTH PLAIN\r\n'));
  const tried = await scene.send('POST', `${RECEIVERS}/${await trusted(server.port)}/test`);
  expect([tried.status, tried.body.error_code]).toEqual([409, 'remote_not_tls']);
  expect(server.heard).toEqual(['EHLO gc01.lab.example']);
});

test('what somebody slips in behind STARTTLS ends it', async () => {
  const server = await clear((line, socket) => {
    const answer = line === 'STARTTLS' ? '220 go\r\n250 AUTH PLAIN\r\n' : '250-mail\r\n250 STARTTLS\r\n';
    socket.write(answer);
  });
  const tried = await scene.send('POST', `${RECEIVERS}/${await trusted(server.port)}/test`);
  expect([tried.status, tried.body.error_code]).toEqual([409, 'remote_answer_unusable']);
  expect(server.heard).toEqual(['EHLO gc01.lab.example', 'STARTTLS']);
});

test('a server that speaks another protocol, and one that never stops, are refused at once', async () => {
  const ssh = createServer((socket) => void socket.on('error', () => undefined).write('SSH-2.0-OpenSSH_9.2\r\n'));
  const flood = createServer((socket) => void socket.on('error', () => undefined).write('220-'.padEnd(40_000, 'x')));
  servers.push(ssh, flood);
  for (const server of [ssh, flood]) {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const id = await trusted((server.address() as { port: number }).port);
    const began = performance.now();
    const tried = await scene.send('POST', `${RECEIVERS}/${id}/test`);
    expect([tried.status, tried.body.error_code]).toEqual([409, 'remote_answer_unusable']);
    expect(performance.now() - began).toBeLessThan(5000);
    await scene.api('DELETE', `${RECEIVERS}/${id}`);
  }
});
