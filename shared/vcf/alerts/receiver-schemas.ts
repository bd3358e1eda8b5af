// What the API takes and says of receivers: members of all kinds side by side, each for the kinds that it says.
import * as v from 'valibot';
import {
  component,
  described,
  idParam,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import { FINGERPRINT } from '../../ground/x509/certificate.ts';
import { flag, line, port, word } from '../../platform/units/settings-schemas.ts';
import { SEVERITIES } from './condition-ids.ts';
import { FACILITIES, RECEIVER_KINDS, SECURITIES } from './receiver.ts';

export const receiverParam = idParam('receiver_id', 'Id of the receiver.');

export const RECIPIENTS_MOST = 20;

const name = v.pipe(line(64, 'Name of the receiver, unique.'), v.minLength(1, 'Must not be empty.'));

const CHOICES = {
  enabled: v.optional(flag('Whether it gets alerts. Default: true.')),
  severity: v.optional(
    word(SEVERITIES, 'The least severe alerts that it gets: `warning`, the default, is all of them.'),
  ),
  url: v.optional(
    line(
      500,
      'For `webhook`: https URL that alerts are posted to. Users who may change receivers see all of it, and encrypted archives have it; no other archive has receivers.',
    ),
  ),
  host: v.optional(line(253, 'For `mail` and `syslog`: host name or IP address.')),
  port: v.optional(port('For `mail` and `syslog`: TCP port; by default 587, 465 with `tls`, and 6514.')),
  security: v.optional(
    word(
      SECURITIES,
      'For `mail`: `starttls`, the default, begins in the clear and goes on over TLS or not at all; `tls` begins with TLS.',
    ),
  ),
  username: v.optional(line(254, 'For `mail`: who logs in; empty for no login.')),
  password: v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(1024, 'At most 1024 characters.'),
      v.description(
        'For `mail`: the password of the user. It is sealed before it is stored and never part of an answer. At most 1024 characters.',
      ),
    ),
  ),
  sender: v.optional(line(254, 'For `mail`: address that mails come from.')),
  recipients: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.trim(), v.maxLength(254, 'At most 254 characters.'))),
      v.maxLength(RECIPIENTS_MOST, `At most ${RECIPIENTS_MOST} recipients.`),
      v.description(`For \`mail\`: addresses that mails go to, at most ${RECIPIENTS_MOST}.`),
    ),
  ),
  facility: v.optional(word(FACILITIES, 'For `syslog`: facility of the messages, by default `daemon`.')),
};

export const receiverCreateSchema = component(
  'AlertReceiverCreate',
  v.strictObject({
    name,
    kind: described(v.picklist(RECEIVER_KINDS), 'What it is; it never changes.'),
    ...CHOICES,
  }),
  { name: 'chat', kind: 'webhook', url: 'https://hooks.lab.example/groundcrew' },
);
export type ReceiverCreate = v.InferOutput<typeof receiverCreateSchema>;

export const receiverUpdateSchema = component(
  'AlertReceiverUpdate',
  v.strictObject({ name: v.optional(name), ...CHOICES }),
  { severity: 'critical' },
);
export type ReceiverUpdate = v.InferOutput<typeof receiverUpdateSchema>;

const of = <S extends v.GenericSchema>(schema: S, what: string) =>
  described(v.nullable(schema), `${what} Null for a receiver of another kind.`);

export const receiverSchema = component(
  'AlertReceiver',
  v.object({
    id: idSchema,
    name: text('Name of the receiver.'),
    kind: described(v.picklist(RECEIVER_KINDS), 'What it is.'),
    enabled: described(v.boolean(), 'Whether it gets alerts.'),
    severity: described(v.picklist(SEVERITIES), 'The least severe alerts that it gets.'),
    url: of(
      v.string(),
      'For `webhook`: URL that alerts are posted to; without its path for users who may not change it.',
    ),
    host: text('Host name or IP address.'),
    port: described(integerSchema, 'TCP port.'),
    security: of(v.picklist(SECURITIES), 'For `mail`: how TLS begins.'),
    username: of(v.string(), 'For `mail`: who logs in; empty for no login.'),
    sender: of(v.string(), 'For `mail`: address that mails come from.'),
    recipients: of(v.array(v.string()), 'For `mail`: addresses that mails go to.'),
    facility: of(v.picklist(FACILITIES), 'For `syslog`: facility of the messages.'),
    sha256: described(
      v.nullable(v.string()),
      'SHA-256 of the certificate that was confirmed. Null: none was, so nothing is sent.',
    ),
    has_secret: described(
      v.boolean(),
      'Whether a signing secret (`webhook`) or a password (`mail`) is stored for this server.',
    ),
    failing_since: described(
      v.nullable(instantSchema),
      'Since when it takes no message; null: it accepted the last one, or has had none yet.',
    ),
    last_sent_at: described(v.nullable(instantSchema), 'When it last took a message; null: never.'),
    last_reason: text('Why it did not take the last one; empty where it did.'),
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
export const receiverListSchema = listOf('AlertReceiverList', receiverSchema);

export const receiverCertificateSchema = component(
  'AlertReceiverCertificate',
  v.object({
    server: text('Host and port that were checked.'),
    address: text('Address that the name resolved to.'),
    sha256: text('SHA-256 of the certificate that it shows now.'),
    subject: text('Whom it names.'),
    valid_until: text('When it expires, RFC 3339 in UTC.'),
    confirmed: described(v.boolean(), 'Whether it is the confirmed one.'),
  }),
);

export const receiverConfirmSchema = component(
  'AlertReceiverConfirm',
  v.strictObject({
    sha256: v.pipe(
      v.string(),
      v.trim(),
      v.toUpperCase(),
      v.regex(FINGERPRINT, 'Must be a SHA-256 such as AA:BB:… with 32 pairs.'),
      v.description('The fingerprint that was compared with the one that the operator of the server knows.'),
    ),
  }),
  {
    sha256: '9F:86:D0:81:88:4C:7D:65:9A:2F:EA:A0:C5:5A:D0:15:A3:BF:4F:1B:2B:0B:82:2C:D1:5D:6C:15:B0:F0:0A:08',
  },
);

export const receiverSecretSchema = component(
  'AlertReceiverSecret',
  v.object({
    secret: text(
      'The signing secret: key of HMAC-SHA256 over the timestamp, a dot and the body, as the bytes of this very text.',
    ),
  }),
);

export const receiverTestedSchema = component(
  'AlertReceiverTested',
  v.object({
    sent_at: described(instantSchema, 'When it took the test.'),
    note: text('What it did not do all the same, such as recipients that were refused; empty: nothing.'),
  }),
);

export const receiverMessageSchema = component(
  'AlertMessage',
  v.object({
    id: idSchema,
    alert_id: text('Id of the alert that it is about.'),
    event: text('What it tells: `opened`, `worse`, `reminder` or `closed`.'),
    state: described(v.picklist(['queued', 'sent', 'dead']), '`dead`: it was given up; it is not tried again.'),
    attempts: described(integerSchema, 'How often it was tried.'),
    made_at: instantSchema,
    next_at: described(v.nullable(instantSchema), 'When it is tried again; null: it is over.'),
    ended_at: described(v.nullable(instantSchema), 'When it was taken or given up; null: it waits.'),
    reason: text('Why it was not taken, or what was not done all the same.'),
  }),
);
export const receiverMessagesSchema = component(
  'AlertMessages',
  v.object({ items: described(v.array(receiverMessageSchema), 'The newest first, 200 at most.') }),
);
