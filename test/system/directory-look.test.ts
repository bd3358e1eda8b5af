// How drift is looked for in a tree with the real slapd: in short, at what was written since it was left as it is to be; and as a
// whole, which finds also what slapd was made to hide.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseEntries } from '../../shared/services/ldap/entries.ts';
import { differencesOf } from '../../shared/services/ldap/follow/follow.ts';
import { Slapd, SUFFIX } from './slapd-scene.ts';

const SLOW = 120_000;
const WHOLE = /-s sub \(objectClass=\*\)/;
const USER = `uid=user-5,ou=people,${SUFFIX}`;
const CHANGE = `dn: ${USER}\nchangetype: modify\nreplace: mail\nmail: evil@lab.test\n`;

let slapd: Slapd;
let text: string;
beforeEach(async () => {
  slapd = await Slapd.open();
  text = slapd.text(slapd.organization(30));
  expect(await slapd.follow(text)).toMatchObject({ refused: [], faults: [] });
}, SLOW);
afterEach(() => slapd.close());

/** What differs, and whether the whole tree was read for it. */
async function look(how: 'touched' | 'all') {
  slapd.ran.length = 0;
  const applied = parseEntries(text);
  const [organization] = applied.entries.organizations;
  const { changes } = await differencesOf(slapd.host, organization!, applied, {
    hashOf: () => '?',
    look: how,
    left: slapd.left,
  });
  return { differs: changes.map(({ dn }) => dn), whole: slapd.ran.some((line) => WHOLE.test(line)) };
}

test('of a tree that nobody wrote to, nothing is read but what it tells of itself', async () => {
  expect(await look('touched')).toEqual({ differs: [], whole: false });
  expect(await look('all')).toEqual({ differs: [], whole: true });
});

test('a service that begins anew reads it once, and from then on in short', async () => {
  slapd.forget();
  expect(await look('touched')).toEqual({ differs: [], whole: true });
  expect(await look('touched')).toEqual({ differs: [], whole: false });
});

describe('what was changed by hand is told', () => {
  test.each([
    ['a change', CHANGE, [USER], false],
    [
      'an entry more',
      `dn: cn=odd,ou=people,${SUFFIX}\nchangetype: add\nobjectClass: organizationalRole\ncn: odd\n`,
      [`cn=odd,ou=people,${SUFFIX}`],
      false,
    ],
    ['one that went', `dn: ${USER}\nchangetype: delete\n`, [USER], true],
  ])('%s', async (_what, ldif, differs, whole) => {
    await slapd.byHand(ldif);
    expect(await look('touched')).toEqual({ differs, whole });
    expect(await look('all')).toEqual({ differs, whole: true });
    // What the clock found stays found until it is put right.
    expect(await look('touched')).toEqual({ differs, whole: true });
    await slapd.follow(text);
    expect(await look('touched')).toEqual({ differs: [], whole: false });
  });

  test('a change that slapd did not see is found by the clock, and from then on by whoever looks', async () => {
    await slapd.kill();
    await slapd.offline((ldif) => ldif.replace('mail: user-5@lab.test', 'mail: evil@lab.test'));
    await slapd.start();
    expect(await look('touched')).toEqual({ differs: [], whole: false });
    expect((await look('all')).differs).toEqual([USER]);
    expect((await look('touched')).differs).toEqual([USER]);
    await slapd.follow(text);
    expect(await look('all')).toEqual({ differs: [], whole: true });
  });

  test('a tree that was lost and started anew is none that was left', async () => {
    await slapd.kill();
    slapd.loseData();
    await slapd.start();
    const { differs, whole } = await look('touched');
    expect([differs.length > 30, whole]).toEqual([true, true]);
  });
});
