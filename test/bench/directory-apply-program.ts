// A whole apply of one changed user in a large directory, with the real slapd in a network namespace (needs root): the plan made
// and checked, the files written, slapd brought to them, and asked over TLS whether it holds them. Printed in seconds.
import { performance } from 'node:perf_hooks';
import { preparePlan, storePlan } from '../../shared/appliance/apply/make-plan.ts';
import { submitPlan } from '../../shared/appliance/apply/submit.ts';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { networkUnit } from '../../shared/platform/network/unit.ts';
import { argon2idHash, markOf } from '../../shared/services/ldap/password-hash.ts';
import { testUsers } from '../../shared/services/ldap/transfer/test-users.ts';
import { ldapUnit } from '../../shared/services/ldap/unit.ts';
import { Directory } from '../system/directory-scene.ts';

const USERS = Number(process.env.LDAP_USERS ?? 10_000);
const GROUPS = Number(process.env.LDAP_GROUPS ?? 500);
const ROUNDS = 5;
const NOW = '2026-01-01T00:00:00Z';

const directory = await Directory.open();
const { services, appliance } = directory.house;
const uuid = (at: number, kind: number): string =>
  `00000000-0000-4000-8000-${String(kind * 1_000_000 + at).padStart(12, '0')}`;

async function sow(): Promise<void> {
  const { id } = await directory.api('POST', 'ldap/organizations', { slug: 'lab', suffix: 'dc=lab,dc=test' });
  const hash = await argon2idHash('a passphrase of the bench');
  const people = testUsers('bench', USERS);
  await services.store.write(async (tx) => {
    const rows = people.map(({ uid, given_name, surname }, at) => [
      `ldapuser_${at}`,
      uid,
      given_name,
      surname,
      uuid(at, 1),
    ]);
    await tx.run(
      `INSERT INTO ldap_user (id, organization_id, uid, kind, given_name, surname, display_name, mail, telephone,
         entry_uuid, created_at, updated_at)
       SELECT value ->> 0, ?2, value ->> 1, 'person', value ->> 2, value ->> 3, '', '', '', value ->> 4, ?3, ?3
         FROM json_each(?1)`,
      [JSON.stringify(rows), id, NOW],
    );
    await tx.run(
      `INSERT INTO ldap_password (id, user_id, hash, mark, settled, created_at, updated_at)
       SELECT 'pw' || id, id, ?1, ?2, 1, ?3, ?3 FROM ldap_user`,
      [hash, markOf(hash), NOW],
    );
    const groups = Array.from({ length: GROUPS }, (_, at) => [
      `ldapgroup_${at}`,
      `group-${at}`,
      JSON.stringify(people.filter((_person, user) => user % GROUPS === at).map(({ uid }) => uid)),
      uuid(at, 2),
    ]);
    await tx.run(
      `INSERT INTO ldap_group (id, organization_id, name, member_users, member_groups, entry_uuid, created_at, updated_at)
       SELECT value ->> 0, ?2, value ->> 1, value ->> 2, '[]', value ->> 3, ?3, ?3 FROM json_each(?1)`,
      [JSON.stringify(groups), id, NOW],
    );
  });
}

/** Seconds for the plan, and from its submission until it is applied. */
async function apply(): Promise<
  Record<'planned' | 'applied' | 'settled' | 'checked' | 'cost', number> & { tasks: string }
> {
  const began = performance.now();
  const before = process.cpuUsage();
  const prepared = await preparePlan(services, [networkUnit, ldapUnit], 'bench');
  const planned = performance.now();
  const { id, digest, units } = prepared.plan;
  await services.store.write((tx) => storePlan(tx, prepared));
  const { job_id } = await services.store.write((tx) => submitPlan(tx, services, id, { digest, note: '' }, 'bench'));
  services.notify('queue');
  // It is applied as soon as it says so; a look for drift, which is the clock's, comes after it in the same job.
  let succeeded = 0;
  const looking = setInterval(async () => {
    const row = await services.store.one('SELECT 1 AS yes FROM job WHERE id = ? AND finished_at IS NOT NULL', [
      job_id!,
    ]);
    if (row) succeeded ||= performance.now();
  }, 10);
  await appliance.runner.idle();
  clearInterval(looking);
  const ended = performance.now();
  const { user, system } = process.cpuUsage(before);
  const job = await findJob(services.store, job_id!);
  if (job.state !== 'succeeded') throw new Error(JSON.stringify(job.error));
  const checked = units.reduce((sum, { check }) => sum + (check?.duration_ms ?? 0), 0) / 1000;
  const tasks = job.tasks
    .flatMap(({ log }) => log)
    .map(({ at, text, duration_ms }) => `${at} ${duration_ms ?? '-'} ms ${text}`)
    .join('\n');
  return {
    planned: (planned - began) / 1000,
    applied: ((succeeded || ended) - planned) / 1000,
    settled: (ended - planned) / 1000,
    checked,
    cost: (user + system) / 1e6,
    tasks,
  };
}

const median = (values: readonly number[]): string => values.toSorted((a, b) => a - b)[values.length >> 1]!.toFixed(2);

try {
  await sow();
  await directory.api('PATCH', 'ldap/settings', {
    enabled: true,
    hostname: 'ldap.lab.test',
    listen_interfaces: ['lab0'],
    ldaps_enabled: true,
  });
  await directory.certify();
  const first = await apply();
  console.log(`  first plan ${first.planned.toFixed(2)} s, its apply ${first.applied.toFixed(2)} s`);
  const all: Awaited<ReturnType<typeof apply>>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await directory.api('PATCH', `ldap/users/ldapuser_${round}`, { mail: `round-${round}@lab.test` });
    all.push(await apply());
  }
  if (process.env.LDAP_TELL) console.log(all.at(-1)!.tasks);
  const of = (pick: (one: (typeof all)[number]) => number): string => median(all.map(pick));
  console.log(
    `  one user changed, ${ROUNDS} times (medians): ${of(({ planned, applied }) => planned + applied)} s in all: plan ${of(({ planned }) => planned)} s (of it checked by slapadd ${of(({ checked }) => checked)} s), apply ${of(({ applied }) => applied)} s, with the look for drift after it ${of(({ settled }) => settled)} s; ${of(({ cost }) => cost)} s of processor in this process`,
  );
} finally {
  await directory.close();
}
