// One life of an appliance with a directory that is killed in the middle of an apply: it starts, lets the job that the former
// life left behind come to its end, says how that ended and what slapd holds, saves one more edit, applies it, and kills itself
// at the named step. slapd goes on running between the lives.
// Arguments: data folder, namespace, step at which to die, number of this life.
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startAppliance } from '../../runtime/appliance.ts';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import { instant } from '../../shared/ground/clock.ts';
import { verifyAudit } from '../../shared/kernel/audit/audit.ts';
import { sha256 } from '../../shared/platform/applied/baseline.ts';
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { ensureServerCertificate } from '../../shared/platform/certificate-authority/issue.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { ENTRIES_FILE } from '../../shared/services/ldap/files.ts';
import { searchDirectory } from '../../shared/services/ldap/follow/socket.ts';
import { appliedOf, userDn } from '../../shared/services/ldap/follow/wanted.ts';
import { argon2idHash, markOf } from '../../shared/services/ldap/password-hash.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';

const [data = '', namespace = '', dieAt = '', life = '0'] = process.argv.slice(2);
const SUFFIX = 'dc=lab,dc=test';
/** Milliseconds for slapd to be brought to the file: the follower looks ten times a second. */
const FOLLOWED_MS = 30_000;
const units = [networkUnit, ldapUnit];
const environment = { GROUNDCREW_DATA: data, GROUNDCREW_HOST: `namespace:${namespace}`, GROUNDCREW_LOG_LEVEL: 'error' };
const services = await openServices(readConfig(environment));
const { store, host } = services;
const appliance = await startAppliance({
  services,
  assets: { manifest: {}, serve: () => false },
  listen: { host: '127.0.0.1', port: 0 },
  public_listen: null,
  tls: null,
});

const say = (fact: Record<string, unknown>): void => void writeSync(1, `${JSON.stringify(fact)}\n`);

if (life === '0') await found();
else await afterlife();
services.checkpoint = (step) => {
  if (step === dieAt) process.kill(process.pid, 'SIGKILL');
};
await edit(Number(life) + 1);
await apply();
say({ life, survived: true });
await appliance.stop();

async function found(): Promise<void> {
  const links = await host.links();
  const now = instant(services.clock.now());
  await store.write(async (tx) => {
    await refreshInterfaces(tx, services, links);
    await tx.run(
      "UPDATE interface SET role = 'management', enabled = 1, ipv4_cidr = '10.77.0.1/24' WHERE name = 'mgmt0'",
    );
    await tx.run("UPDATE interface SET role = 'access', enabled = 1, ipv4_cidr = '10.88.0.1/24' WHERE name = 'lab0'");
    const settings = {
      'certificate-authority': { enabled: true, key_algorithm: 'ecdsa-p256' },
      ldap: { enabled: true, hostname: 'ldap.lab.test', listen_interfaces: ['lab0'] },
    };
    for (const [unit, document] of Object.entries(settings))
      await tx.run('INSERT INTO unit_settings (unit, document, updated_at) VALUES (?, ?, ?)', [
        unit,
        JSON.stringify(document),
        now,
      ]);
    await tx.run(
      "INSERT INTO ldap_organization (id, slug, suffix, created_at, updated_at) VALUES ('o', 'lab', ?, ?, ?)",
      [SUFFIX, now, now],
    );
    await tx.run(
      `INSERT INTO ldap_user (id, organization_id, uid, kind, given_name, surname, display_name, mail, telephone,
         entry_uuid, created_at, updated_at)
       VALUES ('u', 'o', 'ada', 'person', '', 'Lovelace', '', 'life0@lab.test', '', '00000000-0000-4000-8000-000000000001', ?1, ?1)`,
      [now],
    );
    await tx.run(
      `INSERT INTO ldap_group (id, organization_id, name, member_users, member_groups, entry_uuid, created_at, updated_at)
       VALUES ('g', 'o', 'life-0', '["ada"]', '[]', '00000000-0000-4000-8000-000000000002', ?1, ?1)`,
      [now],
    );
    const hash = await argon2idHash('a passphrase of this test');
    await tx.run(
      `INSERT INTO ldap_password (id, user_id, hash, mark, settled, created_at, updated_at) VALUES ('p', 'u', ?, ?, 1, ?, ?)`,
      [hash, markOf(hash), now, now],
    );
    await createRoot(tx, services, 'test');
  });
  await apply();
  say({ founded: await jobState() });
}

/** The user, and the group under another name: entries that are changed, go, and come. */
async function edit(n: number): Promise<void> {
  await store.write(async (tx) => {
    await tx.run("UPDATE ldap_user SET mail = ? WHERE id = 'u'", [`life${n}@lab.test`]);
    await tx.run("UPDATE ldap_group SET name = ? WHERE id = 'g'", [`life-${n}`]);
  });
}

async function valuesOf(dn: string, name: string): Promise<string[]> {
  const [entry] = await searchDirectory(host, dn, [name], 'base');
  return [...(entry?.attributes[name] ?? [])];
}

/** Waits for the job that was interrupted, and until slapd tells of the file that is in force. */
async function afterlife(): Promise<void> {
  appliance.runner.wake();
  await appliance.runner.idle();
  const began = performance.now();
  const digest = sha256((await host.read(ENTRIES_FILE)) ?? '');
  const told = async () => (await valuesOf(appliedOf(SUFFIX), 'description'))[0];
  while ((await told()) !== digest && performance.now() - began < FOLLOWED_MS) await pause(50);
  const groups = await searchDirectory(host, `ou=groups,${SUFFIX}`, ['cn'], 'sub');
  say({
    life,
    job: await jobState(),
    locks: await store.all('SELECT scope FROM mutation_lock'),
    applied: await store.one("SELECT desired_version = applied_version AS yes FROM unit_state WHERE unit = 'ldap'"),
    told: (await told()) === digest,
    mail: await valuesOf(userDn('ada', SUFFIX), 'mail'),
    memberOf: await valuesOf(userDn('ada', SUFFIX), 'memberOf'),
    uuid: await valuesOf(userDn('ada', SUFFIX), 'entryUUID'),
    groups: groups.flatMap(({ attributes }) => attributes.cn ?? []),
    audit: (await verifyAudit(store, services.keys)).ok,
  });
}

async function jobState(): Promise<string | undefined> {
  return (await store.one<{ state: string }>('SELECT state FROM job ORDER BY created_at DESC, rowid DESC LIMIT 1'))
    ?.state;
}

async function apply(): Promise<void> {
  const wanted = await ldapUnit.certificate!(store);
  if (wanted) await ensureServerCertificate(services, wanted);
  const prepared = await preparePlan(services, units, 'test');
  const { id, digest } = prepared.plan;
  await store.write((tx) => storePlan(tx, prepared));
  await store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'test'));
  appliance.runner.wake();
  await appliance.runner.idle();
}
