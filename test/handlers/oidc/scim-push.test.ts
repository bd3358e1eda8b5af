// Users and groups that are pushed to a SCIM service of another author: by difference, with what is not ours left alone.
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { putInForce } from '../../setup/automation-ldap-house.ts';
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
  expect(fake.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
  expect(await scene.api('GET', at)).toMatchObject({ last_outcome: 'succeeded', last_reason: '', next_at: null });
});
