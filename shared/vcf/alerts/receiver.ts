// A receiver: who is told of alerts, and what its kind needs. Its secret is in none of these.
import { serverText, type Target, urlText } from '../connection/target.ts';
import type { Severity } from './condition-ids.ts';

export const RECEIVER_KINDS = ['webhook', 'mail', 'syslog'] as const;
export type ReceiverKind = (typeof RECEIVER_KINDS)[number];

export const SECURITIES = ['starttls', 'tls'] as const;
/** RFC 5424, 6.2.1: daemon, and those for local use. */
export const FACILITIES = [
  'daemon',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

export interface WebhookPlace {
  host: string;
  port: number;
  /** With its query; begins with a slash. */
  path: string;
}

export interface MailPlace {
  host: string;
  port: number;
  security: (typeof SECURITIES)[number];
  /** Empty: without a login. */
  username: string;
  sender: string;
  recipients: string[];
}

export interface SyslogPlace {
  host: string;
  port: number;
  facility: (typeof FACILITIES)[number];
}

type Places = { webhook: WebhookPlace; mail: MailPlace; syslog: SyslogPlace };
export type Place = Places[ReceiverKind];

interface Head {
  id: string;
  name: string;
  enabled: boolean;
  /** The least severe alerts that it hears of. */
  severity: Severity;
  /** `AA:BB:…` of the certificate that somebody confirmed; null: nothing is sent. */
  sha256: string | null;
  /** Whether a signing secret or a password is stored for this very server. */
  has_secret: boolean;
  /** Since when it takes no message; null: it took the last one, or was never told anything. */
  failing_since: string | null;
  last_sent_at: string | null;
  last_reason: string;
  revision: number;
  created_at: string;
  updated_at: string;
}

export type ReceiverOf<Kind extends ReceiverKind> = Head & { kind: Kind; place: Places[Kind] };
export type Receiver = { [Kind in ReceiverKind]: ReceiverOf<Kind> }[ReceiverKind];

/** The machine and port that a secret is for. */
export const serverOf = ({ place: { host, port } }: Pick<Receiver, 'place'>): Target => ({ host, port });
export const serverKey = ({ host, port }: Target): string => `${host} ${port}`;

/** Where it is, for people: never with a secret. The path of a webhook often is one. */
export function placeWords({ kind, place }: Receiver): string {
  if (kind === 'webhook') return `${urlText(place)}${place.path === '/' ? '/' : '/…'}`;
  if (kind === 'mail') return `${place.recipients.join(', ')} through ${serverText(place)}`;
  return serverText(place);
}
