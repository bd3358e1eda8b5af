// What another machine writes may repeat what was sent to it. Nothing of a secret stays, however it comes back.
import { expect, test } from '@jest/globals';
import { wordsOf } from '../../../../shared/vcf/vcf-api/answers.ts';
import { type Submitted, scrub, submittedIn } from '../../../../shared/vcf/vcf-api/scrub.ts';
import type { Reply } from '../../../../shared/vcf/vcf-api/transport.ts';
import { growth, NEARLY_LINEAR } from '../../../setup/growth.ts';

const PASSWORD = 'Tr0ub4dor&3 "quoted"/\\ö+=%';
const SHORT = 'abc1';

const hex = (secret: string, between = '') =>
  [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join(between);

const FORMS: [name: string, text: (secret: string) => string][] = [
  ['whole', (secret) => `Refused ${secret} for admin`],
  ['twice', (secret) => `${secret} and ${secret}`],
  ['in upper case', (secret) => `Refused ${secret.toUpperCase()}`],
  ['in JSON', (secret) => `Body: ${JSON.stringify({ password: secret })}`],
  ['in JSON of another member', (secret) => `Body: ${JSON.stringify({ x: secret })}`],
  ['in a URL', (secret) => `GET /x?y=${encodeURIComponent(secret)} failed`],
  ['in a form', (secret) => `y=${new URLSearchParams({ y: secret }).toString()}`],
  ['in HTML', (secret) => `<p>${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</p>`],
  ['in Base64', (secret) => `Saw ${Buffer.from(secret).toString('base64')}`],
  ['in Base64 for URLs', (secret) => `Saw ${Buffer.from(secret).toString('base64url')}`],
  ['as userinfo', (secret) => `https://admin:${encodeURIComponent(secret)}@depot.lab.test/PROD unreachable`],
];

test.each(FORMS)('a secret that comes back %s is taken out', (_name, text) => {
  for (const secret of [PASSWORD, SHORT, 'nothing-special-here', '********', '.*+?^$']) {
    const clean = scrub(text(secret), { secrets: [secret] });
    expect(clean.toLowerCase()).not.toContain(secret.toLowerCase());
    expect(clean).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''));
    expect(clean).toContain('[removed]');
  }
});

const DUMPS: typeof FORMS = [
  ['in hexadecimal', (secret) => `Saw ${hex(secret)}`],
  ['in hexadecimal of upper case', (secret) => `Saw ${hex(secret).toUpperCase()}`],
  ['in hexadecimal with blanks', (secret) => `Saw ${hex(secret, ' ')}`],
  ['in hexadecimal with colons', (secret) => `Saw ${hex(secret, ':')}`],
  ['in hexadecimal of a program', (secret) => `Saw b'\\x${hex(secret, '\\x')}'`],
];

test.each(DUMPS)('a secret of eight characters and more that comes back %s is taken out', (_name, text) => {
  for (const secret of [PASSWORD, '8letters', 'nothing-special-here', '********']) {
    const clean = scrub(`${text(secret)} was refused`, { secrets: [secret] });
    expect(clean).toMatch(/^Saw ?(?:b'(?:\\x)?)?\[removed\]'? ?was refused$/);
  }
});

test('a secret that is cut at either end leaves less than eight characters in a row', () => {
  const secret = 'correct-horse-battery-staple';
  for (let from = 0; from < secret.length; from += 3) {
    for (let to = from + 8; to <= secret.length; to += 3) {
      const part = secret.slice(from, to);
      const clean = scrub(`value '${part}…' is wrong`, { secrets: [secret] });
      expect(clean).not.toContain(part);
      expect(clean).toBe("value '[removed]…' is wrong");
    }
  }
});

test.each([
  ['Token eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl expired', 'Token [removed] expired'],
  ['Authorization: Bearer 0123456789abcdef', 'Authorization: Bearer [removed]'],
  ['{"username":"a","password":"p w, }"}', '{"username":"a","password":[removed]}'],
  ['connect with password=hunter2&port=443', 'connect with password=[removed]&port=443'],
  ['rootPassword: hunter2, next', 'rootPassword: [removed], next'],
  ['downloadToken=0123', 'downloadToken=[removed]'],
  ['https://user:pa%40ss@depot.lab.test:8443/x', 'https://[removed]@depot.lab.test:8443/x'],
  ['line\r\n\u0000 two\u0085three\u2028four', 'line two three four'],
  ['The certificate of depot.lab.test is not trusted', 'The certificate of depot.lab.test is not trusted'],
])('what looks secret goes without being named: %s', (text, clean) => {
  expect(scrub(text)).toBe(clean);
});

test.each<[words: string, submitted: Submitted]>([
  ['a ', { secrets: ['a'.repeat(1000), PASSWORD] }],
  ['password=', {}],
  ['https://', {}],
])(
  'a text of “%s” over and over is at most 500 characters, and costs no more than a shorter one',
  async (words, submitted) => {
    const short = (count: number) => expect(scrub(words.repeat(count), submitted).length).toBeLessThanOrEqual(500);
    expect(await growth(short, 10_000, 100)).toBeLessThan(NEARLY_LINEAR);
  },
);

test('a part of a secret is taken out also beside letters whose lower case is longer', () => {
  const said = scrub('İ you sent hunter2hunter2hun', { secrets: ['hunter2hunter2hunter2'] });
  expect(said).not.toContain('hunter2');
  expect(scrub('İ all is well', { secrets: ['hunter2hunter2hunter2'] })).toBe('İ all is well');
});

test('nothing is left that turns the writing direction or cannot be seen', () => {
  expect(scrub('abc\u202edef\u2066 \u200b\u2028x\u001b[31m')).toBe('abc def x [31m');
});

test('what was submitted is found by the names of its members, at any depth', () => {
  const body = {
    username: 'admin@local',
    password: 'p1',
    offlineAccount: { username: 'u2', password: 'p2' },
    list: [{ downloadToken: 'p3', downloadActivationCode: 'p4' }],
    depotConfiguration: { hostname: 'depot.lab.test', port: 443 },
    none: null,
  };
  const { secrets, names } = submittedIn(body);
  expect(secrets.toSorted()).toEqual(['p1', 'p2', 'p3', 'p4']);
  expect(names.toSorted()).toEqual(['admin@local', 'u2']);
});

const answer = (status: number, body: string, submitted: Submitted = {}): Reply => ({
  status,
  headers: {},
  body: Buffer.from(body),
  clean: (text) => scrub(text, submitted),
});

test.each([
  ['HTML', '<html><body>Bad Gateway</body></html>'],
  ['nothing', ''],
  ['a cut body', '{"errorCode":"A","mess'],
  ['a list', '[1,2]'],
  ['wrong types', '{"errorCode":5,"message":{}}'],
  ['null', 'null'],
])('an error body of %s gives the status alone', (_name, body) => {
  expect(wordsOf(answer(502, body))).toEqual({
    status: 502,
    error_code: null,
    message: null,
    remediation: null,
    reference_token: null,
  });
});

test('an error in the shape of the vendor is read; what is no code or token is dropped', () => {
  const body = {
    errorCode: 'VMWARE_DEPOT_CONNECT_FAILURE',
    message: `Login of secret-user with ${PASSWORD} failed`,
    remediationMessage: null,
    referenceToken: 'not a token',
    nestedErrors: [{ message: 'x', remediationMessage: 'Look at the depot' }],
    somethingNew: {},
  };
  const words = wordsOf(answer(400, JSON.stringify(body), { secrets: [PASSWORD], names: ['secret-user'] }));
  expect(words).toEqual({
    status: 400,
    error_code: 'VMWARE_DEPOT_CONNECT_FAILURE',
    message: 'Login of [removed] with [removed] failed',
    remediation: 'Look at the depot',
    reference_token: null,
  });
});
