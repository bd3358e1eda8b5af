// Which passwords a person may have.
import { describe, expect, test } from '@jest/globals';
import { acceptPassword, passwordFault } from '../../../../shared/kernel/access/password-rules.ts';

const FAULTS: [password: string, fault: RegExp][] = [
  ['eleven char', /At least 12/],
  ['😀😁😂🤣😃😄', /At least 12/],
  ['x7 '.repeat(43), /At most 128/],
  ['adalovelace-2024!', /user name/],
  ['1842 AdaLovelace', /user name/],
  ['adalovelaceADALOVELACE', /user name/],
  ['aaaaaaaaaaaa', /pattern/],
  ['abcabcabcabc', /pattern/],
  ['12 12 12 12 12 12', /pattern/],
  ['abcdefghijkl', /pattern/],
  ['987654321098', /pattern/],
  ['QWERTYUIOP[]', /pattern/],
  ["asdfghjkl;'zxc", /pattern/],
  ['1qaz2wsx3edc', /pattern/],
  ['qwertzuiopasdf', /pattern/],
  ['asdfghjklöä#', /pattern/],
  ['yxcvbnm,.-yxc', /pattern/],
  ['azertyuiopaze', /pattern/],
  ['qsdfghjklmqsd', /pattern/],
  ['wxcvbn,;:!wxc', /pattern/],
  ['4rfv5tgb6yhn', /pattern/],
  ['7ujm8ik,9ol.', /pattern/],
  ['!@#$%^&*()_+', /pattern/],
  ['Password2024!', /common password/],
  ['!!Administrator', /common password/],
  ['passwordpassword', /common password/],
  ['polniypizdec0211', /common password/],
  ['ｐａｓｓｗｏｒｄ２０２４', /common password/],
];

const FINE = [
  'correct horse battery staple',
  'a passphrase of my own',
  'adalovelace and the engine',
  'x7 k2 m9 q4 z1',
  'Grüße aus Köln am Rhein',
  '😀😁😂🤣😃😄😅😆😉😊😋😎',
  'x7'.repeat(5) + 'k'.repeat(118),
];

describe('a password of a person', () => {
  test.each(FAULTS)('%s is refused', async (password, fault) => {
    expect(await passwordFault(password, 'adalovelace')).toMatch(fault);
  });

  test.each(FINE)('%s is fine', async (password) => {
    expect(await passwordFault(password, 'adalovelace')).toBeNull();
  });

  test('a refusal stands at its field and never repeats the password', async () => {
    const refused = acceptPassword('Password2024!', 'ada', '/new_password');
    await expect(refused).rejects.toMatchObject({
      code: 'request_validation_failed',
      members: { errors: [{ pointer: '/new_password', detail: expect.not.stringContaining('Password2024') }] },
    });
  });
});
