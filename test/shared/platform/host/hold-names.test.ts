// Questions for names wait while the name server restarts: which addresses are held, and the program that holds them.
import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { decode, encode } from 'dns-packet';
import { companion } from '../../../../shared/ground/machine/companion.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { holdNames } from '../../../../shared/platform/host/hold-names.ts';
import { until } from '../../../setup/until.ts';

const alive = (pid: number): boolean => existsSync(`/proc/${pid}`);

const LINK = { name: 'eth0', ipv4_cidrs: ['10.0.0.9/24'], ipv6_cidrs: ['fd00::9/64'] };

/** The addresses that the program is told, with this configuration in force. */
async function held(conf: string | null): Promise<string[]> {
  const asked: string[] = [];
  const host = {
    read: async () => conf,
    links: async () => [LINK, { ...LINK, name: 'eth1', ipv4_cidrs: ['10.1.0.9/24'] }],
    exec: async (_program: string, args: string[], { heard }: { heard(text: string): void }) => {
      asked.push(args.slice(1).join(' '));
      heard('holding\n');
      return { code: 0, stdout: '', stderr: '' };
    },
  } as unknown as Host;
  await (await holdNames(host))();
  return asked;
}

test.each<[string, string | null, string[]]>([
  ['fixed addresses', 'listen-address=10.0.0.1\nlisten-address=fd00::1\n', ['53 10.0.0.1,fd00::1']],
  ['those of an interface', 'interface=eth0\nexcept-interface=lo\n', ['53 10.0.0.9,fd00::9']],
  ['none without names', 'port=0\nlisten-address=10.0.0.1\n', []],
  ['none without a configuration', null, []],
])('%s', async (_what, conf, asked) => expect(await held(conf)).toEqual(asked));

test('a program that does not start holds nobody up', async () => {
  const exec = async () => ({ code: 127, stdout: '', stderr: 'not found' });
  const host = { read: async () => 'listen-address=10.0.0.1\n', exec } as unknown as Host;
  await expect(holdNames(host).then((answered) => answered())).resolves.toBeUndefined();
});

const PROGRAM = companion('hold-question', import.meta.resolve('../../../../shared/platform/host/hold-names.ts'));

/** A name server that says of every name that it does not exist. */
async function server(port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  socket.on('message', (question, { port: to, address }) => {
    const { id = 0, questions = [] } = decode(question);
    socket.send(encode({ type: 'response', id, flags: 3, questions }), to, address);
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

test('questions of the time between are answered by the next server, each to its client with its own id', async () => {
  const former = await server(0);
  const { port } = former.address();
  const holder = spawn(process.execPath, [PROGRAM, `${port}`, '127.0.0.1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  holder.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(holder, 'close');
  await once(holder.stdout, 'data');
  former.close();
  const clients = [7, 7, 40_000].map((id) => ({ id, socket: createSocket('udp4') }));
  const answers = clients.map(async ({ socket }) => decode((await once(socket, 'message'))[0] as Buffer));
  for (const { id, socket } of clients) {
    const question = { type: 'A' as const, name: `n${id}.lab.test` };
    const sent = Promise.withResolvers<void>();
    socket.send(encode({ type: 'query', id, questions: [question] }), port, '127.0.0.1', () => sent.resolve());
    await sent.promise;
  }
  const later = await server(port);
  try {
    const heard = await Promise.all(answers);
    expect(heard.map(({ id, questions }) => [id, questions?.[0]?.name])).toEqual([
      [7, 'n7.lab.test'],
      [7, 'n7.lab.test'],
      [40_000, 'n40000.lab.test'],
    ]);
    await ended;
    expect(JSON.parse(output.split('\n')[1]!)).toEqual({ held: 3, answered: 3 });
  } finally {
    for (const { socket } of clients) socket.close();
    later.close();
    holder.kill('SIGKILL');
  }
}, 60_000);

/** Sends to the port; what is heard is for whoever asks. */
async function sends(port: number, ...messages: Buffer[]): Promise<Socket> {
  const socket = createSocket('udp4');
  for (const message of messages) {
    const sent = Promise.withResolvers<void>();
    socket.send(message, port, '127.0.0.1', () => sent.resolve());
    await sent.promise;
  }
  return socket;
}

test('answers and what is longer than any question are not kept, and it has no rights', async () => {
  const former = await server(0);
  const { port } = former.address();
  const holder = spawn(process.execPath, [PROGRAM, `${port}`, '127.0.0.1'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(holder, 'close');
  let output = '';
  holder.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(holder.stdout, 'data');
  former.close();
  const questions = [{ type: 'A' as const, name: 'n.lab.test' }];
  const question = encode({ type: 'query', id: 9, questions });
  const answer = encode({ type: 'response', id: 9, questions });
  const long = Buffer.concat([question, Buffer.alloc(60_000)]);
  const client = await sends(port, answer, long, Buffer.alloc(3), question);
  const heard = once(client, 'message');
  try {
    if (process.getuid?.() === 0) {
      const status = readFileSync(`/proc/${holder.pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(status).toMatch(/^Groups:\s*$/m);
    }
    const later = await server(port);
    await heard;
    await ended;
    later.close();
    expect(JSON.parse(output.split('\n')[1]!)).toEqual({ held: 1, answered: 1 });
  } finally {
    client.close();
    holder.kill('SIGKILL');
  }
}, 60_000);

test('the server that was never ended gets its questions back when whoever started the program is killed', async () => {
  const former = await server(0);
  const { port } = former.address();
  // Starts it, and tells which it is.
  const starts = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ${JSON.stringify([PROGRAM, `${port}`, '127.0.0.1'])}, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    child.stdout.on('data', () => process.stdout.write(String(child.pid)));`;
  const service = spawn(process.execPath, ['-e', starts], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [pid] = (await once(service.stdout, 'data')) as [Buffer];
  service.kill('SIGKILL');
  await once(service, 'close');
  const question = encode({ type: 'query', id: 9, questions: [{ type: 'A', name: 'n.lab.test' }] });
  const client = createSocket('udp4');
  let answered = false;
  client.on('message', () => {
    answered = true;
  });
  try {
    // Well before the program would give up by itself, were it not for the machine being slow.
    await until(async () => {
      client.send(question, port, '127.0.0.1', () => undefined);
      return answered;
    });
    await until(async () => !alive(Number(String(pid))));
  } finally {
    client.close();
    former.close();
  }
}, 60_000);
