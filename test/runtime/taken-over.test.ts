// Whoever has taken over the service's user: hostile databases, plans and files, one after the other, and a root step that is
// asked to put each in force. On paper: the appliance's own suite does the same to the machine.
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serve } from '../../runtime/enforce/serve.ts';
import { rootVerbs } from '../../runtime/enforce/verbs.ts';
import type { Host } from '../../shared/host/host.ts';
import { daemonRefusal, fileRefusal, programRefusal } from '../../shared/host/system-guard.ts';
import { permit } from '../../shared/host/system-root.ts';
import { unitFile } from '../../shared/host/unit-files.ts';
import { attack } from '../appliance/attack.ts';
import { hostileInputs, OWNED, SCRIPT } from '../appliance/hostile.ts';
import { fault } from '../fuzz/guard-reading.ts';
import { furnishDhcp } from '../setup/furnish-dhcp.ts';
import { furnishUnits } from '../setup/furnish-units.ts';
import { House } from '../setup/house.ts';

/** Nobody's rights: what the service's user is to the machine. */
const NOBODY = 65_534;
const SURROUNDINGS = { management_port: 443, public_listen: null };

let house: House;
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

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-taken-over-'));
  chmodSync(folder, 0o755);
  data = mkdtempSync(join(folder, 'data-'));
  chownSync(data, NOBODY, NOBODY);
  house = await House.open();
  const { token } = await house.actor();
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const heard = await house.send(method, path, { token, body });
    if (heard.status >= 300) throw new Error(`${method} ${path}: ${heard.status} ${heard.text}`);
    return heard.body;
  };
  const access = { role: 'access', ipv4_cidr: '192.168.10.2/24', enabled: true };
  await call('PATCH', '/api/v1/interfaces/physical/ens224', access);
  await call('PATCH', '/api/v1/interfaces/physical/ens256', { mode: 'trunk', enabled: true });
  for (const id of [20, 30])
    await call('POST', '/api/v1/vlans', { parent_interface: 'ens256', vlan_id: id, ipv4_cidr: `172.16.${id}.2/24` });
  await call('PATCH', '/api/v1/dns-dhcp/settings', { enabled: true, listen_interfaces: ['ens224', 'ens256.20'] });
  await call('POST', '/api/v1/dns/zones', { name: 'lab.example' });
  const records = [
    ['vc01.lab.example', 'A', '172.16.20.10'],
    ['vcenter.lab.example', 'CNAME', 'vc01.lab.example'],
    ['_ldap._tcp.lab.example', 'SRV', '0 10 389 vc01.lab.example'],
    ['lab.example', 'MX', '10 vc01.lab.example'],
    ['lab.example', 'TXT', 'v=spf1 -all'],
    ['lab.example', 'CAA', '0 issue "ca.lab.example"'],
  ].map(([fqdn, type, value]) => ({ fqdn, type, value }));
  await call('POST', '/api/v1/dns/records/bulk', { records });
  await furnishDhcp(call);
  await furnishUnits(call);
}, 60_000);

afterAll(async () => {
  await house?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('gets no order into a file, no program run, and nothing read that is not a unit’s', async () => {
  const database = join(folder, 'ordinary.sqlite');
  const source = new DatabaseSync(join(house.data, 'groundcrew.sqlite'));
  source.exec(`VACUUM INTO '${database}'`);
  source.close();
  const inputs = await hostileInputs(house.services.store, SURROUNDINGS);
  const { host, seen } = judgedHost(house.services.host);
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
  const outcome = await attack({ database, inputs }, { data, socket, patience: 30_000 }).finally(() => server.close());
  const { done, silent, ...counts } = outcome;
  console.log(
    JSON.stringify({ ...counts, done: done.length, files: seen.written.length, programs: new Set(seen.ran).size }),
  );
  expect(silent).toEqual([]);
  // Some hostile words are none to those who read the files: what is told to clients.
  expect(done.length).toBeGreaterThan(3);
  expect(outcome.answers.refused).toBeGreaterThan(100);
  expect(seen.written.flatMap((file) => fault(file) ?? [])).toEqual([]);
  expect([...seen.read].filter((path) => unitFile(path) === null)).toEqual([]);
  expect(seen.ran.filter((line) => line.includes(SCRIPT) || line.includes(OWNED))).toEqual([]);
  expect(told.filter((line) => /[^\P{Cc}]/u.test(line))).toEqual([]);
  expect(process.geteuid!()).toBe(0);
}, 180_000);
