// Lines of logs as they are shown: what they say, and what is never among it.
import { expect, test } from '@jest/globals';
import { hostFiles } from '../../../../shared/appliance/generated/host-files.ts';
import { entryOf, MESSAGE_MOST } from '../../../../shared/appliance/logs/entry.ts';
import { withoutSecrets } from '../../../../shared/appliance/logs/masking.ts';
import { SOURCES, sourceOfUnit } from '../../../../shared/appliance/logs/sources.ts';

const AT = Date.parse('2026-03-14T09:41:07.123Z');
const CANARY = 'canary-7f3a9';

test('a line of the service says its message and its facts, and of which request it is', () => {
  const text = JSON.stringify({
    ...{ level: 'WARN', message: 'request', timestamp: 'x', service: 'groundcrew', version: '1' },
    ...{ request_id: 'req_1', status: 403, failure: { message: 'no such file' } },
  });
  expect(entryOf({ at: AT, source: 'service', priority: 6, text })).toEqual({
    at: '2026-03-14T09:41:07.123Z',
    source: 'service',
    level: 'warning',
    message: 'request status=403 failure={"message":"no such file"}',
    request_id: 'req_1',
  });
});

test.each([
  [3, 'error'],
  [4, 'warning'],
  [6, 'info'],
  [7, 'debug'],
])('a line of a daemon has the level of its priority %p', (priority, level) => {
  const entry = entryOf({ at: AT, source: 'dns-dhcp', priority, text: 'started, version 2.90' });
  expect(entry).toMatchObject({ level, message: 'started, version 2.90', request_id: null });
});

test('a long line is cut, and what would move a terminal is left out', () => {
  const { message } = entryOf({ at: AT, source: 'ntp', priority: 6, text: `\u001b[31mred${'x'.repeat(9_000)}` });
  expect(message).toHaveLength(MESSAGE_MOST + 1);
  expect(message).not.toContain('\u001b');
});

test.each([
  `password=${CANARY}`,
  `Password: "${CANARY}"`,
  `userPassword='${CANARY} two'`,
  `{"client_secret":"${CANARY}"}`,
  `Authorization: Bearer ${CANARY}.abcdefgh`,
  `sent Bearer ${CANARY}.abcdefgh to it`,
  `Cookie: groundcrew_session=${CANARY}`,
  `GET /boot?token=${CANARY}&x=1`,
  `ldap://admin:${CANARY}@10.0.0.1/`,
  `x-api-key: ${CANARY}`,
  `-----BEGIN PRIVATE KEY-----${CANARY}`,
  `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${CANARY}`,
  `Cookie: theme=dark; groundcrew_session=${CANARY}; other=${CANARY}`,
  `Authorization: Digest username="lab", response="${CANARY}"`,
  `Authorization: Negotiate ${CANARY}`,
  `authorization: bearer ${CANARY}`,
  `sent bearer ${CANARY}.abcdefgh to it`,
  `failure={"message":"sent {\\"password\\":\\"${CANARY}\\"}"}`,
  `{"password":"a\\"b ${CANARY}"}`,
  `password="open to the end ${CANARY}`,
  `password=a,b;${CANARY}`,
  `the_name_of_this_setting_is_longer_than_others_password=${CANARY}`,
  `userPassword:: ${CANARY}`,
  `olcRootPW: {SSHA}${CANARY}`,
  `passcode : ${CANARY}`,
  `ldap://admin:a@${CANARY}@10.0.0.1/`,
  `redis://:${CANARY}@10.0.0.1/`,
  `https://admin:a/${CANARY}@10.0.0.1/`,
  `https://${CANARY}@git.lab.example/`,
  `root:$6$salt$${CANARY}:19000`,
  `got eyJhbGciOiJI.eyJzdWIiOiI.${CANARY}`,
  `AGE-SECRET-KEY-1${CANARY}`,
])('a secret in %p is masked', (line) => {
  for (const own of [true, false]) expect(withoutSecrets(line, own)).not.toContain(CANARY);
  const text = JSON.stringify({ level: 'INFO', message: line });
  expect(entryOf({ at: AT, source: 'service', priority: 6, text }).message).not.toContain(CANARY);
});

test('a private key that a daemon wrote line by line is masked in each of its lines', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  for (const text of [body, `  ${body}`, `first\n${body}\nlast`, 'c2hvcnQgbGFzdCBsaW5lIG9mIHRoZSBrZXkgaGVyZQ==']) {
    const { message } = entryOf({ at: AT, source: 'ldap', priority: 6, text });
    expect(message).toContain('[masked]');
    expect(message).not.toContain(text.trim().split('\n').at(-2) ?? text.trim());
  }
});

test.each([
  'DHCPACK(eth0) 10.0.0.5 52:54:00:12:34:56 esx01',
  'GET https://vc01.lab.example:8443/api/session answered 200',
  'conn=1001 op=0 BIND dn="cn=admin,dc=lab,dc=example" method=128',
  'Started groundcrew-slapd.service - LDAP server.',
])('a line without a secret stays as it is: %p', (line) => {
  expect(withoutSecrets(line, false)).toBe(line);
});

test('the password of the first start is masked, as the journal has it', () => {
  expect(entryOf({ at: AT, source: 'service', priority: 6, text: `    ${CANARY}` }).message).toBe('    [masked]');
  const trace = '    at answer (file:///usr/lib/groundcrew/dist/main.js:1:2)';
  expect(entryOf({ at: AT, source: 'service', priority: 6, text: trace }).message).toBe(trace);
});

test('an adverse line is looked through in no time', () => {
  for (const piece of [
    'a-',
    'token',
    'a:',
    '://',
    'a://b:',
    'password',
    'password=',
    'cookie',
    'x=',
    'A+',
    'Bearer ',
    '$6$',
    'eyJaaaaaaaa.',
  ]) {
    const began = performance.now();
    entryOf({ at: AT, source: 'dns-dhcp', priority: 6, text: piece.repeat(20_000) });
    expect(performance.now() - began).toBeLessThan(250);
  }
});

test('each daemon of a unit has a source, and other programs of the machine have none', () => {
  for (const daemon of hostFiles.flatMap(({ daemons }) => daemons))
    expect([daemon, sourceOfUnit(daemon)]).not.toEqual([daemon, null]);
  expect(sourceOfUnit('groundcrew-enforce@12-3-4.service')).toBe('root-step');
  expect(sourceOfUnit('groundcrew-disk@1.service')).toBe('storage');
  for (const other of ['ssh.service', 'groundcrew.service.evil', 'xgroundcrew.service', 'cron.service']) {
    expect(sourceOfUnit(other)).toBeNull();
  }
  expect(Object.values(SOURCES).flatMap(({ units }) => units)).not.toContain('*');
});
