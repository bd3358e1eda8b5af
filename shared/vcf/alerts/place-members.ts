// From the members of a request to the place of a receiver: those of its kind, with their defaults, each judged. Pure.
import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import { HTTPS_PORT, parseServer, urlText } from '../connection/target.ts';
import { FACILITIES, type Place, type ReceiverKind, SECURITIES, type WebhookPlace } from './receiver.ts';
import type { ReceiverCreate } from './receiver-schemas.ts';

type Sent = { [Member in keyof ReceiverCreate]?: ReceiverCreate[Member] | undefined };

const OWN: Readonly<Record<ReceiverKind, readonly (keyof Sent)[]>> = {
  webhook: ['url'],
  mail: ['host', 'port', 'security', 'username', 'password', 'sender', 'recipients'],
  syslog: ['host', 'port', 'facility'],
};
const ALL = [...new Set(Object.values(OWN).flat())];

export const SMTP_PORTS = { starttls: 587, tls: 465 } as const;
export const SYSLOG_PORT = 6514;

/** @throws Problem 422 at each member */
export function placeOf(kind: ReceiverKind, sent: Sent, before: Place | null): Place {
  const errors: FieldError[] = ALL.filter((name) => !OWN[kind].includes(name) && sent[name] !== undefined).map(
    (name) => ({ pointer: `/${name}`, detail: `Leave it out: a receiver of the kind ${kind} has none.` }),
  );
  const place = READERS[kind](sent, before as never, errors);
  if (errors.length > 0) throw invalid(...errors);
  return place;
}

const READERS: Readonly<Record<ReceiverKind, (sent: Sent, before: never, errors: FieldError[]) => Place>> = {
  webhook({ url }, before: WebhookPlace | null, errors) {
    const read = url === undefined ? before : readUrl(url);
    if (read === null) errors.push({ pointer: '/url', detail: NO_URL });
    return read ?? { host: '', port: HTTPS_PORT, path: '/' };
  },
  mail(sent, before: Extract<Place, { sender: string }> | null, errors) {
    const security = sent.security ?? before?.security ?? 'starttls';
    const usual = before && sent.security === undefined ? before.port : SMTP_PORTS[security];
    const username = sent.username ?? before?.username ?? '';
    const sender = sent.sender ?? before?.sender ?? '';
    const recipients = sent.recipients ?? before?.recipients ?? [];
    if (!isUser(username))
      errors.push({ pointer: '/username', detail: 'Must have no blanks and no control characters.' });
    if (!isMailAddress(sender)) errors.push({ pointer: '/sender', detail: NO_MAIL });
    if (recipients.length === 0) errors.push({ pointer: '/recipients', detail: 'Enter at least one recipient.' });
    if (!recipients.every(isMailAddress))
      errors.push({
        pointer: '/recipients',
        detail: 'Each must be a mail address such as lab@example.com, in ASCII and without a name beside it.',
      });
    return { ...server(sent, before, usual, errors), security, username, sender, recipients };
  },
  syslog(sent, before: Extract<Place, { facility: string }> | null, errors) {
    const facility = sent.facility ?? before?.facility ?? 'daemon';
    return { ...server(sent, before, before?.port ?? SYSLOG_PORT, errors), facility };
  },
};

function server(
  sent: Sent,
  before: { host: string } | null,
  usual: number,
  errors: FieldError[],
): { host: string; port: number } {
  const port = sent.port ?? usual;
  const text = sent.host ?? before?.host ?? '';
  try {
    const read = parseServer(text, { default_port: port, pointer: '/host' });
    if (read.port !== port || /:\/\//.test(text))
      errors.push({
        pointer: '/host',
        detail: 'Must be a host name or an IP address alone. The port has a field of its own.',
      });
    return { host: read.host, port };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    errors.push(...(error.members.errors ?? []));
    return { host: '', port };
  }
}

const NO_URL = 'Must be an https URL such as https://hooks.lab.example/groundcrew, without a user name or a fragment.';

function readUrl(text: string): WebhookPlace | null {
  const url = URL.parse(text);
  const plain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.hash === '';
  if (!plain || /[\s\\@#]/.test(text) || !/^https:\/\//i.test(text)) return null;
  try {
    const { host, port } = parseServer(url.host);
    return { host, port, path: `${url.pathname}${url.search}` };
  } catch {
    return null;
  }
}

/** `https://hooks.lab.example:8443/groundcrew` */
export const webhookUrl = (place: WebhookPlace): string => `${urlText(place)}${place.path}`;

const NO_MAIL = 'Must be a mail address such as lab@example.com, in ASCII and without a name beside it.';
/** RFC 5321 in the part that mail systems use: a dot-atom and a host name. It has no character that ends a line or a path. */
const MAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && text.indexOf('@') <= 64 && MAIL.test(text) && !text.includes('..');
const isUser = (text: string): boolean => /^[^\s\p{Cc}]*$/u.test(text);

/**
 * A saved place, held against the same rules before anything is sent: an archive may have brought back another one.
 * @throws Problem 422
 */
export function soundPlace<P extends Place>(kind: ReceiverKind, place: P): P {
  const sent = kind === 'webhook' ? { url: webhookUrl(place as WebhookPlace) } : (place as unknown as Sent);
  const words = place as { security?: string; facility?: string };
  const known =
    (words.security === undefined || (SECURITIES as readonly string[]).includes(words.security)) &&
    (words.facility === undefined || (FACILITIES as readonly string[]).includes(words.facility));
  if (!known) throw invalid({ pointer: '/kind', detail: 'The saved receiver can’t be read. Save it again.' });
  return placeOf(kind, sent, null) as P;
}
