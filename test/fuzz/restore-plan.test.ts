// Random edits, some of them applied, and an earlier plan brought back after each round: nothing is left of them.
// GROUNDCREW_FUZZ_RESTORES: how many rounds.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { api, house, PLANS, submitted } from '../handlers/apply/apply-scene.ts';
import { DIE, desired, lab, pending, randomEdit, restore } from '../handlers/apply/restore-plan-scene.ts';

const ROUNDS = Number(process.env.GROUNDCREW_FUZZ_RESTORES ?? 24);

/** Their files hold a certificate: a new one, for the former names, when an edit in between asked for other names.
 * Its purpose has the unit's name. */
const CERTIFIED = ['kms', 'private-cloud-services'];
const rendered = async () => {
  const { store } = house.services;
  const digests = await store.all<{ unit: string }>('SELECT unit, digest FROM unit_state ORDER BY unit');
  const certificates = await store.all<{ purpose: string }>(
    `SELECT DISTINCT purpose, names FROM issued_certificate
      WHERE replaced_at IS NULL AND revoked_at IS NULL ORDER BY purpose, names`,
  );
  return { digests: digests.filter(({ unit }) => !CERTIFIED.includes(unit)), certificates };
};

test('any edits are undone to the row, and what is in force afterwards is what the plan put in force', async () => {
  const plan = await lab();
  const before = await desired();
  const inForce = await rendered();
  expect(inForce.certificates.map(({ purpose }) => purpose)).toEqual(expect.arrayContaining(CERTIFIED));
  let made = 0;
  const rounds = fc.sample(fc.tuple(fc.array(DIE, { minLength: 1, maxLength: 12 }), fc.boolean()), {
    numRuns: ROUNDS,
    seed: 17,
  });
  for (const [edits, apply] of rounds) {
    for (const each of edits) made += (await randomEdit(each)) ? 1 : 0;
    if (apply) await api('POST', PLANS, {}).then(async ({ body }) => body.id && (await submitted(body)));
    const heard = await restore(plan);
    expect([heard.status, heard.text]).toEqual([200, heard.text]);
    expect(await desired()).toEqual(before);
    if (heard.body.plan_id) await submitted((await api('GET', `${PLANS}/${heard.body.plan_id}`)).body);
    expect([await pending(), await rendered()]).toEqual([[], inForce]);
  }
  expect(made).toBeGreaterThan(80);
}, 120_000);
