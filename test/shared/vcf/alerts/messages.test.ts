// What receivers are told, byte by byte: frames of syslog, headers of mail, signatures held against OpenSSL; with texts that
// would end a line if they could.
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import type { Message } from '../../../../shared/vcf/alerts/message.ts';
import { isMailAddress, placeOf, soundPlace } from '../../../../shared/vcf/alerts/place-members.ts';
import type { MailPlace } from '../../../../shared/vcf/alerts/receiver.ts';
import { encodedHeader, mailContent } from '../../../../shared/vcf/alerts/senders/mail.ts';
import { framed, syslogLine } from '../../../../shared/vcf/alerts/senders/syslog.ts';
import { signatureOf } from '../../../../shared/vcf/alerts/senders/webhook.ts';

const NOW = new Date('2026-03-14T09:00:00.000Z');
const MESSAGE: Message = {
  event: 'opened',
  at: '2026-03-14T09:00:00.000Z',
  appliance: 'gc01.lab.example',
  alert: {
    id: 'alert_a',
    condition: 'pool_full',
    subject: 'Lab',
    severity: 'warning',
    says: 'The DHCP scope Lab has leased 90 of the 100 addresses in its ranges.',
    opened_at: '2026-03-14T09:00:00.000Z',
    closed_at: null,
    acknowledged_by: null,
  },
};
const withSays = (says: string, subject = 'Lab'): Message => ({
  ...MESSAGE,
  alert: { ...MESSAGE.alert, says, subject },
});
const SYSLOG = { host: 'logs.lab.example', port: 6514, facility: 'local3' } as const;

test('a line of syslog is RFC 5424, and its frame counts bytes', () => {
  const line = syslogLine(SYSLOG, { id: 'message_a', message: MESSAGE });
  expect(line).toBe(
    '<156>1 2026-03-14T09:00:00.000Z gc01.lab.example groundcrew - pool_full - event=opened severity=warning condition=pool_full subject="Lab" alert=alert_a delivery=message_a says="The DHCP scope Lab has leased 90 of the 100 addresses in its ranges."',
  );
  expect(framed(line).toString()).toBe(`${line.length} ${line}`);
  const wide = syslogLine(SYSLOG, { id: 'message_a', message: withSays('Büro ist voll', 'Büro') });
  expect(wide).toContain('- pool_full - \ufeffevent=');
  const [length] = framed(wide).toString('latin1').split(' ');
  expect(Number(length)).toBe(Buffer.byteLength(wide));
});

test.each([
  ['opened', 'critical', 154],
  ['opened', 'warning', 156],
  ['closed', 'critical', 157],
  ['test', 'warning', 158],
] as const)('%s %s has the priority %p', (event, severity, priority) => {
  const message = { ...MESSAGE, event, alert: { ...MESSAGE.alert, severity } };
  expect(syslogLine(SYSLOG, { id: 'm', message })).toMatch(new RegExp(`^<${priority}>1 `));
});

test('a name cannot begin another line of syslog', () => {
  const message = withSays('one\n20 <0>1 - - - - - two "quoted" \\', 'a\r\nb');
  const line = syslogLine(SYSLOG, { id: 'm', message: { ...message, appliance: 'gc01\n evil' } });
  expect(line).not.toMatch(/[\r\n]/);
  expect(line).toContain('gc01evil groundcrew');
  expect(line).toContain('\\"quoted\\" \\\\"');
});

const MAIL: MailPlace = {
  ...{ host: 'mail.lab.example', port: 587, security: 'starttls', username: '' },
  ...{ sender: 'gc@lab.example', recipients: ['ops@lab.example', 'lab@lab.example'] },
};

test('a mail has one header field a line, whatever a name holds', () => {
  const hostile = withSays('Büro\r\nBcc: evil@example.com\r\n\r\n.\r\nMAIL FROM', 'x\r\nBcc: evil@example.com');
  const content = mailContent(
    { ...MAIL, recipients: [...MAIL.recipients] },
    { id: 'message_a', message: hostile, now: NOW },
  );
  const [head = '', body = ''] = content.split('\r\n\r\n');
  expect(head.split(/\r\n(?! )/).map((field) => field.slice(0, field.indexOf(':')))).toEqual([
    ...['Date', 'From', 'To', 'Subject', 'Message-ID', 'Auto-Submitted', 'MIME-Version', 'Content-Type'],
    'Content-Transfer-Encoding',
  ]);
  expect(content).not.toMatch(/[^\x20-\x7e\r\n]/);
  expect(content.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(
    body
      .trim()
      .split('\r\n')
      .every((line) => /^[A-Za-z0-9+/=]{1,76}$/.test(line)),
  ).toBe(true);
  expect(head).toContain(
    'Date: Sat, 14 Mar 2026 09:00:00 +0000\r\nFrom: Groundcrew <gc@lab.example>\r\nTo: ops@lab.example,\r\n lab@lab.example',
  );
  expect(head).toContain('Message-ID: <message_a@gc01.lab.example>');
});

test('a subject is cut between characters, and each word fits', () => {
  const text = `${'ü'.repeat(60)}🚀${'x'.repeat(100)}`;
  const words = encodedHeader(text).split('\r\n ');
  expect(words.every((word) => word.length <= 75)).toBe(true);
  const read = words.map((word) => Buffer.from(/^=\?utf-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64').toString()).join('');
  expect(read).toBe(text);
});

test('the signature is what OpenSSL computes', () => {
  const [secret, timestamp, body] = ['s3cret of the lab', '1773478800', '{"id":"message_a","says":"Büro"}'];
  const said = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: `${timestamp}.${body}` });
  expect(signatureOf(secret, timestamp, body)).toBe(`v1=${String(said).trim().split('= ')[1]}`);
});

test.each([
  'a@b\r\nRCPT TO:<x@y>',
  'a b@lab.example',
  '<a@lab.example>',
  'a@',
  '@b',
  'a@-b',
  'a..b@lab.example',
  'ü@lab.example',
  'a@b@c',
  '',
])('no mail goes to or from %p', (address) => {
  expect(isMailAddress(address)).toBe(false);
  expect(() => soundPlace('mail', { ...MAIL, recipients: [address] })).toThrow();
  expect(() => soundPlace('mail', { ...MAIL, recipients: ['ops@lab.example'], sender: address })).toThrow();
});

test.each([
  ['http://hooks.lab.example/', '/url'],
  ['https://user:pass@hooks.lab.example/', '/url'],
  ['https://hooks.lab.example/#x', '/url'],
  ['https:\\\\hooks.lab.example', '/url'],
])('%p is no webhook', (url, pointer) => {
  expect(() => placeOf('webhook', { url }, null)).toThrow(
    expect.objectContaining({ members: { errors: [expect.objectContaining({ pointer })] } }),
  );
});

test('ports follow from how TLS begins', () => {
  const sent = { host: 'mail.lab.example', sender: 'a@lab.example', recipients: ['b@lab.example'] };
  expect(placeOf('mail', sent, null)).toMatchObject({ port: 587, security: 'starttls' });
  expect(placeOf('mail', { ...sent, security: 'tls' }, null)).toMatchObject({ port: 465 });
  expect(placeOf('syslog', { host: 'Logs.lab.example' }, null)).toEqual({
    ...{ host: 'logs.lab.example', port: 6514, facility: 'daemon' },
  });
  expect(placeOf('webhook', { url: 'https://Hooks.lab.example:8443/a?b=c' }, null)).toEqual({
    ...{ host: 'hooks.lab.example', port: 8443, path: '/a?b=c' },
  });
});
