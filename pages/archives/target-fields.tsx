// The fields of a target, by its kind.

import type { TargetKind } from '../../shared/appliance/archive/schedule/target.ts';
import type { TargetItem } from '../../shared/appliance/archive/schedule/targets.ts';
import { CheckField, FieldGroup, TextArea, TextField } from '../components/form.tsx';
import type { SavedField, Typed } from '../layout/form-state.tsx';
import { KIND_WORDS } from './schedule-words.tsx';

export const TARGET_LABELS = {
  name: 'Name',
  kind: 'Kind',
  enabled: 'Copies go there',
  path: 'Folder',
  host: 'Host',
  port: 'Port',
  username: 'User name',
  password: 'Password',
  private_key: 'Private key',
  endpoint: 'Endpoint',
  region: 'Region',
  bucket: 'Bucket',
  prefix: 'Prefix',
  path_style: 'The bucket is a part of the path',
  access_key_id: 'Access key id',
  secret_access_key: 'Secret access key',
  ca_certificate: 'Authority’s certificate',
};

export type SavedTarget = Partial<TargetItem>;

interface Props {
  saved: SavedTarget;
  typed: Typed;
  /** The folder that takes copies without a volume. */
  copies: string;
}

const PLACES: Readonly<Record<TargetKind, (props: Props) => preact.JSX.Element>> = {
  folder: FolderFields,
  sftp: SftpFields,
  s3: S3Fields,
};

export function HeadFields({ saved, typed }: Pick<Props, 'saved' | 'typed'>) {
  return (
    <>
      <TextField
        name="name"
        label={TARGET_LABELS.name}
        maxlength={64}
        value={typed.text('name', saved.name ?? '')}
        error={typed.of('name')}
      />
      <CheckField
        name="enabled"
        group="Enabled"
        label={TARGET_LABELS.enabled}
        checked={typed.checked('enabled', saved.enabled ?? true)}
        error={typed.of('enabled')}
      />
    </>
  );
}

export function PlaceFields({ kind, ...props }: Props & { kind: TargetKind }) {
  const Fields = PLACES[kind];
  return (
    <FieldGroup legend={KIND_WORDS[kind]}>
      <Fields {...props} />
    </FieldGroup>
  );
}

const text = (name: keyof typeof TARGET_LABELS, { saved, typed }: Props, standard = '') => ({
  name,
  label: TARGET_LABELS[name],
  value: typed.text(name, String(saved[name] ?? standard)),
  error: typed.of(name),
});

const secret = (name: 'password' | 'secret_access_key', { saved, typed }: Props) => ({
  name,
  label: TARGET_LABELS[name],
  type: 'password' as const,
  value: '',
  autocomplete: 'new-password',
  error: typed.of(name),
  help: saved.id === undefined ? 'Sealed before it is stored, and never shown.' : 'Empty: the stored one stays.',
});

function FolderFields(props: Props) {
  const help = `Below ${props.copies}, or below /srv/datastores where a volume is mounted. Copies on this appliance are lost with it.`;
  return <TextField {...text('path', props, `${props.copies}/archives`)} mono wide help={help} />;
}

function SftpFields(props: Props) {
  const { saved, typed } = props;
  return (
    <>
      <TextField {...text('host', props)} mono />
      <TextField {...text('port', props, '22')} inputmode="numeric" />
      <TextField {...text('username', props)} mono />
      <TextField
        {...text('path', props)}
        name="remote_path"
        value={typed.text('remote_path', String(saved.path ?? ''))}
        mono
        help="It has to exist there."
      />
      <TextField {...secret('password', props)} />
      <TextArea
        name="private_key"
        label={TARGET_LABELS.private_key}
        mono
        rows={4}
        value=""
        error={typed.of('private_key')}
        help="In place of a password, in the format of OpenSSH or PEM, without a passphrase. Never shown again."
      />
    </>
  );
}

function S3Fields(props: Props) {
  const { saved, typed } = props;
  return (
    <>
      <TextField {...text('endpoint', props)} mono placeholder="https://s3.lab.example" />
      <TextField {...text('region', props, 'us-east-1')} mono />
      <TextField {...text('bucket', props)} mono help="It has to exist." />
      <TextField {...text('prefix', props)} mono help="What keys begin with; empty for nothing." />
      <CheckField
        name="path_style"
        group="Address"
        label={TARGET_LABELS.path_style}
        checked={typed.checked('path_style', saved.path_style !== false)}
        error={typed.of('path_style')}
        help="Otherwise it is a part of the host name."
      />
      <TextField {...text('access_key_id', props)} mono />
      <TextField {...secret('secret_access_key', props)} />
      <TextArea
        {...text('ca_certificate', props)}
        mono
        rows={4}
        help="PEM, where no public authority signed the certificate of the service; empty for the public ones."
      />
    </>
  );
}

/** Fields of a kind with what is saved, for a form that came too late. */
export function savedFields(saved: TargetItem): SavedField[] {
  const names: Readonly<Record<TargetKind, readonly (keyof typeof TARGET_LABELS)[]>> = {
    folder: ['path'],
    sftp: ['host', 'port', 'username'],
    s3: ['endpoint', 'region', 'bucket', 'prefix', 'access_key_id', 'ca_certificate'],
  };
  return [
    [TARGET_LABELS.name, 'name', saved.name],
    [TARGET_LABELS.enabled, 'enabled', saved.enabled],
    ...names[saved.kind].map((name): SavedField => [TARGET_LABELS[name], name, String(saved[name] ?? '')]),
    ...(saved.kind === 'sftp' ? [[TARGET_LABELS.path, 'remote_path', String(saved.path)] as SavedField] : []),
    ...(saved.kind === 's3' ? [[TARGET_LABELS.path_style, 'path_style', saved.path_style === true] as SavedField] : []),
  ];
}
