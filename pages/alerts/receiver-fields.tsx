// The fields of a receiver, by its kind.
import { FACILITIES, type ReceiverKind, SECURITIES } from '../../shared/vcf/alerts/receiver.ts';
import type { ReceiverItem } from '../../shared/vcf/alerts/receivers.ts';
import { CheckField, FieldGroup, RadioField, SelectField, TextArea, TextField } from '../components/form.tsx';
import type { SavedField, Typed } from '../layout/form-state.tsx';
import { KIND_WORDS } from './alert-words.tsx';

export const RECEIVER_LABELS = {
  name: 'Name',
  kind: 'Kind',
  enabled: 'Alerts go there',
  severity: 'Which alerts',
  url: 'URL',
  host: 'Host',
  port: 'Port',
  security: 'TLS',
  username: 'User name',
  password: 'Password',
  sender: 'Sender',
  recipients: 'Recipients',
  facility: 'Facility',
};

const SECURITY_WORDS: Record<(typeof SECURITIES)[number], string> = {
  starttls: 'STARTTLS, required (587)',
  tls: 'TLS from the beginning (465)',
};

interface Props {
  saved: Partial<ReceiverItem>;
  typed: Typed;
}

export function HeadFields({ saved, typed }: Props) {
  return (
    <>
      <TextField
        name="name"
        label={RECEIVER_LABELS.name}
        maxlength={64}
        value={typed.text('name', saved.name ?? '')}
        error={typed.of('name')}
      />
      <CheckField
        name="enabled"
        group="Enabled"
        label={RECEIVER_LABELS.enabled}
        checked={typed.checked('enabled', saved.enabled ?? true)}
        error={typed.of('enabled')}
      />
      <RadioField
        name="severity"
        label={RECEIVER_LABELS.severity}
        value={typed.text('severity', saved.severity ?? 'warning')}
        error={typed.of('severity')}
        options={[
          { value: 'warning', label: 'All' },
          { value: 'critical', label: 'Critical ones alone' },
        ]}
      />
    </>
  );
}

const FIELDS: Readonly<Record<ReceiverKind, (props: Props) => preact.JSX.Element>> = {
  webhook: WebhookFields,
  mail: MailFields,
  syslog: SyslogFields,
};

export function PlaceFields({ kind, ...props }: Props & { kind: ReceiverKind }) {
  const Fields = FIELDS[kind];
  return (
    <FieldGroup legend={KIND_WORDS[kind]}>
      <Fields {...props} />
    </FieldGroup>
  );
}

const text = (name: 'url' | 'username' | 'sender', { saved, typed }: Props) => ({
  name,
  label: RECEIVER_LABELS[name],
  value: typed.text(name, saved[name] ?? ''),
  error: typed.of(name),
});

/** Both kinds have a host and a port; each has fields of its own. */
function Server({ of, port, saved, typed }: Props & { of: 'mail' | 'syslog'; port: string }) {
  const own = saved.kind === of;
  return (
    <>
      <TextField
        name={`${of}_host`}
        label={RECEIVER_LABELS.host}
        mono
        value={typed.text(`${of}_host`, own ? (saved.host ?? '') : '')}
        error={typed.of('host')}
        placeholder={of === 'mail' ? 'mail.lab.example' : 'logs.lab.example'}
      />
      <TextField
        name={`${of}_port`}
        label={RECEIVER_LABELS.port}
        inputmode="numeric"
        value={typed.text(`${of}_port`, own ? String(saved.port ?? '') : '')}
        error={typed.of('port')}
        help={`Empty: ${port}.`}
      />
    </>
  );
}

function WebhookFields(props: Props) {
  return (
    <TextField
      {...text('url', props)}
      mono
      wide
      placeholder="https://hooks.lab.example/groundcrew"
      help="https only. Only who may change receivers sees more of it than its server. Each message is signed; the signing secret is made on the next page."
    />
  );
}

function MailFields(props: Props) {
  const { saved, typed } = props;
  return (
    <>
      <Server of="mail" port="587, or 465 with TLS from the beginning" {...props} />
      <RadioField
        name="security"
        label={RECEIVER_LABELS.security}
        value={typed.text('security', saved.security ?? 'starttls')}
        error={typed.of('security')}
        options={SECURITIES.map((value) => ({ value, label: SECURITY_WORDS[value] }))}
      />
      <TextField {...text('username', props)} mono help="Empty: without a login." />
      <TextField
        name="password"
        label={RECEIVER_LABELS.password}
        type="password"
        value=""
        autocomplete="new-password"
        error={typed.of('password')}
        help={saved.has_secret ? 'Empty: the stored one stays.' : 'Sealed before it is stored, and never shown.'}
      />
      <TextField {...text('sender', props)} mono placeholder="groundcrew@lab.example" />
      <TextArea
        name="recipients"
        label={RECEIVER_LABELS.recipients}
        mono
        rows={3}
        value={typed.text('recipients', (saved.recipients ?? []).join('\n'))}
        error={typed.of('recipients')}
        help="One a line."
      />
    </>
  );
}

function SyslogFields(props: Props) {
  const { saved, typed } = props;
  return (
    <>
      <Server of="syslog" port="6514" {...props} />
      <SelectField
        name="facility"
        label={RECEIVER_LABELS.facility}
        value={typed.text('facility', saved.facility ?? 'daemon')}
        error={typed.of('facility')}
        options={FACILITIES.map((value) => ({ value, label: value }))}
        help="RFC 5424 over TLS, in the frames of RFC 5425."
      />
    </>
  );
}

/** Fields of a kind with what is saved, for a form that came too late. */
export function savedFields(saved: ReceiverItem): SavedField[] {
  const server = (of: string): SavedField[] => [
    [RECEIVER_LABELS.host, `${of}_host`, saved.host],
    [RECEIVER_LABELS.port, `${of}_port`, String(saved.port)],
  ];
  const own: Record<ReceiverKind, SavedField[]> = {
    webhook: [[RECEIVER_LABELS.url, 'url', saved.url ?? '']],
    mail: [
      ...server('mail'),
      [RECEIVER_LABELS.security, 'security', saved.security ?? 'starttls'],
      [RECEIVER_LABELS.username, 'username', saved.username ?? ''],
      [RECEIVER_LABELS.sender, 'sender', saved.sender ?? ''],
      [RECEIVER_LABELS.recipients, 'recipients', (saved.recipients ?? []).join('\n')],
    ],
    syslog: [...server('syslog'), [RECEIVER_LABELS.facility, 'facility', saved.facility ?? 'daemon']],
  };
  return [
    [RECEIVER_LABELS.name, 'name', saved.name],
    [RECEIVER_LABELS.enabled, 'enabled', saved.enabled],
    [RECEIVER_LABELS.severity, 'severity', saved.severity],
    ...own[saved.kind],
  ];
}
