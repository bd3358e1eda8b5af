// Drift: what the clock finds on a host that is no longer as it was applied, who hears of it, and how it is put back.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { scheduled as detectDrift } from '../../../handlers/scheduled/detect-drift.ts';
import { DRIFT_EVERY, nextDrift } from '../../../shared/appliance/apply/drift.ts';
import type { Drift } from '../../../shared/appliance/apply/drift-store.ts';
import type { Host, ObservedLink } from '../../../shared/ground/machine/host.ts';
import { READER_DONE } from '../../../shared/platform/host/networkd.ts';
import { type Heard, LINKS } from '../../setup/house.ts';
import { admin, api, applied, house, open, PLANS, reasons, saved, submitted } from './apply-scene.ts';

/** A host that enforces nothing real: its links and files are what the test says. */
class Lab {
  links: ObservedLink[] = structuredClone(LINKS);
  down = new Set<string>();
  broken = false;

  host = (rehearsal: Host): Host => ({
    ...rehearsal,
    kind: 'namespace',
    label: 'Namespace test',
    enforces: true,
    links: async () => this.links,
    daemonRunning: async () => false,
    exec: async (program, args) => {
      if (program === 'nft' && args.includes('list'))
        return { code: 1, stdout: '', stderr: 'Error: No such file or directory\n' };
      if (program === 'unshare') return { code: 0, stdout: `${READER_DONE}\n`, stderr: '' };
      if (this.broken && program === 'ip') return { code: 1, stdout: '', stderr: 'Cannot open netlink socket\n' };
      const flags = (name: string) => (this.down.has(name) ? [] : ['UP', 'LOWER_UP']);
      const shown = this.links.map(({ name }) => ({ ifname: name, flags: flags(name) }));
      return { code: 0, stdout: args.includes('link') ? JSON.stringify(shown) : '', stderr: '' };
    },
  });
}

describe('drift', () => {
  const look = () => detectDrift.handler({ source: 'groundcrew.ticker', id: 'detectDrift', time: '' }, house);
  const report = async () => (await api('GET', '/api/v1/apply/drift')).body;
  const of = async (unit: string) => (await report()).items.find((item: { unit: string }) => item.unit === unit);
  const page = async (path = '/ui/management/appliance-apply') =>
    (await house.send('GET', path, { session: admin })).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

  test('is unknown before the first apply', async () => {
    await open();
    await look();
    expect(await of('network')).toEqual({
      unit: 'network',
      label: 'Network',
      standing: 'pending',
      pending: true,
      probe: null,
      state: 'unknown',
      checked_at: null,
      first_seen_at: null,
      last_seen_at: null,
      lines: [],
      more: 0,
      adoptable: false,
      not_adoptable: 'It was not compared with the host yet.',
    });
    expect((await report()).every_seconds).toBe(DRIFT_EVERY);
  });

  test('of a file is told once, shown, put back by another apply, and told once that it is gone', async () => {
    await open();
    await applied();
    await look();
    expect(await of('network')).toMatchObject({ state: 'none', lines: [] });
    const [file] = readdirSync(join(house.data, 'host/rehearsal/etc/systemd/network'));
    const path = `/etc/systemd/network/${file}`;
    writeFileSync(join(house.data, 'host/rehearsal', path), '# by hand\n');
    const before = await house.lastAudit();
    await look();
    const { first_seen_at } = await of('network');
    await look();
    expect(await of('network')).toMatchObject({ state: 'drifted', first_seen_at, lines: [`${path} was changed`] });
    expect(await house.audited(before)).toEqual(['drift.found']);
    expect(await page()).toContain(`Network: the host was changed ${path} was changed`);
    expect(await page('/ui/management')).toContain('Changed on the host');
    const form = { units: 'network', reapply: 'on' };
    const review = await house.send('POST', '/ui/management/appliance-apply', { session: admin, form });
    const plan = (await api('GET', `${PLANS}/${review.headers.location!.split('/').pop()}`)).body;
    expect(reasons({ body: plan } as Heard)).toEqual([['network', 'the host differs from what was applied']]);
    expect(plan.units[0].raw).toContain('-# by hand');
    expect(plan.units[0].says).toContain(`On the host ${path} was changed.`);
    await submitted(plan);
    // The host is compared as soon as the apply has ended.
    expect(await page()).not.toContain('the host was changed');
    expect(await of('network')).toMatchObject({ state: 'none', first_seen_at: null });
    expect((await house.audited(before)).filter((action) => action.startsWith('drift'))).toEqual([
      'drift.found',
      'drift.gone',
    ]);
  });

  test('is seen also when the clock was set back since the apply, by its own time sources for instance', async () => {
    await open();
    await applied();
    await house.services.store.write((tx) => tx.run("UPDATE unit_state SET applied_at = '2999-01-01T00:00:00.000Z'"));
    rmSync(join(house.data, 'host/rehearsal/etc/systemd/network'), { recursive: true });
    await look();
    expect((await of('network')).state).toBe('drifted');
  });

  test('of a file that was removed', async () => {
    await open();
    await applied();
    rmSync(join(house.data, 'host/rehearsal/etc/systemd/network'), { recursive: true });
    await look();
    expect((await of('network')).lines).toEqual([expect.stringMatching(/^\/etc\/systemd\/network\/.* is not there$/)]);
  });

  test('of the kernel names what differs, and another apply of nothing says what it finds', async () => {
    const lab = new Lab();
    await open({ host: lab.host });
    await saved(['PATCH', '/api/v1/firewall/settings', { enabled: false }]);
    await applied();
    await look();
    expect((await of('network')).state).toBe('none');
    lab.links[0]!.ipv4_cidrs = ['10.10.0.99/24'];
    lab.links[0]!.mtu = 1400;
    lab.down.add('ens192');
    await look();
    const lines = ['ens192 is down', 'ens192 lacks 10.10.0.5/24', 'ens192 has MTU 1400 instead of 1500'];
    expect((await of('network')).lines).toEqual(lines);
    const heard = await api('POST', PLANS, { units: ['network'], reapply: true });
    expect(heard.body.units).toMatchObject([
      {
        id: 'network',
        reason: 'the host differs from what was applied',
        risk: 'medium',
        says: [expect.stringContaining('put in force once more'), ...lines.map((line) => `On the host ${line}.`)],
        written: [],
      },
    ]);
    lab.links = [];
    await look();
    expect((await of('network')).lines).toEqual(['ens192 is not there']);
  });

  test('that can not be read says so, and does not forget since when it differs', async () => {
    const lab = new Lab();
    await open({ host: lab.host });
    await saved(['PATCH', '/api/v1/firewall/settings', { enabled: false }]);
    await applied();
    lab.links[0]!.mtu = 1400;
    await look();
    const { first_seen_at } = await of('network');
    lab.broken = true;
    const before = await house.lastAudit();
    await look();
    expect(await of('network')).toMatchObject({
      state: 'unreadable',
      first_seen_at,
      lines: ['ip -j link show: Cannot open netlink socket'],
    });
    expect(await page()).toContain('Network: the host could not be read');
    lab.broken = false;
    await look();
    expect(await of('network')).toMatchObject({ state: 'drifted', first_seen_at });
    expect(await house.audited(before)).toEqual([]);
  });

  test('is not looked for while an apply runs', async () => {
    await open();
    await applied();
    const { checked_at: before } = await of('network');
    const lock = "INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '')";
    await house.services.store.write((tx) => tx.run(lock));
    await look();
    expect((await of('network')).checked_at).toBe(before);
    await house.services.store.write((tx) => tx.run('DELETE FROM mutation_lock'));
  });

  test('keeps twenty lines and counts the others', () => {
    const lines = Array.from({ length: 33 }, (_, n) => `line ${n}`);
    const first = nextDrift(null, { lines }, 'a');
    expect([first.lines.length, first.more, first.first_seen_at]).toEqual([20, 13, 'a']);
    const again: Drift = nextDrift(first, { lines: ['x'] }, 'b');
    expect([again.first_seen_at, again.last_seen_at, again.more]).toEqual(['a', 'b', 0]);
  });
});
