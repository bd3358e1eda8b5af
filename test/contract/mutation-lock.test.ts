// What goes on while a guarded operation owns all mutations: whatever ends access, whatever ends the lock, and dry runs.
// Each operation declares it; test/contract/audit.test.ts plays every one of them against a lock.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GOES_ON, openApiDocument } from '../../shared/kernel/operation/openapi.ts';
import { takesDryRun, waitsForLock } from '../../shared/kernel/operation/operation.ts';
import { House } from '../setup/house.ts';
import { SCENARIOS } from './scenarios/all.ts';
import { EVERYTHING, newScene, play, type Scene, scenarioOf } from './scenarios/scenario.ts';

/** Why an operation goes on → which do. A form goes on where its operation does. */
const GO_ON: Record<string, readonly string[]> = {
  'it ends access': [
    'changeApiTokens',
    'changeOwnPassword',
    'closeTerminalFiles',
    'deleteDepotUser',
    'deleteSignInProvider',
    'deleteUser',
    'endOidcSession',
    'endOidcSessions',
    'endOtherSessions',
    'endOwnSession',
    'endOwnSessions',
    'endUserSession',
    'endUserSessions',
    'makeOwnRecoveryCodes',
    'removeOwnSecondFactor',
    'resetUserSecondFactors',
    'revokeApiToken',
    'revokeBootAttempt',
    'publicSignOut',
    'signOut',
  ],
  'it ends access, and refuses to give any while locked': ['changeUsers', 'updateDepotUser', 'updateUser'],
  'it ends the lock': ['cancelJob', 'cancelPlan', 'changeJobs', 'clearConfirmWindow', 'confirmPlan', 'extendPlan'],
  'the way to all of these, which refuses to give any while locked': ['beginExternalSignIn', 'finishExternalSignIn'],
  'the way to all of these': ['publicSignIn', 'signIn', 'secondFactor', 'passkey', 'enrol', 'enrolConfirm'],
  'it refuses by itself, as long as nothing is saved': ['publicChangeDirectoryPassword'],
  'it makes access harder': ['beginOwnPasskey', 'beginOwnTotp', 'confirmOwnPasskey', 'confirmOwnTotp'],
  'it changes nothing that an apply reads': [
    'chooseTheme',
    'getKickstart',
    'revealVaultEntry',
    'loadKickstartText',
    'startBootAttempt',
    'validateKickstart',
  ],
};

const specs = EVERYTHING.map(({ spec }) => spec);
const goesOn = specs.filter((spec) => spec.effect !== 'read' && !waitsForLock(spec));
const isWizard = ({ path }: { path: string }) =>
  /\/(vcf-helper|remote-trust|vault-import|vaults\/import|kms\/vcenter|ldap\/automation|storage\/hosts)/.test(path);

let house: House;
let scene: Scene;

beforeAll(async () => {
  house = await House.open();
  scene = newScene(house, await house.actor('admin'));
});
afterAll(() => house.close());

test('these operations go on, and no other does', () => {
  const own = goesOn.filter((spec) => !(spec.form && isWizard(spec))).map(({ id }) => id.replace(/Form$/, ''));
  expect([...new Set(own)].sort()).toEqual(Object.values(GO_ON).flat().sort());
});

test('a form goes on exactly where its operation does', () => {
  const ids = new Set(goesOn.map(({ id }) => id));
  const forms = specs.filter(({ id, form }) => form && specs.some((spec) => `${spec.id}Form` === id));
  expect(forms.length).toBeGreaterThan(20);
  expect(forms.filter(({ id }) => ids.has(id) !== ids.has(id.replace(/Form$/, ''))).map(({ id }) => id)).toEqual([]);
});

test('the document says of each of them that it goes on, and of no other', () => {
  const { paths } = openApiDocument(EVERYTHING, { base_url: '', version: '1', tags: {} });
  const described = Object.values(paths!).flatMap((path) =>
    Object.values(path as Record<string, { operationId: string; description: string }>),
  );
  const said = described
    .filter(({ description }) => description.includes(GOES_ON))
    .map(({ operationId }) => operationId);
  expect(said.sort()).toEqual(
    goesOn
      .filter(({ plane }) => plane === 'api')
      .map(({ id }) => id)
      .sort(),
  );
});

const dry = specs
  .filter((spec) => takesDryRun(spec) && spec.plane === 'api')
  .filter((spec) => scenarioOf(SCENARIOS, spec))
  .map((spec) => [spec.id, spec] as const);

test.each(dry)('a dry run of %s goes on; the mutation itself waits', async (_id, spec) => {
  const scenario = scenarioOf(SCENARIOS, spec)!;
  const given = (await scenario.given?.(scene)) ?? {};
  const { store } = house.services;
  const answered = scenario.dry ?? scenario.status ?? Number(Object.keys(spec.answers)[0]);
  const dryRun = { ...scenario, query: `${scenario.query ? `${scenario.query}&` : '?'}dry_run=true` };
  await store.write((tx) =>
    tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_other', '2026-01-01T00:00:00.000Z')"),
  );
  const locked = await play(scene, spec, dryRun, given);
  const refused = await play(scene, spec, scenario, given);
  await store.write((tx) => tx.run("DELETE FROM mutation_lock WHERE job_id = 'job_other'"));
  await scenario.after?.(scene, given);
  expect([locked.status, refused.body.error_code]).toEqual([answered, 'mutation_locked']);
});
