// Users and groups that are pushed to a SCIM service of another author: by difference, with what is not ours left alone.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ENTRIES_FILE } from '../../../shared/services/ldap/files.ts';
import { putInForce, SLUG } from '../../setup/automation-ldap-house.ts';
import { groupsAt, ScimScene, usersAt } from '../../setup/scim-scene.ts';

jest.setTimeout(120_000);

let scene: ScimScene;
beforeAll(async () => {
  scene = await ScimScene.open({}, true);
});
afterAll(() => scene.close());

/** Changes the directory, as an apply does. */
const applied = () => putInForce(scene.house);
const userOf = async (uid: string) => (await scene.api('GET', `/api/v1/ldap/users?uid=${uid}`)).items[0];
const groupOf = async (name: string) => (await scene.api('GET', `/api/v1/ldap/groups?name=${name}`)).items[0];
const change = async (path: string, body: object) => scene.api('PATCH', `/api/v1/ldap/${path}`, body);
const writes = (calls: readonly string[]) => calls.filter((call) => !call.startsWith('GET'));

test('everybody of the directory is created with groups and members, and a second push sends nothing', async () => {
  const fake = await scene.fake();
  const at = await scene.directoryTarget(fake);
  const first = await scene.push(at);
  expect([first.state, first.result.created, first.result.refused]).toEqual(['succeeded', 5, 0]);
  expect(usersAt(fake)).toEqual(['ada', 'grace']);
  expect(groupsAt(fake)).toEqual(['admins: ada', 'nobody-yet:', 'operators: ada']);
  const ada = [...fake.users.values()].find(({ userName }) => userName === 'ada')!;
  const { entry_uuid, display_name } = await userOf('ada');
  expect(ada).toMatchObject({
    externalId: entry_uuid,
    displayName: display_name,
    name: { familyName: 'Lovelace' },
    emails: [{ value: 'ada@lab.test', primary: true }],
    active: true,
    'urn:ietf:params:scim:schemas:extension:ws1b:2.0:User': { domain: 'automation.test' },
  });
  const operators = [...fake.groups.values()].find(({ displayName }) => displayName === 'operators')!;
  expect(operators.externalId).toBe((await groupOf('operators')).entry_uuid);

  fake.calls.length = 0;
  const second = await scene.push(at);
  expect([second.state, second.result.unchanged]).toEqual(['succeeded', 5]);
  expect(writes(fake.calls)).toEqual([]);
  expect(await scene.api('GET', at)).toMatchObject({ last_outcome: 'succeeded', last_reason: '', next_at: null });
});

test('what changed is changed there: a name, members, and who left is deactivated and comes back', async () => {
  const fake = await scene.fake();
  const at = await scene.directoryTarget(fake);
  await scene.push(at);
  const { id, display_name } = await userOf('grace');
  const { id: operators } = await groupOf('operators');
  await change(`users/${id}`, { display_name: 'Grace B. Hopper' });
  await change(`groups/${operators}`, { member_users: ['grace'] });
  await applied();
  fake.calls.length = 0;
  expect((await scene.push(at)).result).toMatchObject({ updated: 3, unchanged: 2, refused: 0 });
  expect(writes(fake.calls)).toEqual(['PUT /Users/{id}', ...new Array(4).fill('PATCH /Groups/{id}')]);
  expect(groupsAt(fake)).toEqual(['admins: grace', 'nobody-yet:', 'operators: grace']);
  expect([...fake.users.values()].map(({ displayName }) => displayName)).toContain('Grace B. Hopper');

  // Without an apply: who is disabled is out at once.
  await change(`users/${id}`, { enabled: false });
  expect((await scene.push(at)).result).toMatchObject({ deactivated: 1 });
  expect([usersAt(fake), groupsAt(fake)]).toEqual([
    ['-grace', 'ada'],
    ['admins:', 'nobody-yet:', 'operators:'],
  ]);
  fake.calls.length = 0;
  await scene.push(at);
  expect(writes(fake.calls)).toEqual([]);
  expect(await scene.objects(at)).toContain('user grace deactivated');

  await change(`users/${id}`, { enabled: true, display_name });
  await change(`groups/${operators}`, { member_users: ['ada'] });
  await applied();
  await scene.push(at);
  expect([usersAt(fake), groupsAt(fake)]).toEqual([
    ['ada', 'grace'],
    ['admins: ada', 'nobody-yet:', 'operators: ada'],
  ]);
});

test('the mapping of the client and the groups of the target say who is pushed, and as what; who left is removed', async () => {
  const fake = await scene.fake();
  const sends_groups = [
    { group: 'operators', as: 'vc-ops' },
    { group: 'nobody-yet', as: 'vc-none' },
  ];
  const at = await scene.directoryTarget(fake, { sends_groups }, { departed: 'remove' });
  await scene.push(at);
  expect([usersAt(fake), groupsAt(fake)]).toEqual([['ada'], ['vc-none:', 'vc-ops: ada']]);

  const { base_url } = fake;
  const refused = await scene.send('PUT', at, { base_url, groups: ['vc-opps'] });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/groups']);
  await scene.api('PUT', at, { base_url, groups: ['VC-OPS'], departed: 'remove' });
  await scene.push(at);
  expect(groupsAt(fake)).toEqual(['vc-ops: ada']);

  const grace = await userOf('grace');
  const operators = await groupOf('operators');
  await change(`groups/${operators.id}`, { member_users: ['grace'] });
  await applied();
  await scene.push(at);
  expect([usersAt(fake), groupsAt(fake)]).toEqual([['grace'], ['vc-ops: grace']]);
  expect([...fake.users.values()][0]!.externalId).toBe(grace.entry_uuid);
  expect(await scene.objects(at)).toContain('user ada removed');
  await change(`groups/${operators.id}`, { member_users: ['ada'] });
  await applied();
});

test('people of the appliance are pushed with their roles; sub of the tokens is their externalId', async () => {
  const fake = await scene.fake();
  const target = { groups: ['admin'], domain: 'Lab.Example' };
  const at = await scene.target(fake, { sends_groups: [] }, target);
  await scene.push(at);
  expect(usersAt(fake)).toEqual([scene.admin.user.name]);
  expect(groupsAt(fake)).toEqual([`admin: ${scene.admin.user.name}`]);
  expect([...fake.users.values()][0]).toMatchObject({
    emails: [{ value: `${scene.admin.user.name}@lab.example` }],
    'urn:ietf:params:scim:schemas:extension:ws1b:2.0:User': { domain: 'lab.example' },
  });
});

test('users and groups that somebody else made are untouched, and a taken name is said in words', async () => {
  const fake = await scene.fake();
  const at = await scene.directoryTarget(fake);
  const domain = { 'urn:ietf:params:scim:schemas:extension:ws1b:2.0:User': { domain: 'automation.test' } };
  const foreign = fake.addUser({ userName: 'Ada', externalId: 'okta-1', ...domain });
  const other = fake.addUser({ userName: 'root', ...domain });
  const admins = fake.addGroup({ displayName: 'Admins', members: [{ value: other.id }] });
  const before = structuredClone([foreign, other, admins]);
  fake.hidden.push({ userName: 'grace', ...domain });
  const job = await scene.push(at);
  expect([job.state, job.result.refused]).toEqual(['succeeded', 3]);
  expect([fake.users.get(foreign.id), fake.users.get(other.id), fake.groups.get(admins.id)]).toEqual(before);
  expect(await scene.reason(at, 'ada')).toMatch(/^The target already has a user ada, who was not made from here/);
  expect(await scene.reason(at, 'grace')).toMatch(
    /^The target refuses the name grace as taken, but does not list a user of that name/,
  );
  expect(await scene.reason(at, 'admins')).toMatch(/^The target has a group admins already, which was not made from/);
  expect(await scene.reason(at, 'operators')).toBe('Members who are left out, since the target refused them: 1.');
  const standing = await scene.api('GET', at);
  expect([standing.last_outcome, standing.last_reason]).toEqual(['partly', 'Refused: 3.']);
  expect(standing.next_at > standing.last_at).toBe(true);

  // A foreign member of one of our groups stays in it.
  const operators = [...fake.groups.values()].find(({ displayName }) => displayName === 'operators')!;
  operators.members = [{ value: other.id }];
  fake.users.delete(foreign.id);
  await scene.push(at);
  expect(groupsAt(fake)).toContain('operators: ada root');
});

test('lists that leave members out, and pages shorter than asked for, are read all the same', async () => {
  const fake = await scene.fake({ page_most: 1, lean_lists: true });
  const at = await scene.directoryTarget(fake);
  await scene.push(at);
  fake.calls.length = 0;
  await scene.push(at);
  expect([writes(fake.calls), groupsAt(fake)]).toEqual([[], ['admins: ada', 'nobody-yet:', 'operators: ada']]);
});

test('without a directory in force nothing is pushed, and a push that would put everybody out is refused', async () => {
  const fake = await scene.fake();
  const at = await scene.directoryTarget(fake);
  await scene.push(at);
  const { host } = scene.house.services;
  const content = (await host.read(ENTRIES_FILE))!;
  await host.remove(ENTRIES_FILE);
  fake.calls.length = 0;
  const off = await scene.push(at);
  expect([off.state, off.error.detail]).toEqual(['failed', expect.stringContaining('The directory is not in force')]);
  const entries = JSON.parse(content);
  entries.organizations[0].users = [];
  await host.write({ path: ENTRIES_FILE, content: JSON.stringify(entries), mode: 0o640 });
  const nobody = await scene.push(at);
  await host.write({ path: ENTRIES_FILE, content, mode: 0o640 });
  expect([nobody.state, nobody.error.detail]).toEqual([
    'failed',
    expect.stringContaining('No user is left to be pushed'),
  ]);
  expect([fake.calls, usersAt(fake)]).toEqual([[], ['ada', 'grace']]);
  expect((await scene.api('GET', at)).last_reason).toContain('No user is left to be pushed');
  expect(entries.organizations[0].slug).toBe(SLUG);
});
