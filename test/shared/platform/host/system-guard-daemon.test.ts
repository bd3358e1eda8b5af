// Why the guard counts bytes: what a real dnsmasq makes of a comment that is longer than its buffer (needs root).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileRefusal } from '../../../../shared/appliance/host-guard.ts';
import { CONF_FILE } from '../../../../shared/platform/host/dnsmasq-daemon.ts';
import { DNSMASQ_PIECE } from '../../../../shared/platform/host/dnsmasq-grammar.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-cut-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A comment of as many bytes, and what comes right after it on the same line. */
const after = (bytes: number, order: string): string => {
  const head = '# Scope ';
  const letters = (bytes - head.length) / 2;
  return `${head}${'é'.repeat(Math.floor(letters))}${letters % 1 === 0 ? '' : 'a'}${order}\n`;
};

test('beyond its buffer dnsmasq reads orders, as root; the guard refuses such a line', () => {
  const [script, ran, leases, conf] = ['order', 'ran', 'leases', 'dnsmasq.conf'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(script, `#!/bin/sh\nid -u >>${ran}\n`, { mode: 0o755 });
  // It tells its script of the leases that it finds when it starts.
  writeFileSync(leases, '4102444800 02:00:00:00:00:11 10.9.0.11 esx01 *\n');
  const line = after(DNSMASQ_PIECE, `dhcp-script=${script}`);
  const lines = ['port=0', 'interface=lo', 'user=root', `dhcp-leasefile=${leases}`, 'dhcp-range=10.9.0.10,10.9.0.20'];
  writeFileSync(conf, `${lines.join('\n')}\n${line}`);
  const until = `for i in $(seq 600); do [ -s ${ran} ] && break; sleep 0.1; done; kill $!`;
  const start = `ip link set lo up; dnsmasq --keep-in-foreground --pid-file= -C ${conf} & ${until}`;
  spawnSync('unshare', ['--net', 'sh', '-c', start], { timeout: 120_000 });
  expect(existsSync(ran) && readFileSync(ran, 'utf8').trim()).toBe('0');
  expect(fileRefusal({ path: CONF_FILE, content: line })).not.toBeNull();
  // So is one that is a byte shorter, and one that is long in ASCII alone.
  expect(fileRefusal({ path: CONF_FILE, content: after(DNSMASQ_PIECE - 1, 'x') })).not.toBeNull();
  expect(fileRefusal({ path: CONF_FILE, content: `#${'a'.repeat(DNSMASQ_PIECE - 1)}\n` })).not.toBeNull();
  expect(fileRefusal({ path: CONF_FILE, content: `#${'a'.repeat(DNSMASQ_PIECE - 2)}\n` })).toBeNull();
});
