// A mail about an alert: plain text. Header fields hold nothing that a person typed but addresses that were judged; the
// subject and the body are encoded whole, so that no text can end a line.
import { instant } from '../../../ground/clock.ts';
import { headline, type Message } from '../message.ts';
import type { MailPlace } from '../receiver.ts';
import type { Way } from './dial.ts';
import { deliverMail } from './smtp.ts';

/** Bytes of text in one encoded word, of which a line of 75 characters takes 45 (RFC 2047, 2). */
const WORD_BYTES = 45;
const LINE = 76;

/** `=?utf-8?B?…?=`, folded; no character is cut in two. Pure. */
export function encodedHeader(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`).join('\r\n ');
}

/** A name for EHLO and Message-ID: the appliance's, where it is one. */
export const mailName = (hostname: string): string =>
  /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/.test(hostname) ? hostname : 'groundcrew.invalid';

const folded = (base64: string): string => base64.match(new RegExp(`.{1,${LINE}}`, 'g'))?.join('\r\n') ?? '';

function textOf({ appliance, at, alert }: Message): string {
  const { id, condition, subject, severity, says, opened_at, closed_at, acknowledged_by } = alert;
  return [
    says,
    '',
    `Appliance: ${appliance}`,
    `Condition: ${condition} (${subject})`,
    `Severity: ${severity}`,
    `Opened: ${opened_at}`,
    ...(closed_at === null ? [] : [`Closed: ${closed_at}`]),
    ...(acknowledged_by === null ? [] : [`Acknowledged by: ${acknowledged_by}`]),
    `Alert: ${id}`,
    `This message: ${at}`,
    '',
  ].join('\n');
}

/** RFC 5322; lines of base64 never begin with a dot. Pure. */
export function mailContent(
  { sender, recipients }: MailPlace,
  { id, message, now }: { id: string; message: Message; now: Date },
): string {
  const date = new Date(instant(now)).toUTCString().replace('GMT', '+0000');
  const name = mailName(message.appliance);
  return [
    `Date: ${date}`,
    `From: Groundcrew <${sender}>`,
    `To: ${recipients.join(',\r\n ')}`,
    `Subject: ${encodedHeader(`[${message.appliance}] ${headline(message)}`)}`,
    `Message-ID: <${id}@${name}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    folded(Buffer.from(textOf(message)).toString('base64')),
    '',
  ].join('\r\n');
}

/** @throws Problem 409 */
export async function sendMail(
  way: Way,
  { place, sha256, password }: { place: MailPlace; sha256: string; password: string | null },
  sent: { id: string; message: Message; now: Date },
): Promise<string> {
  const { security, username, sender, recipients } = place;
  const login = username === '' || password === null ? null : { username, password };
  const own_name = mailName(sent.message.appliance);
  const unwanted = await deliverMail(
    way,
    { sha256, security, own_name, login },
    { sender, recipients, content: mailContent(place, sent) },
  );
  return unwanted.length === 0 ? '' : `The server took it, but refused ${unwanted.join(', ')}.`;
}
