// An earlier applied plan brought back: its units' rows become again what it put in force, all of them or none. Random
// edits in between are in test/fuzz/restore-plan.test.ts.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { scheduled } from '../../../handlers/scheduled/prune-apply-files.ts';
import { PLANS_KEPT } from '../../../shared/appliance/apply/applied-rows.ts';
import { KEPT } from '../../../shared/appliance/apply/applied-rows-tables.ts';
import { MANIFESTS } from '../../../shared/appliance/manifests.ts';
import { SETTINGS } from '../../../shared/appliance/settings.ts';
import { admin, api, applied, house, open, PLANS, saved } from './apply-scene.ts';
import { DOCUMENTS, desired, EDITS, edit, idOf, lab, pending, restore, revisions } from './restore-plan-scene.ts';

describe('what comes back', () => {
  test.each(
    [...Object.keys(EDITS).map((unit) => [unit]), Object.keys(EDITS)].map((units) => [units.join(', '), units]),
  )(
    'is every row of %s as the plan applied it, with its id, and what is in force is what is saved',
    async (_name, units) => {
      const plan = await lab();
      const before = await desired();
      const counted = await revisions();
      await edit(units as string[]);
      expect(await desired()).not.toEqual(before);
      const since = await revisions();
      const seq = await house.lastAudit();
      const heard = await restore(plan);
      expect([heard.status, heard.text]).toEqual([200, heard.text]);
      expect(await desired()).toEqual(before);
      for (const [id, revision] of await revisions()) {
        const [was, is] = [counted.get(id) ?? 0, since.get(id) ?? 0];
        expect({ id, counts: revision >= (was === is ? was : Math.max(was, is) + 1) }).toEqual({ id, counts: true });
      }
      expect([heard.body.plan_id, await pending()]).toEqual([null, []]);
      const saidOf = heard.body.collections.map(({ unit }: { unit: string }) => unit);
      expect(saidOf).toEqual(expect.arrayContaining(units as string[]));
      expect(await house.audited(seq)).toEqual(['plan.restore', 'plan.settle']);
      expect((await api('POST', PLANS, {})).body).toMatchObject({ plan_id: null });
    },
    300_000,
  );

  test('is applied by the new plan, as any other change', async () => {
    const plan = await lab();
    const before = await desired();
    await edit(Object.keys(EDITS));
    await applied();
    const seq = await house.lastAudit();
    const heard = await restore(plan);
    expect(heard.body).toMatchObject({
      restored_plan_id: plan,
      left_units: [],
      plan_id: expect.stringMatching(/^plan_/),
    });
    // The names and addresses that come back have their certificates before anything is checked.
    const certified = ['certificate.issue', 'certificate.issue'];
    expect(await house.audited(seq)).toEqual([...certified, 'plan.restore', 'plan.create']);
    const made = (await api('GET', `${PLANS}/${heard.body.plan_id}`)).body;
    expect(made).toMatchObject({ state: 'open', stale_units: [] });
    // Key management follows the address.
    const [last, ...others] = Object.keys(EDITS).reverse();
    expect(made.units.map(({ id }: { id: string }) => id)).toEqual([...others.reverse(), 'kms', last]);
    await applied();
    expect(await desired()).toEqual(before);
  }, 120_000);

  test('is checked before anything is written, unit by unit', async () => {
    const plan = await lab();
    await edit(Object.keys(EDITS));
    await applied();
    // House lets no program run within a transaction.
    const heard = await restore(plan);
    const made = (await api('GET', `${PLANS}/${heard.body.plan_id}`)).body;
    expect(made.units.map(({ check }: { check: { ok: boolean } | null }) => check?.ok)).toEqual(
      [...Object.keys(EDITS), 'kms'].map(() => true),
    );
  }, 300_000);

  test('holds nobody up while a program hangs, and is refused where its units were edited meanwhile', async () => {
    const plan = await lab();
    await edit(Object.keys(EDITS));
    await applied();
    const { host } = house.services;
    const run = host.exec;
    const hanging = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    host.exec = async (...asked) => {
      hanging.resolve();
      await released.promise;
      return run(...asked);
    };
    const restoring = restore(plan);
    await hanging.promise;
    const seq = await house.lastAudit();
    // The program says nothing yet: whoever waited for it would never come back.
    await saved(['PATCH', '/api/v1/ntp/settings', { local_stratum: 9 }]);
    const edited = await desired();
    released.resolve();
    const heard = await restoring;
    host.exec = run;
    expect([heard.status, heard.body.error_code, heard.body.units]).toEqual([409, 'plan_stale', ['ntp']]);
    expect([await desired(), await house.audited(seq)]).toEqual([edited, ['ntp.settings.update']]);
    expect((await restore(plan)).status).toBe(200);
  }, 300_000);

  test('is counted by a dry run, which saves nothing', async () => {
    const plan = await lab();
    await edit(Object.keys(EDITS));
    const [before, counted, seq] = [await desired(), await revisions(), await house.lastAudit()];
    const dry = await restore(plan, '?dry_run=true');
    expect([dry.status, dry.body.plan_id]).toEqual([200, null]);
    expect([await desired(), await revisions(), await house.audited(seq)]).toEqual([before, counted, []]);
    const { plan_id: _made, ...rest } = (await restore(plan)).body;
    expect(dry.body).toMatchObject(rest);
    expect(rest.collections).toContainEqual({
      unit: 'dns-dhcp',
      collection: 'dns_zones',
      label: 'Zones',
      added: 0,
      changed: 1,
      removed: 1,
    });
  }, 120_000);

  test('is nothing where everything is as the plan had it, and that is said', async () => {
    const plan = await lab();
    const [counted, seq] = [await revisions(), await house.lastAudit()];
    const heard = await restore(plan);
    expect(heard.body).toMatchObject({ collections: [], plan_id: null });
    expect([await revisions(), await house.audited(seq)]).toEqual([counted, ['plan.restore']]);
  }, 120_000);

  test('of one unit leaves the others as they are', async () => {
    await lab();
    await saved(['PATCH', '/api/v1/ntp/settings', { local_stratum: 7 }]);
    const plan = await applied({ units: ['ntp'] });
    await edit(['firewall', 'ntp']);
    const { firewall_rule } = await desired();
    expect((await restore(plan)).body).toMatchObject({ units: ['ntp'] });
    expect((await desired()).firewall_rule).toEqual(firewall_rule);
    expect((await api('GET', '/api/v1/ntp/settings')).body).toMatchObject({
      local_stratum: 7,
      hostname: 'ntp.lab.example',
    });
  }, 120_000);
});

describe('interfaces that moved since', () => {
  test('are followed by what comes back of a service, once', async () => {
    await lab();
    await saved(['PATCH', '/api/v1/ntp/settings', { local_stratum: 7 }]);
    const plan = await applied({ units: ['ntp'] });
    await saved(
      ['PATCH', '/api/v1/interfaces/physical/ens224', { ipv4_cidr: '192.168.77.2/24' }],
      ['PATCH', '/api/v1/ntp/settings', { local_stratum: 8 }],
    );
    expect((await restore(plan)).body).toMatchObject({ units: ['ntp'], followed_units: ['ntp'] });
    expect((await api('GET', '/api/v1/ntp/settings')).body).toMatchObject({
      local_stratum: 7,
      listen_addresses: ['192.168.77.2', '172.16.20.2'],
    });
    const counted = await revisions();
    expect((await restore(plan)).body).toMatchObject({ collections: [], followed: 0, plan_id: null });
    expect(await revisions()).toEqual(counted);
  }, 120_000);

  test('take other units along when they come back', async () => {
    await lab();
    const plan = await applied({ units: ['network'], reapply: true });
    await saved(['PATCH', '/api/v1/interfaces/physical/ens224', { ipv4_cidr: '192.168.77.2/24' }]);
    const heard = await restore(plan);
    expect(heard.body).toMatchObject({ units: ['network'] });
    expect(heard.body.followed_units).toEqual(
      expect.arrayContaining(['dns-dhcp', 'ntp', 'kms', 'private-cloud-services']),
    );
    expect((await api('GET', '/api/v1/kms/settings')).body.listen_addresses).toEqual(['192.168.10.2', '172.16.20.2']);
  }, 120_000);

  test('and are gone refuse it all, and name who needs them', async () => {
    await lab();
    const scope = await idOf('dhcp_scope', "name = 'vmotion'");
    const vlan = await idOf('interface', 'vlan_id = 30');
    const plan = await applied({ units: ['dns-dhcp'], reapply: true });
    await saved(
      ['PATCH', `/api/v1/dhcp/scopes/${scope}`, { enabled: false }],
      ['DELETE', `/api/v1/vlans/${vlan}`, undefined],
    );
    const [before, seq] = [await desired(), await house.lastAudit()];
    const heard = await restore(plan);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'dependents_refuse']);
    expect(heard.body.blockers).toMatchObject([
      { subject: 'DHCP scope vmotion', reason: 'It serves ens256.30, which would be deleted.' },
    ]);
    expect([await desired(), await house.audited(seq)]).toEqual([before, []]);
  }, 120_000);

  test('and came since refuse to go while a service of another unit needs them', async () => {
    await lab();
    const plan = await applied({ units: ['network'], reapply: true });
    await saved(
      ['POST', '/api/v1/vlans', { parent_interface: 'ens256', vlan_id: 50, ipv4_cidr: '172.16.50.2/24' }],
      ['PATCH', '/api/v1/kms/settings', { listen_interfaces: ['ens256.50'] }],
    );
    const before = await desired();
    const heard = await restore(plan);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'dependents_refuse']);
    expect(heard.body.blockers).toMatchObject([{ subject: 'Key management' }]);
    expect(await desired()).toEqual(before);
  }, 120_000);

  test('and would overlap one that came since refuse it', async () => {
    const plan = await lab();
    await saved(['PATCH', '/api/v1/interfaces/physical/ens224', { ipv4_cidr: '192.168.77.2/24' }]);
    await house.services.store.write((tx) =>
      tx.run(
        `INSERT INTO interface (name, id, kind, role, mode, ipv4_cidr, enabled, updated_at)
         VALUES ('ens161', 'ens161', 'physical', 'access', 'access', '192.168.10.9/24', 1, '')`,
      ),
    );
    const heard = await restore(plan);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'state_conflict']);
    expect(heard.body.blockers[0]).toMatchObject({
      subject: 'Interface ens224',
      reason: expect.stringContaining('do not overlap'),
    });
  }, 120_000);

  test('and have another name refuse it', async () => {
    const plan = await lab();
    await saved(['PATCH', '/api/v1/ntp/settings', { local_stratum: 3 }]);
    await house.services.store.write((tx) =>
      tx.run("UPDATE interface SET name = 'eno9', id = 'eno9' WHERE name = 'ens224'"),
    );
    const heard = await restore(plan);
    expect(heard.status).toBe(409);
    expect(heard.text).toContain('Its adapter is called eno9 today.');
  }, 120_000);

  test('a rule of the firewall that names what is gone refuses it', async () => {
    await lab();
    const vlan = await idOf('interface', 'vlan_id = 30');
    const rule = await api('POST', '/api/v1/firewall/rules', {
      name: 'vMotion',
      action: 'accept',
      interface: 'ens256.30',
    });
    const plan = await applied({ units: ['firewall'], reapply: true });
    await saved(
      ['DELETE', `/api/v1/firewall/rules/${rule.body.id}`, undefined],
      ['PATCH', `/api/v1/dhcp/scopes/${await idOf('dhcp_scope', "name = 'vmotion'")}`, { enabled: false }],
      ['DELETE', `/api/v1/vlans/${vlan}`, undefined],
    );
    const heard = await restore(plan);
    expect(heard.body).toMatchObject({
      error_code: 'state_conflict',
      blockers: [{ subject: 'Firewall rule vMotion' }],
    });
  }, 120_000);
});

describe('reservations of hosts that boot', () => {
  test('come back as an operator’s own when the host was deleted', async () => {
    const plan = await lab();
    const host = await idOf('network_boot_host', "hostname = 'esx11.lab.example'");
    await saved(['DELETE', `/api/v1/network-boot/esxi-hosts/${host}`, undefined]);
    expect((await restore(plan)).status).toBe(200);
    const { body } = await api('GET', '/api/v1/dhcp/reservations?ip_address=172.16.20.41');
    expect(body.items).toMatchObject([{ hostname: 'esx11.lab.example', owner: null }]);
    expect((await restore(plan)).body.collections).toEqual([]);
  }, 120_000);

  test('give the host its former address', async () => {
    const plan = await lab();
    const host = await idOf('network_boot_host', "hostname = 'esx11.lab.example'");
    await saved(['PATCH', `/api/v1/network-boot/esxi-hosts/${host}`, { ip_address: '172.16.20.42' }]);
    expect((await restore(plan)).body).toMatchObject({ followed: 1, followed_units: ['network-boot'] });
    expect((await api('GET', `/api/v1/network-boot/esxi-hosts/${host}`)).body).toMatchObject({
      ip_address: '172.16.20.41',
    });
  }, 120_000);

  test('that did not exist yet are not taken from their host', async () => {
    const plan = await lab();
    const host = { hostname: 'esx13', mac_address: '00:50:56:01:11:03', ip_address: '172.16.20.43' };
    await saved(['POST', '/api/v1/network-boot/esxi-hosts', host]);
    const heard = await restore(plan);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'state_conflict']);
    expect(heard.body.blockers).toMatchObject([{ subject: 'ESXi host esx13' }]);
  }, 120_000);
});

describe('what can not come back', () => {
  const conflict = async (plan: string, words: string | RegExp) => {
    const seq = await house.lastAudit();
    const heard = await restore(plan);
    expect([heard.status, heard.body.error_code]).toEqual([409, 'state_conflict']);
    expect(heard.body.detail).toMatch(words);
    expect(await house.audited(seq)).toEqual([]);
  };
  const forget = (plan: string) =>
    house.services.store.write((tx) => tx.run('UPDATE plan SET applied_rows = NULL WHERE id = ?', [plan]));

  test('a plan of an earlier release, one that was only reviewed, one whose file is gone, and none', async () => {
    const plan = await lab();
    await edit(['ntp']);
    const open = (await api('POST', PLANS, {})).body.id;
    await conflict(open, 'This plan is open');
    rmSync(join(house.data, 'apply/rows'), { recursive: true });
    await conflict(plan, 'is not kept');
    await forget(plan);
    await conflict(plan, /earlier release/);
    expect((await restore('plan_none')).status).toBe(404);
  }, 120_000);

  test('anything while an apply owns all mutations', async () => {
    const plan = await lab();
    await house.services.store.write((tx) =>
      tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '2026-01-01T00:00:00.000Z')"),
    );
    expect((await restore(plan)).status).toBe(423);
  }, 120_000);

  test('what the caller may not write', async () => {
    const plan = await lab();
    const seq = await house.lastAudit();
    const by = async (role: 'viewer' | 'network-admin' | 'service-admin') => {
      const { token } = await house.actor(role);
      const { status, body } = await house.send('POST', `${PLANS}/${plan}/restore`, { token });
      return [status, body.error_code, body.required_scope ?? body.scope];
    };
    expect(await by('viewer')).toEqual([403, 'insufficient_scope', 'write:apply']);
    expect(await by('network-admin')).toEqual([403, 'insufficient_scope', 'write:dns']);
    expect(await by('service-admin')).toEqual([403, 'insufficient_scope', 'write:interfaces']);
    expect(await house.audited(seq)).toEqual([]);
  }, 120_000);
});

describe('what is kept', () => {
  test('every table and document of desired state belongs to a unit, or is left out on purpose', async () => {
    await open();
    const { store } = house.services;
    const columns = async (table: string) =>
      (await store.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)).map(({ name }) => name);
    const tables = await store.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const desiredTables: string[] = [];
    for (const { name } of tables) {
      const all = await columns(name);
      if (all.includes('revision') && name !== 'user') desiredTables.push(name);
    }
    const ofUnits = MANIFESTS.flatMap((unit) => unit.tables.map(({ name }) => name));
    // A copy of a sealed value would outlive its deletion; the others take effect at once. None of them is desired state.
    const left = ['vault', 'vault_entry', 'certificate_profile', 'archive_target', 'kms_provider', 'oidc_client'];
    left.push('alert_receiver', 'alert_receiver_secret', 'scim_target', 'second_factor_policy', 'sign_in_provider');
    expect(desiredTables.sort()).toEqual([...ofUnits, ...left, 'interface', 'unit_settings'].sort());
    for (const kept of Object.values(KEPT).flatMap((unit) => unit?.tables ?? [])) {
      const own = ['id', ...kept.columns, ...(kept.apart ?? []), 'revision', 'created_at', 'updated_at'];
      expect({ table: kept.name, columns: (await columns(kept.name)).sort() }).toEqual({
        table: kept.name,
        columns: own.sort(),
      });
    }
    const enforced = SETTINGS.filter(({ unit, key }) => KEPT[unit] !== null && key !== 'network').map(({ key }) => key);
    expect(DOCUMENTS.filter((key) => key !== 'dhcp-legacy-binding').sort()).toEqual(enforced.sort());
  });

  test(`are the rows of the last ${PLANS_KEPT} applied plans, and no other files`, async () => {
    const plan = await lab();
    const { store } = house.services;
    const kept = async () =>
      (await store.all<{ id: string }>('SELECT id FROM plan WHERE applied_rows IS NOT NULL ORDER BY id')).map(
        ({ id }) => id,
      );
    const files = () => readdirSync(join(house.data, 'apply/rows'));
    expect([(await kept()).length, files().length]).toEqual([2, 12]);
    await store.write((tx) =>
      tx.run(
        `INSERT INTO plan (id, state, digest, document, created_by, created_at, finished_at, applied_rows)
         WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ?1)
         SELECT 'plan_' || value, iif(value < ?1, 'applied', 'failed'), '', '{"units":[]}', '', '',
           '9999-01-01T00:00:00.000Z', '{}' FROM n`,
        [PLANS_KEPT],
      ),
    );
    const later = { now: () => new Date(Date.now() + 2 * 86_400_000) };
    const prune = () => scheduled.spec.run({ ...house.services, clock: later }, {} as never);
    await prune();
    expect(await kept()).toHaveLength(PLANS_KEPT);
    expect([await kept().then((all) => all.includes(plan)), files()]).toEqual([false, []]);
  }, 120_000);
});

describe('the pages', () => {
  const PAGE = '/ui/management/appliance-apply';
  const page = async (target: string, role: 'admin' | 'viewer' = 'admin') => {
    const session = role === 'admin' ? admin : await house.actor(role);
    const heard = await house.send('GET', target, { session });
    expect(heard.text).not.toContain(' style=');
    return heard;
  };

  test('mark what can come back, ask with the counts, and lead to the review of the new plan', async () => {
    const plan = await lab();
    await edit(['ntp']);
    const waiting = (await api('POST', PLANS, {})).body.id;
    const history = (await page(PAGE)).text;
    expect(history).toContain(`href="${PAGE}/${plan}/restore"`);
    expect(history).not.toContain(`${waiting}/restore`);
    expect((await page(`${PAGE}/${plan}`)).text).toContain('Restore this configuration');
    const asked = await page(`${PAGE}/${plan}/restore`);
    expect(asked.status).toBe(200);
    expect(asked.text).toMatch(/Time sources.*NTP.*>1<.*>0<.*>1</s);
    const sent = await house.send('POST', `${PAGE}/${plan}/restore`, { session: admin, form: {} });
    // The edits were never applied: what came back is in force already.
    expect([sent.status, sent.headers.location]).toEqual([303, `${PAGE}/${plan}`]);
    expect((await page(`${PAGE}/${plan}/restore`)).text).toContain('nothing differs');
    await edit(['ntp']);
    await applied();
    const next = await house.send('POST', `${PAGE}/${plan}/restore`, { session: admin, form: {} });
    expect(next.headers.location).toMatch(/appliance-apply\/plan_/);
    expect(next.headers.location).not.toContain(plan);
    expect((await page(next.headers.location!)).text).toContain('Apply 2 units');
  }, 120_000);

  test('name what stands in the way', async () => {
    const plan = await lab();
    const host = { hostname: 'esx13', mac_address: '00:50:56:01:11:03', ip_address: '172.16.20.43' };
    await saved(['POST', '/api/v1/network-boot/esxi-hosts', host]);
    const sent = await house.send('POST', `${PAGE}/${plan}/restore`, { session: admin, form: {} });
    expect([sent.status, sent.text]).toEqual([409, expect.stringContaining('ESXi host esx13')]);
    const forged = { cookie: admin.cookie, csrf: 'x' };
    expect((await house.send('POST', `${PAGE}/${plan}/restore`, { session: forged, form: {} })).status).toBe(403);
  }, 120_000);

  test('offer nothing to those who only look', async () => {
    const plan = await lab();
    expect((await page(`${PAGE}/${plan}/restore`, 'viewer')).status).toBe(403);
    expect((await page(PAGE, 'viewer')).text).not.toContain('/restore');
    // It is in force: there is nothing to bring back.
    expect((await page(`${PAGE}/${plan}`, 'viewer')).text).not.toContain('Restore this configuration');
  }, 120_000);
});
