// Whoever has taken over the service's user: hostile databases, plans and files, one after the other, and a root step that is
// asked to put each in force. On paper: the appliance's own suite does the same to the machine.
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serve } from '../../runtime/enforce/serve.ts';
import { rootVerbs } from '../../runtime/enforce/verbs.ts';
import { daemonRefusal, fileRefusal, programRefusal, unitFile } from '../../shared/appliance/host-guard.ts';
import type { Host } from '../../shared/ground/machine/host.ts';
import { rehearsalHost } from '../../shared/platform/host/rehearsal.ts';
import { permit } from '../../shared/platform/host/system-root.ts';
import { attack } from '../appliance/attack.ts';
import { OWNED, SCRIPT } from '../appliance/hostile.ts';
import { makeMaterial } from '../appliance/hostile-house.ts';
import { fault } from '../fuzz/guard-reading.ts';

/** Nobody's rights: what the service's user is to the machine. */
const NOBODY = 65_534;
const SURROUNDINGS = { management_port: 443, public_listen: null };

let folder: string;
let data: string;
let server: Server;

/** Judges like the driver of the root step, and keeps what it would have done. */
function judgedHost(rehearsal: Host) {
  const files = new Map<string, string>();
  const seen = {
    written: [] as { path: string; content: string; mode: number }[],
    read: new Set<string>(),
    ran: [] as string[],
  };
  const daemon = async ({ systemd }: { systemd: string }) => permit(daemonRefusal(systemd));
  const put = async (file: { path: string; content: string; mode: number }) => {
    files.set(file.path, file.content);
    seen.written.push(file);
  };
  const host: Host = {
    ...rehearsal,
    kind: 'system',
    name: 'system',
    enforces: true,
    resolve: (path) => path,
    read: async (path) => {
      seen.read.add(path);
      return files.get(path) ?? null;
    },
    write: async (file) => {
      permit(fileRefusal(file));
      await put(file);
    },
    putBack: async (file) => {
      permit(fileRefusal({ path: file.path, mode: file.mode }));
      await put(file);
    },
    remove: async (path) => {
      permit(fileRefusal({ path }));
      files.delete(path);
    },
    exec: async (program, args, options) => {
      permit(programRefusal(program, args, options));
      seen.ran.push([program, ...args, options?.input ?? ''].join(' '));
      return { code: program === 'networkctl' ? 1 : 0, stdout: '', stderr: '' };
    },
    links: async () => [],
    daemonRunning: async () => false,
    startDaemon: daemon,
    stopDaemon: daemon,
    reloadDaemon: daemon,
  };
  return { host, seen };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-taken-over-'));
  chmodSync(folder, 0o755);
  data = mkdtempSync(join(folder, 'data-'));
  chownSync(data, NOBODY, NOBODY);
});

afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('gets no order into a file, no program run, and nothing read that is not a unit’s', async () => {
  const material = await makeMaterial(folder, SURROUNDINGS);
  const { host, seen } = judgedHost(rehearsalHost(folder));
  const told: string[] = [];
  const verbs = rootVerbs({
    host,
    data,
    folder: join(folder, 'root'),
    settings: SURROUNDINGS,
    logger: { warn: () => undefined },
    startWatchdog: async () => undefined,
  });
  const socket = join(folder, 'enforce.sock');
  server = createServer((connection) => void serve(connection, connection, verbs, (line) => told.push(line)));
  await new Promise<void>((done) => server.listen(socket, done));
  const outcome = await attack(material, { data, socket, patience: 30_000 }).finally(() => server.close());
  const { done, silent, ...counts } = outcome;
  console.log(
    JSON.stringify({ ...counts, done: done.length, files: seen.written.length, programs: new Set(seen.ran).size }),
  );
  expect(silent).toEqual([]);
  // Some hostile words are none to those who read the files: what is told to clients.
  expect(done.length).toBeGreaterThan(3);
  expect(outcome.answers.refused).toBeGreaterThan(60);
  expect(seen.written.flatMap((file) => fault(file) ?? [])).toEqual([]);
  expect([...seen.read].filter((path) => unitFile(path) === null)).toEqual([]);
  expect(seen.ran.filter((line) => line.includes(SCRIPT) || line.includes(OWNED))).toEqual([]);
  expect(told.filter((line) => /[^\P{Cc}]/u.test(line))).toEqual([]);
  expect(process.geteuid!()).toBe(0);
}, 300_000);
