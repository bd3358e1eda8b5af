// People of the directory change their own passwords on the public pages (needs root): the real slapd takes the new one at once
// and for good, whatever is applied, lost or cut off after that.
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DirectoryFollower } from '../../runtime/directory-follower.ts';
import { execProgram } from '../../shared/ground/machine/exec.ts';
import { load } from '../../shared/services/ldap/desired.ts';
import { drift } from '../../shared/services/ldap/drift.ts';
import { dataFolder, slapdDaemon, socketUrl } from '../../shared/services/ldap/files.ts';
import { argon2idHash } from '../../shared/services/ldap/password-hash.ts';
import { Visitor } from '../handlers/public/visitor.ts';
import { violations } from '../setup/axe.ts';
import { startBrowser, takePicture } from '../setup/browser.ts';
import { until } from '../setup/until.ts';
import { Directory } from './directory-scene.ts';

const SUFFIX = 'dc=lab,dc=test';
const PAGE = '/ui/public/directory/password';
const FIRST = 'quarrel-velvet-onion-71';
const [SECOND, THIRD, FOURTH] = ['ember-walrus-cobalt-44', 'tundra-fiddle-gravel-08', 'saffron-anvil-mosaic-93'];
const SLOW = 240_000;
const ROOT = resolve(import.meta.dirname, '../..');

let directory: Directory;
let organization_id: string;
let uid: string;
let user_id: string;
let count = 0;

const dn = () => `uid=${uid},ou=people,${SUFFIX}`;
const takes = (password: string) => directory.bind(dn(), password) === 0;
const store = () => directory.house.services.store;
/** What is pending is told by. */
const versions = () => store().all("SELECT desired_version, applied_version FROM unit_state WHERE unit = 'ldap'");

/** One for each test, so that one apply brings them all. */
const USERS = 9;
const ids: string[] = [];
async function newUser(at: number): Promise<void> {
  const user = { organization_id, uid: `user-${at}`, surname: 'Byron' };
  const { id } = await directory.api('POST', 'ldap/users', user);
  ids.push(id);
  await directory.api('POST', `ldap/users/${id}/password`, { password: FIRST });
}

async function applied(): Promise<void> {
  const { state, log } = await directory.apply();
  if (state !== 'succeeded') throw new Error(log);
}

/** As somebody does it with a browser; answers the page or where it leads to, in words. */
async function change(password: string, wish: string, name = uid, fields: Record<string, string> = {}) {
  const all = { username: name, password, new_password: wish, new_password_again: wish, ...fields };
  return new Visitor(directory.house).post(PAGE, PAGE, all);
}
const CHANGED = { status: 303, location: `${PAGE}?changed=now` };

async function byHand(ldif: string): Promise<void> {
  const { host } = directory;
  const { code, stderr } = await execProgram('ldapmodify', ['-Y', 'EXTERNAL', '-Q', '-H', socketUrl(host)], {
    input: ldif,
  });
  if (code !== 0) throw new Error(stderr);
}

beforeAll(async () => {
  directory = await Directory.open();
  ({ id: organization_id } = await directory.api('POST', 'ldap/organizations', { slug: 'lab', suffix: SUFFIX }));
  await directory.api('PATCH', 'ldap/settings', {
    enabled: true,
    hostname: 'ldap.lab.test',
    listen_interfaces: ['lab0'],
    ldaps_enabled: true,
    password_max_failures: 3,
    password_history: 3,
  });
  for (let at = 0; at < USERS; at += 1) await newUser(at);
  await applied();
}, SLOW);
afterAll(() => directory?.close());
beforeEach(async () => {
  await directory.api('PATCH', 'public-pages/settings', { directory_passwords: true });
  await store().write((tx) => tx.run('DELETE FROM sign_in_throttle'));
  [uid, user_id] = [`user-${count}`, ids[count]!];
  count += 1;
}, SLOW);

test(
  'nothing answers until it is switched on, and another site can’t send it',
  async () => {
    await directory.api('PATCH', 'public-pages/settings', { directory_passwords: false });
    const visitor = new Visitor(directory.house);
    expect((await visitor.get(PAGE)).status).toBe(404);
    expect((await visitor.get('/ui/public')).text).not.toContain(PAGE);
    expect((await change(FIRST, SECOND)).status).toBe(403);
    await directory.api('PATCH', 'public-pages/settings', { directory_passwords: true });
    expect((await visitor.get('/ui/public')).text).toContain(PAGE);
    const shown = await visitor.get(PAGE);
    expect([shown.status, shown.text.includes('<script')]).toEqual([200, false]);
    const fields = { username: uid, password: FIRST, new_password: SECOND, new_password_again: SECOND };
    const forged = await visitor.send(PAGE, { ...fields, csrf: 'x'.repeat(43) });
    expect([forged.status, takes(FIRST)]).toEqual([403, true]);
  },
  SLOW,
);

test(
  'the page can be read, wide and narrow, light and dark, also with what is wrong in it',
  async () => {
    const [sheet] = globSync(join(ROOT, 'dist/assets/app-*.css'));
    const style = `<style>${readFileSync(sheet!, 'utf8')}</style>`;
    const shown = await new Visitor(directory.house).get(PAGE);
    const refused = await change(FIRST, SECOND, uid, { new_password_again: THIRD });
    const browser = await startBrowser();
    try {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
      for (const [name, { text }] of Object.entries({ shown, refused }))
        for (const [width, colorScheme] of [
          [1440, 'light'],
          [1440, 'dark'],
          [390, 'light'],
          [390, 'dark'],
        ] as const) {
          await page.setViewportSize({ width, height: 844 });
          await page.emulateMedia({ colorScheme });
          await page.setContent(text.replace(/<link rel="stylesheet"[^>]*>/, style));
          await takePicture(page, {
            path: join(ROOT, `test/browser/screenshots/own-password-${name}.${width}.${colorScheme}.png`),
          });
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect([name, width, colorScheme, await violations(page), overflow]).toEqual([
            name,
            width,
            colorScheme,
            [],
            0,
          ]);
        }
    } finally {
      await browser.close();
    }
  },
  SLOW,
);

test(
  'the new password is in force at once, is neither pending nor drift, and outlives apply, restart and loss of the tree',
  async () => {
    const before = await versions();
    expect(await change(FIRST, SECOND)).toMatchObject(CHANGED);
    expect([takes(SECOND), takes(FIRST)]).toEqual([true, false]);
    expect(await versions()).toEqual(before);
    const { host } = directory.house.services;
    expect(await drift(host, await load(store()))).toEqual([]);
    await applied();
    expect([takes(SECOND), takes(FIRST)]).toEqual([true, false]);
    await host.stopDaemon(slapdDaemon(host));
    rmSync(host.resolve(dataFolder({ slug: 'lab', suffix: SUFFIX })), { recursive: true, force: true });
    await host.startDaemon(slapdDaemon(host));
    await until(() => takes(SECOND));
    expect(takes(FIRST)).toBe(false);
    expect((await change(SECOND, THIRD)).location).toBe(CHANGED.location);
    // Of one mark the newest: after another one of an administrator is taken back, it is the person's own again.
    await directory.api('POST', `ldap/users/${user_id}/password`, { password: FOURTH });
    const waiting = await change(THIRD, 'copper-lantern-thistle-29');
    expect([waiting.status, waiting.words]).toEqual([409, expect.stringContaining('An administrator has set another')]);
    await applied();
    expect([takes(FOURTH), takes(THIRD)]).toEqual([true, false]);
  },
  SLOW,
);

test(
  'what slapd does not get is brought later, and until then the former one opens',
  async () => {
    const { host } = directory.house.services;
    const { exec } = host;
    host.exec = async (program, args, options) =>
      program === 'ldapmodify' ? { code: 52, stdout: '', stderr: 'gone\n' } : exec(program, args, options);
    try {
      expect((await change(FIRST, SECOND)).location).toBe(`${PAGE}?changed=soon`);
      expect([takes(FIRST), takes(SECOND)]).toEqual([true, false]);
    } finally {
      host.exec = exec;
    }
    // As a service that was killed there begins anew.
    await new DirectoryFollower(directory.house.services).look();
    expect([takes(FIRST), takes(SECOND)]).toEqual([false, true]);
    expect(await store().all('SELECT 1 FROM ldap_password WHERE settled = 0')).toEqual([]);
    expect((await change(SECOND, THIRD)).location).toBe(CHANGED.location);
  },
  SLOW,
);

test(
  'a password that slapd has and that was not saved gives way to the saved one of the same mark',
  async () => {
    await store().write((tx) => tx.run('UPDATE ldap_password SET settled = 0 WHERE user_id = ?', [user_id]));
    await byHand(
      `dn: ${dn()}\nchangetype: modify\nreplace: userPassword\nuserPassword: ${await argon2idHash(SECOND)}\n`,
    );
    expect(takes(SECOND)).toBe(true);
    await new DirectoryFollower(directory.house.services).look();
    expect([takes(FIRST), takes(SECOND)]).toEqual([true, false]);
  },
  SLOW,
);

test(
  'length, name, history and a slip of the keys are said at their fields, and nothing is changed',
  async () => {
    const said = async (wish: string, fields = {}) => (await change(FIRST, wish, uid, fields)).words;
    expect(await said('short')).toContain('At least 12 characters.');
    expect(await said(`my name is ${uid}`)).toContain('It must not contain the name of the account.');
    expect(await said(FIRST)).toContain('It must differ from the last 3 passwords.');
    expect(await said(SECOND, { new_password_again: THIRD })).toContain('It differs from the new password.');
    expect(takes(FIRST)).toBe(true);
  },
  SLOW,
);

test(
  'nobody is answered like somebody with a wrong password; slapd counts, and its lock holds here too',
  async () => {
    const shape = ({ status, words }: { status: number; words: string }, name: string) => [
      status,
      words.replaceAll(name, 'NAME').replace(/clock .*/, ''),
    ];
    const wrong = await change('a wrong password', SECOND);
    expect(wrong.status).toBe(422);
    for (const name of ['nobody', 'nobody@lab.test', 'nobody@elsewhere.test'])
      expect(shape(await change('a wrong password', SECOND, name), name)).toEqual(shape(wrong, uid));
    for (let tries = 0; tries < 2; tries += 1) await change('a wrong password', SECOND, `${uid}@lab`);
    const { locked } = await directory.api('GET', 'ldap/status');
    expect(locked.map((one: { dn: string }) => one.dn)).toEqual([dn()]);
    expect(shape(await change(FIRST, SECOND), uid)).toEqual(shape(wrong, uid));
    await directory.api('POST', `ldap/users/${user_id}/unlock`, {});
    for (let tries = 0; tries < 6; tries += 1) await change('a wrong password', SECOND, 'nobody');
    expect((await change('a wrong password', SECOND, 'nobody')).status).toBe(429);
    expect(await change(FIRST, SECOND, `${uid.toUpperCase()}@LAB.TEST`)).toMatchObject(CHANGED);
  },
  SLOW,
);

test(
  'who has to change a password, or whose password has expired, gets in with another one',
  async () => {
    await byHand(`dn: ${dn()}\nchangetype: modify\nreplace: pwdReset\npwdReset: TRUE\n`);
    expect(await change(FIRST, SECOND)).toMatchObject(CHANGED);
    const own = (password: string) =>
      directory.client('ldapsearch', ['-x', '-H', 'ldaps://10.88.0.1', '-D', dn(), '-w', password, '-b', dn()]).code;
    expect(own(SECOND)).toBe(0);
    const policy = `cn=password-policy,ou=system,${SUFFIX}`;
    const age = (seconds: number) =>
      byHand(`dn: ${policy}\nchangetype: modify\nreplace: pwdMaxAge\npwdMaxAge: ${seconds}\n`);
    await age(2);
    await until(() => !takes(SECOND));
    expect((await change('a wrong password', THIRD)).status).toBe(422);
    expect(await change(SECOND, THIRD)).toMatchObject(CHANGED);
    await age(0);
    expect([takes(THIRD), takes(SECOND)]).toEqual([true, false]);
  },
  SLOW,
);

test(
  'no password is in the log, the audit log, a job or the rows but as a hash; each change and refusal has its row',
  async () => {
    await change('an unlucky guess', SECOND);
    await change(FIRST, SECOND);
    const rows = await store().all<{ action: string; detail: string }>('SELECT * FROM audit_event ORDER BY seq');
    const own = rows.filter(({ action }) => action.startsWith('ldap.user.own_password')).slice(-3);
    const whose = { organization: 'lab', title: uid };
    expect(own.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
      ['ldap.user.own_password.refuse', {}],
      ['ldap.user.own_password', { ...whose, begun: true, expired: false, oidc_sessions_ended: 0 }],
      ['ldap.user.own_password', { ...whose, in_force: true }],
    ]);
    const kept = await store().all<{ hash: string }>('SELECT hash, former, mark FROM ldap_password');
    expect(kept.every(({ hash }) => hash.startsWith('{ARGON2}$argon2id$'))).toBe(true);
    const jobs = await store().all('SELECT * FROM job');
    const all = [directory.logged.join('\n'), JSON.stringify([rows, kept, jobs])].join('\n');
    for (const secret of [FIRST, SECOND, THIRD, 'an unlucky guess']) expect(all).not.toContain(secret);
  },
  SLOW,
);
