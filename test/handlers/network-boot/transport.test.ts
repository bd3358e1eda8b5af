// The promise on every path: a Kickstart leaves once, to the boot that was authorized, whatever else is asked for and
// however often; and its secrets are found nowhere else.
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { scheduled as expireBootAttempts } from '../../../handlers/scheduled/expire-boot-attempts.ts';
import { refusal } from '../../../runtime/boot-plane.ts';
import { type Listener, startListener } from '../../../runtime/listener.ts';
import type { GatewayAnswer } from '../../../shared/kernel/operation/event.ts';
import {
  type BootRequest,
  BootScene,
  CANARIES,
  LISTENER,
  MACHINE,
  OTHER_LISTENER,
  TEXT,
} from '../../setup/boot-scene.ts';

/** Rounds of the race; the full figure is taken with BOOT_ROUNDS=100. */
const ROUNDS = Number(process.env.BOOT_ROUNDS ?? 4);
const AT_ONCE = 500;
const MINUTES = 60_000;

let scene: BootScene;
beforeAll(async () => {
  scene = await BootScene.open({ ticker: false });
});
afterAll(() => scene.house.close());
beforeEach(async () => {
  await scene.write('DELETE FROM boot_attempt');
  Object.assign(scene.clocks, { wall: 0, uptime: 0, boot: 'boot-1' });
});

const REFUSAL = {
  statusCode: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'Not found\n',
};
const RENDERED = TEXT.replace('{{ var.root_password }}', CANARIES.variable)
  .replace('{{ host.ip_address }}', '10.10.0.21')
  .replace('{{ host.hostname }}', 'esx01.lab.example');

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'get', 'PROPFIND'];
type Variant = [name: string, path: (path: string) => string, request?: BootRequest | ((path: string) => BootRequest)];

/** A request of the table; `path`: that of the right one. */
const sent = (path: string, change: (path: string) => string, request: Variant[2]): Promise<GatewayAnswer> =>
  scene.boot(change(path), typeof request === 'function' ? request(path) : request);

const same = (path: string): string => path;
const part = (at: number, change: (text: string) => string) => (path: string) =>
  path
    .split('/')
    .map((text, index) => (index === at ? change(text) : text))
    .join('/');
const MAC = 3;
const REVISION = 4;
const FILE = 5;

/** Leave the attempt as it is: they show no capability in the one form that counts. */
const HARMLESS: Variant[] = [
  ...METHODS.filter((method) => method !== 'GET').map((method): Variant => [method, same, { method }]),
  ['a range', same, { headers: { range: 'bytes=0-' } }],
  ['a range of nothing', same, { headers: { range: 'bytes=99999-' } }],
  ['several ranges', same, { headers: { range: 'bytes=0-1,4-5' } }],
  ['if-range', same, { headers: { 'if-range': '"x"' } }],
  ['an encoded letter', part(2, () => 'kickstart%73')],
  ['an encoded MAC address', part(MAC, (text) => text.replace('-', '%2d'))],
  ['an encoded revision', part(REVISION, (text) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`)],
  ['an encoded capability', part(FILE, (text) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`)],
  ['an encoded dot', (path) => path.replace('.cfg', '%2ecfg')],
  ['an encoded slash', (path) => path.replace('/boot/', '/boot%2f')],
  ['a slash at the end', (path) => `${path}/`],
  ['two slashes', (path) => `/${path}`],
  ['a way round', (path) => path.replace('/boot/', '/boot/../boot/')],
  ['a query', (path) => `${path}?x=1`],
  ['a query without a value', (path) => `${path}?x`],
  ['a dry run', (path) => `${path}?dry_run=true`],
  ['no ending', (path) => path.replace('.cfg', '')],
  ['another ending', (path) => path.replace('.cfg', '.CFG')],
  ['two endings', (path) => `${path}.cfg`],
  ['the MAC address with colons', part(MAC, (text) => text.replaceAll('-', ':'))],
  ['the MAC address without a type', part(MAC, (text) => text.slice(3))],
  ['no capability', part(FILE, () => '.cfg')],
  ['another capability', part(FILE, (text) => (text.startsWith('A') ? `B${text.slice(1)}` : `A${text.slice(1)}`))],
  ['the capability in lower case', part(FILE, (text) => text.toLowerCase())],
  [
    'the capability as a header',
    part(FILE, () => `${'A'.repeat(43)}.cfg`),
    (path) => ({ headers: { authorization: `Bearer ${path.split('/')[FILE]!.replace('.cfg', '')}` } }),
  ],
  ['the API’s path', () => '/api/v1/network-boot/kickstarts'],
  ['a browser from another site', same, { headers: { 'sec-fetch-site': 'cross-site' } }],
  ['a browser from another origin', same, { headers: { origin: 'http://evil.example' } }],
];

/** The right capability with something that it is not bound to. */
const MISUSED: [name: string, differs: string, path: (path: string) => string, request?: BootRequest][] = [
  ['another MAC address', 'mac_address', part(MAC, () => '01-00-50-56-01-02-04')],
  [
    'another revision',
    'kickstart_revision',
    part(REVISION, (text) => text.replace(/^./, (c) => (c === '0' ? '1' : '0'))),
  ],
  ['the revision in upper case', 'kickstart_revision', part(REVISION, (text) => text.toUpperCase())],
  ['a short revision', 'kickstart_revision', part(REVISION, (text) => text.slice(0, 12))],
  ['another listener of the applied state', 'listener', same, { host: OTHER_LISTENER }],
  ['a listener that is not applied', 'listener', same, { host: '10.10.0.5:8082' }],
  ['a name of the listener', 'listener', same, { host: 'boot.lab.example:8081' }],
];

/** Ends of an attempt, after which even the right request is refused. */
const ENDED: [name: string, end: (made: { path: string; code: string }) => Promise<unknown>, state: string][] = [
  [
    'expired by both clocks',
    async () => Object.assign(scene.clocks, { wall: 10 * MINUTES, uptime: 10 * MINUTES }),
    'issued',
  ],
  ['expired by the wall clock', async () => Object.assign(scene.clocks, { wall: 60 * MINUTES }), 'issued'],
  ['a wall clock set back', async () => Object.assign(scene.clocks, { wall: -60 * MINUTES }), 'issued'],
  ['expired by the uptime', async () => Object.assign(scene.clocks, { uptime: 10 * MINUTES }), 'issued'],
  ['after a restart of the machine', async () => Object.assign(scene.clocks, { boot: 'boot-2' }), 'issued'],
  [
    'expired by the ticker',
    async () => {
      scene.clocks.uptime = 10 * MINUTES;
      const event = { source: 'groundcrew.ticker' as const, id: '', time: '' };
      await expireBootAttempts.handler(event, { services: scene.house.services });
      scene.clocks.uptime = 0;
    },
    'expired',
  ],
  ['consumed', ({ path }) => scene.boot(path), 'consumed'],
  ['burnt', async () => scene.call('POST', `/attempts/${(await scene.last()).id}/revoke`), 'burnt'],
  ['superseded', () => scene.start(), 'expired'],
];

const isText = (answer: GatewayAnswer): boolean => answer.body === RENDERED;

describe('the one success of the whole table', () => {
  test('is the right request, after all others of the table but misuse were refused alike', async () => {
    const { path } = await scene.ready();
    let answers = 0;
    for (const [name, change, request] of HARMLESS) {
      const answer = await sent(path, change, request);
      expect([name, answer]).toEqual([name, REFUSAL]);
      expect([name, (await scene.last()).state]).toEqual([name, 'issued']);
      answers++;
    }
    const answer = await scene.boot(path);
    expect(isText(answer)).toBe(true);
    expect(answer).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/plain', 'cache-control': 'no-store, private' },
    });
    for (const [name, change, request] of [...HARMLESS, ...MISUSED.map(([n, , c, r]): Variant => [n, c, r ?? {}])]) {
      expect([name, await sent(path, change, request)]).toEqual([name, REFUSAL]);
      answers++;
    }
    expect(await scene.boot(path)).toEqual(REFUSAL);
    expect((await scene.last()).state).toBe('consumed');
    expect(answers).toBeGreaterThan(70);
  });

  test.each(MISUSED.map(([name, differs, change, request = {}]) => ({ name, differs, change, request })))(
    'is lost to $name, which burns the attempt and raises an alarm',
    async ({ differs, change, request }) => {
      const { path } = await scene.ready();
      const before = await scene.house.lastAudit();
      expect(await scene.boot(change(path), request)).toEqual(REFUSAL);
      expect(await scene.last()).toMatchObject({ state: 'burnt', ended_reason: 'mismatch', ended_from: '127.0.0.1' });
      expect(await scene.house.audited(before)).toEqual(['network-boot.attempt.alarm']);
      const row = await scene.house.services.store.one<{ outcome: string; detail: string }>(
        'SELECT outcome, detail FROM audit_event ORDER BY seq DESC LIMIT 1',
      );
      expect([row!.outcome, JSON.parse(row!.detail).differs]).toEqual(['failure', [differs]]);
      expect(await scene.boot(path)).toEqual(REFUSAL);
    },
  );

  test.each(ENDED)('is none when the attempt is %s', async (_name, end, state) => {
    const made = await scene.ready();
    const row = await scene.last();
    await end(made);
    for (const [name, change, request] of [...HARMLESS, ['the right request', same] satisfies Variant]) {
      expect([name, await sent(made.path, change, request)]).toEqual([name, REFUSAL]);
    }
    const after = (await scene.attempts()).find(({ id }) => id === row.id)!;
    expect(after.state).toBe(state);
  });

  test('is none before the code was entered', async () => {
    const { code, claim } = await scene.start();
    expect(await scene.boot(`/boot/attempts/${claim}/boot.cfg`)).toEqual(REFUSAL);
    expect(await scene.boot(`/boot/attempts/${claim}/pxelinux.cfg`)).toEqual(REFUSAL);
    await scene.authorize(code);
    const first = await scene.boot(`/boot/attempts/${claim}/boot.cfg`);
    expect(first.statusCode).toBe(200);
    // Loaders read it twice.
    expect((await scene.boot(`/boot/attempts/${claim}/boot.cfg`)).body).toBe(first.body);
    expect((await scene.last()).state).toBe('issued');
  });
});

describe('the claim', () => {
  test.each(['poll.ipxe', 'boot.cfg', 'pxelinux.cfg'])(
    '%s is for its own attempt, listener and method',
    async (file) => {
      const { claim } = await scene.ready();
      const path = `/boot/attempts/${claim}/${file}`;
      for (const method of METHODS.slice(1)) expect(await scene.boot(path, { method })).toEqual(REFUSAL);
      expect(await scene.boot(path, { host: OTHER_LISTENER })).toEqual(REFUSAL);
      expect(await scene.boot(path.replace(claim, claim.toLowerCase()))).toEqual(REFUSAL);
      expect(await scene.boot(path.replace(claim, 'A'.repeat(43)))).toEqual(REFUSAL);
      expect((await scene.boot(path)).statusCode).toBe(200);
    },
  );

  test.each(['HEAD', 'OPTIONS', 'POST'])('%s starts no attempt', async (method) => {
    expect(await scene.boot(`/boot/start.ipxe?mac=${MACHINE.mac}&firmware=efi`, { method })).toEqual(REFUSAL);
    expect(await scene.attempts()).toEqual([]);
  });
});

describe('over a socket', () => {
  let listener: Listener;
  beforeAll(async () => {
    const { services, answerBoot: answer } = scene.house.appliance;
    const assets = { manifest: {}, serve: () => false };
    const listen = { host: '127.0.0.1', port: 0 };
    listener = await startListener({ listen, tls: null, services, assets, answer, refusal });
  });
  afterAll(() => listener.stop(100));

  /** What comes back for some bytes. */
  const heardOf = (bytes: string, port = listener.address.port): Promise<string> =>
    new Promise((resolve, reject) => {
      let heard = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('latin1');
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.on('end', () => resolve(heard));
      socket.on('error', reject);
    });
  const ask = (target: string, { method = 'GET', more = '', host = LISTENER, port = listener.address.port } = {}) =>
    heardOf(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`, port);

  test('whatever is refused is refused in the same words, and the right request succeeds once', async () => {
    const { path } = await scene.ready();
    const plain = (answer: string) => answer.replace(/^Date: .*\r\n/m, '');
    const missing = plain(await ask('/boot/nothing'));
    expect(missing).toMatch(/^HTTP\/1\.1 404 Not Found\r\n.*\r\n\r\nNot found\n$/s);
    const refused = [
      ask(`http://${LISTENER}${path}`),
      ask(`${path}#x`),
      ask(`/${path}`),
      ask(`${path}%00`),
      ask(`${path}%zz`),
      ask(`${path}?${'x'.repeat(9000)}`),
      ask('*', { method: 'OPTIONS' }),
      ask(path, { method: 'OPTIONS' }),
      ask(path, { method: 'POST', more: 'X-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n' }),
      ask(path, { more: 'Range: bytes=0-10\r\n' }),
      ask(path, { more: 'Origin: http://evil.example\r\n' }),
    ];
    for (const answer of await Promise.all(refused)) {
      if (answer.startsWith('HTTP/1.1 404')) expect(plain(answer)).toBe(missing);
      else expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(await ask(path, { method: 'HEAD' })).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\n$/s);
    // The other listeners do not know the path, whatever name they are called by.
    const { management, public: outside } = scene.house.appliance;
    for (const { port } of [management, outside!]) {
      for (const host of [`127.0.0.1:${port}`, LISTENER]) {
        for (const method of ['GET', 'HEAD', 'POST']) {
          expect(await ask(path, { method, host, port })).toMatch(/^HTTP\/1\.1 4\d\d /);
        }
      }
    }
    expect((await scene.last()).state).toBe('issued');
    const request = `GET ${path} HTTP/1.1\r\nHost: ${LISTENER}\r\n`;
    const both = await heardOf(`${request}\r\n${request}Connection: close\r\n\r\n`);
    // Both are at work at once, and either may be the first.
    expect(both.match(/HTTP\/1\.1 \d+/g)!.sort()).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
    expect(both).toContain(`Content-Length: ${Buffer.byteLength(RENDERED)}\r\n`.toLowerCase());
    expect(both.split(CANARIES.variable)).toHaveLength(2);
  });
});

describe('many at once', () => {
  test(`${AT_ONCE} retrievals with one capability, ${ROUNDS} rounds: exactly one success each`, async () => {
    const successes: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await scene.write('DELETE FROM boot_attempt');
      const { path } = await scene.ready();
      const before = await scene.house.lastAudit();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => scene.boot(path)));
      successes.push(answers.filter(isText).length);
      expect(answers.filter((answer) => !isText(answer)).every(({ statusCode }) => statusCode === 404)).toBe(true);
      expect(await scene.house.audited(before)).toEqual(['network-boot.attempt.consume']);
    }
    expect(successes).toEqual(Array(ROUNDS).fill(1));
  }, 600_000);

  test('of a right and a wrong MAC address at once: at most one success, and never one after the alarm', async () => {
    for (let round = 0; round < 10; round++) {
      await scene.write('DELETE FROM boot_attempt');
      const { path } = await scene.ready();
      const wrong = part(MAC, () => '01-00-50-56-01-02-04')(path);
      const answers = await Promise.all([path, wrong, path, wrong, path].map((each) => scene.boot(each)));
      expect(answers.filter(isText).length).toBeLessThanOrEqual(1);
      expect((await scene.last()).state).toBe(answers.some(isText) ? 'consumed' : 'burnt');
      expect(await scene.boot(path)).toEqual(REFUSAL);
    }
  });
});

describe('secrets are found nowhere', () => {
  /** Every file below the data folder, as bytes. */
  function files(folder: string): Map<string, Buffer> {
    const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(all.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name))]));
  }

  test('in log, audit, database, answers, problems, pages and files, before, while and after a boot', async () => {
    const { house } = scene;
    const found: string[] = [];
    const heard = house.heard.length;
    const secrets: Record<string, string> = { ...CANARIES };
    const look = (where: string, text: string | Buffer, own = '') => {
      for (const [name, secret] of Object.entries(secrets)) {
        if (own.includes(secret)) continue;
        const forms = [
          secret,
          Buffer.from(secret).toString('base64').replace(/=+$/, ''),
          Buffer.from(secret).toString('hex'),
        ];
        if (forms.some((form) => text.includes(form))) found.push(`${name} in ${where}`);
      }
    };
    const everywhere = async (when: string) => {
      await house.services.store.all('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => undefined);
      for (const [name, bytes] of files(house.data)) look(`${when}: file ${name}`, bytes);
      look(`${when}: log`, scene.log.join('\n'));
      look(`${when}: audit`, JSON.stringify(await house.services.store.all('SELECT * FROM audit_event')));
    };
    const pages = ['', '/waiting', '/kickstarts', '/kickstarts/new', '/hosts/new', `/hosts/${scene.host_id}`];
    const ui = [...pages, `/kickstarts/${scene.kickstart_id}`, `/hosts/${scene.host_id}/delete`];
    const reads = ['/kickstarts', `/kickstarts/${scene.kickstart_id}`, '/esxi-hosts', '/attempts'];
    const preview = [`/kickstarts/${scene.kickstart_id}/preview?host_id=${scene.host_id}`];
    const session = scene.admin;
    const visit = async () => {
      for (const path of ui) {
        const page = await house.send('GET', `/ui/management/network-boot${path}`, { session });
        expect([path, page.status]).toEqual([path, 200]);
      }
      for (const path of [...reads, ...preview]) await scene.call('GET', path);
      for (const path of ['/audit-log', '/appliance-apply', '/jobs']) {
        await house.send('GET', `/ui/management${path}`, { session });
      }
    };

    const { code, claim } = await scene.start();
    Object.assign(secrets, { claim, code, plain_code: code.replace('-', '') });
    await visit();
    await scene.authorize('ABCD-EFGH');
    await scene.authorize(code);
    const path = await scene.kickstartPath(claim);
    secrets.capability = path.split('/').at(-1)!.replace('.cfg', '');
    await visit();
    await everywhere('issued');
    await scene.boot(part(REVISION, (text) => text.toUpperCase())(path), { headers: { 'user-agent': path } });
    await everywhere('burnt');

    const again = await scene.ready();
    Object.assign(secrets, { claim2: again.claim, code2: again.code });
    secrets.capability2 = again.path.split('/').at(-1)!.replace('.cfg', '');
    expect(isText(await scene.boot(again.path))).toBe(true);
    await scene.boot(again.path);
    // Faults, refusals and failures say nothing either.
    await scene.call('POST', '/kickstarts', { name: 'Bad', text: `install --x = ${CANARIES.text}\n` });
    await scene.call('POST', '/kickstarts', { name: 'Lab hosts', text: TEXT });
    await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { variables: { a: `${CANARIES.variable}\n` } });
    await scene.call('PATCH', `/esxi-hosts/${scene.host_id}`, { variables: CANARIES.variable });
    const form = { name: 'Lab hosts', text: TEXT, enabled: 'on' };
    const refused = await house.send('POST', '/ui/management/network-boot/kickstarts/new', { session, form });
    expect(refused.status).toBe(409);
    const bad = { ...form, text: `${CANARIES.text}\nrootpw ${CANARIES.variable}\n` };
    expect(
      (await house.send('POST', '/ui/management/network-boot/kickstarts/new', { session, form: bad })).status,
    ).toBe(422);
    const host = { hostname: 'a b', mac_address: 'x', ip_address: '', variables: `a=${CANARIES.variable}` };
    expect((await house.send('POST', '/ui/management/network-boot/hosts/new', { session, form: host })).status).toBe(
      422,
    );
    const typed = { boot_code: again.code };
    await house.send('POST', '/ui/management/network-boot/waiting', { session, form: typed });
    await visit();
    await everywhere('used');
    for (const { method, path: asked, answer } of house.heard.slice(heard)) {
      // A refused form comes back with the text to whoever typed it, and nothing may keep that answer.
      const typed = method === 'POST' && asked.endsWith('/kickstarts/new');
      if (typed) expect(answer.headers?.['cache-control']).toBe('no-store');
      const own = typed ? TEXT + Object.values(bad).join('') : '';
      look(`answer of ${method} ${asked}`, JSON.stringify([answer.headers, answer.cookies, answer.body]), own);
    }
    expect(found).toEqual([]);
    expect(house.heard.length - heard).toBeGreaterThan(40);
  });
});
