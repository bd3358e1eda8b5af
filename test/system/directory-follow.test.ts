// Following the applied entries with the real slapd: what is read for one change, who wrote beside us, and kill -9 of slapd and of
// the service at each step, after which a tree tells one of two states, and is brought to the later one.

import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Host } from '../../shared/ground/machine/host.ts';
import { sha256 } from '../../shared/platform/applied/baseline.ts';
import { START } from '../../shared/services/ldap/files.ts';
import { appliedOf } from '../../shared/services/ldap/follow/wanted.ts';
import { Slapd, SUFFIX, said } from './slapd-scene.ts';

const USERS = 30;
const SLOW = 240_000;

let slapd: Slapd;
let before: string;
let after: string;
/** What a tree holds that was filled with them. */
const filled: Record<'before' | 'after' | 'empty', string[]> = { before: [], after: [], empty: [] };

function textsOf(from: Slapd): { before: string; after: string } {
  const organization = from.organization(USERS);
  const { users, groups } = organization;
  const changed = {
    ...organization,
    // One goes, one is new, one is another.
    users: [
      ...users.slice(1, -1),
      { ...users.at(-1)!, mail: 'other@lab.test' },
      { ...users[0]!, uid: 'new-one', entry_uuid: '00000000-0000-4000-8000-000000009999' },
    ],
    groups: groups.map((group) => ({ ...group, users: group.users.filter((uid) => uid !== 'user-0') })),
  };
  return { before: from.text(organization), after: from.text(changed) };
}

beforeAll(async () => {
  filled.before = await Slapd.saidOf((one) => textsOf(one).before);
  filled.after = await Slapd.saidOf((one) => textsOf(one).after);
}, SLOW);
beforeEach(async () => {
  slapd = await Slapd.open();
  ({ before, after } = textsOf(slapd));
  expect(await slapd.follow(before)).toMatchObject({ refused: [], faults: [] });
}, SLOW);
afterEach(() => slapd.close());

const WHOLE = /-s sub \(objectClass=\*\)/;
const readWhole = (): boolean => slapd.ran.splice(0).some((line) => WHOLE.test(line));
describe('one change', () => {
  test('is taken against what was left, without reading the tree', async () => {
    slapd.ran.length = 0;
    const { changed } = await slapd.follow(after);
    expect(readWhole()).toBe(false);
    // The user that goes, the new one, the changed one, the group of the first, and the entry that tells of them.
    expect(changed).toBe(5);
    expect(said(await slapd.tree())).toEqual(filled.after);
  });

  test('a service that begins anew reads the tree once, and no more', async () => {
    slapd.forget();
    slapd.ran.length = 0;
    expect(await slapd.follow(before, false)).toMatchObject({ changed: 0 });
    expect(readWhole()).toBe(false);
    await slapd.follow(after);
    expect(readWhole()).toBe(false);
    slapd.forget();
    await slapd.follow(before);
    expect(readWhole()).toBe(true);
    expect(said(await slapd.tree())).toEqual(filled.before);
  });

  test('memberOf goes through groups in groups, and is found', async () => {
    const tree = await slapd.tree();
    const memberOf = (dn: string) => tree.find((entry) => entry.dn === dn)!.attributes.memberOf?.toSorted();
    const groups = Array.from({ length: USERS / 10 }, (_, at) => `cn=group-${at},ou=groups,${SUFFIX}`);
    expect(memberOf(`uid=user-0,ou=people,${SUFFIX}`)).toEqual(groups);
    expect(memberOf(groups[1]!)).toEqual(groups.slice(2));
    expect(memberOf(`cn=reader,ou=system,${SUFFIX}`)).toEqual([`cn=readers,ou=system,${SUFFIX}`]);
  });
});

describe('who writes beside us', () => {
  const USER = `uid=user-5,ou=people,${SUFFIX}`;
  test.each([
    ['changes an entry', `dn: ${USER}\nchangetype: modify\nreplace: mail\nmail: evil@lab.test\n`, false],
    [
      'adds an entry',
      `dn: cn=odd \\28one\\29 \\2a,ou=people,${SUFFIX}\nchangetype: add\nobjectClass: organizationalRole\ncn: odd (one) *\n`,
      false,
    ],
    ['takes one away', `dn: ${USER}\nchangetype: delete\n`, true],
    [
      'takes one away and adds one',
      `dn: ${USER}\nchangetype: delete\n\ndn: cn=odd,ou=people,${SUFFIX}\nchangetype: add\nobjectClass: organizationalRole\ncn: odd\n`,
      true,
    ],
  ])('%s: it is put right with the next change', async (_name, ldif, whole) => {
    await slapd.byHand(ldif);
    slapd.ran.length = 0;
    expect(await slapd.follow(after)).toMatchObject({ refused: [], faults: [] });
    expect(readWhole()).toBe(whole);
    expect(said(await slapd.tree())).toEqual(filled.after);
  });

  test('the same entries once more read the whole tree', async () => {
    slapd.ran.length = 0;
    expect(await slapd.follow(before)).toMatchObject({ changed: 0 });
    expect(readWhole()).toBe(true);
  });

  test('a tree that was lost is filled, whatever was left in it', async () => {
    await slapd.kill();
    slapd.loseData();
    await slapd.start();
    expect(await slapd.follow(after)).toMatchObject({ refused: [], faults: [] });
    expect(said(await slapd.tree())).toEqual(filled.after);
  });
});

/** Runs ldapmodify with so many of its records, waits until slapd has taken them, and answers once `then` and it have ended. */
const stopped =
  (records: number, then: (child: ChildProcess) => Promise<void>): ((exec: Host['exec']) => Host['exec']) =>
  (exec) =>
  (program, args, options) => {
    if (program !== 'ldapmodify') return exec(program, args, options);
    const parts = options!.input!.split('\n\n').filter((part) => part !== '');
    const sent = Math.min(records, parts.length);
    const child = spawn('stdbuf', ['-oL', program, ...args], { stdio: 'pipe' });
    child.stdin.on('error', () => undefined);
    return new Promise((resolve, reject) => {
      let stdout = '';
      let done = false;
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk;
        if (done || (stdout.match(/ entry "/g) ?? []).length < sent) return;
        done = true;
        then(child).then(() => child.stdin.end(), reject);
      });
      child.on('close', (code) => resolve({ code: code ?? 128, stdout, stderr: '' }));
      child.stdin.write(
        parts
          .slice(0, sent)
          .map((part) => `${part}\n\n`)
          .join(''),
      );
      // Whoever sent all goes on to the end of its transaction.
      if (sent === parts.length) child.stdin.end();
    });
  };

/** As `exec`, and at its n-th call the world ends. */
function endingAt(at: number, how: 'before' | 'after', end: () => Promise<void>): (exec: Host['exec']) => Host['exec'] {
  let calls = 0;
  return (exec) => async (program, args, options) => {
    const mine = calls === at;
    calls += 1;
    if (mine && how === 'before') await end();
    const result = await exec(program, args, options);
    if (mine && how === 'after') await end();
    return result;
  };
}

const same: (exec: Host['exec']) => Host['exec'] = (exec) => exec;

/**
 * It tells one of both, and the later one only where it has all of it; whoever begins anew, knowing what was left or not,
 * brings it to the later one.
 */
async function oneOfTwo(former: string[], knows: boolean): Promise<string[]> {
  slapd.around = same;
  const found = await slapd.tree();
  const tree = said(found);
  const tells = (text: string): boolean => {
    const marker = found.find(({ dn }) => dn === appliedOf(SUFFIX));
    return marker?.attributes.description?.[0] === sha256(text);
  };
  if (tells(after)) expect(tree).toEqual(filled.after);
  else expect(tells(before)).toBe(former.length > 0);
  if (!knows) slapd.forget();
  expect(await slapd.follow(after, false)).toMatchObject({ refused: [], faults: [] });
  expect(said(await slapd.tree())).toEqual(filled.after);
  return tree;
}

describe('kill -9', () => {
  /** Of programs that one change runs: two to ask, two to read, one to write. */
  const STEPS = [0, 1, 2, 3, 4];

  test.each(STEPS.flatMap((at) => (['before', 'after'] as const).map((how) => [how, at] as const)))(
    'of slapd %s program %i of a change',
    async (how, at) => {
      slapd.around = endingAt(at, how, () => slapd.kill());
      await slapd.follow(after);
      await slapd.start();
      const tree = await oneOfTwo(filled.before, at % 2 === 0);
      // Written is what was committed, and nothing before.
      expect(tree).toEqual(how === 'after' && at === STEPS.at(-1) ? filled.after : filled.before);
    },
    SLOW,
  );

  test.each(STEPS.flatMap((at) => (['before', 'after'] as const).map((how) => [how, at] as const)))(
    'of the service %s program %i of a change',
    async (how, at) => {
      slapd.around = endingAt(at, how, () => Promise.reject(new Error('killed')));
      await expect(slapd.follow(after)).rejects.toThrow('killed');
      await oneOfTwo(filled.before, false);
    },
    SLOW,
  );

  test.each([1, 3, 5])('of slapd after %i of five entries were sent', async (records) => {
    slapd.around = stopped(records, () => slapd.kill());
    await slapd.follow(after);
    await slapd.start();
    await oneOfTwo(filled.before, true);
  });

  test.each([1, 3])('of the service, and what it runs, after %i of five entries were sent', async (records) => {
    slapd.around = stopped(records, async (child) => void child.kill('SIGKILL'));
    const { faults } = await slapd.follow(after);
    expect(faults).toHaveLength(1);
    await oneOfTwo(filled.before, false);
  });

  test.each([
    'mkdir -p "$run/config.new" "$data"',
    'slapadd -n 0 -F "$run/config.new" -l "$files/slapd.ldif"',
    'rm -rf "$run/config"',
    'mv "$run/config.new" "$run/config"',
  ])('of what starts slapd, after %s', async (step) => {
    await slapd.kill();
    expect(START.split(`${step}\n`)).toHaveLength(2);
    const cut = START.replace(`${step}\n`, `${step}\nkill -9 $$\n`);
    await expect(slapd.begin(cut)).rejects.toThrow();
    await slapd.start();
    expect(await oneOfTwo(filled.before, true)).toEqual(filled.before);
  });

  test.each([1, 20, 60])('of slapd while an empty tree is filled, after %i entries', async (records) => {
    await slapd.kill();
    slapd.loseData();
    await slapd.start();
    slapd.forget();
    slapd.around = stopped(records, () => slapd.kill());
    await slapd.follow(after);
    await slapd.start();
    await oneOfTwo([], false);
  });
});
