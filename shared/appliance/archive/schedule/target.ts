// A target: a place for copies, and what its kind needs. Its secret is in none of these.

export const TARGET_KINDS = ['folder', 'sftp', 's3'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** Which secret opens a target of a kind. */
export const SECRETS_OF = {
  folder: [],
  sftp: ['password', 'private_key'],
  s3: ['secret_access_key'],
} as const satisfies Record<TargetKind, readonly string[]>;
export type SecretKind = (typeof SECRETS_OF)[TargetKind][number];
export const SECRET_KINDS = ['password', 'private_key', 'secret_access_key'] as const satisfies readonly SecretKind[];

export interface FolderPlace {
  path: string;
}

export interface SftpPlace {
  host: string;
  port: number;
  username: string;
  path: string;
  /** `SHA256:…` of the host key that somebody confirmed; null: no connection is made. */
  host_key_sha256: string | null;
}

export interface S3Place {
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  path_style: boolean;
  access_key_id: string;
  ca_certificate: string;
}

type Places = { folder: FolderPlace; sftp: SftpPlace; s3: S3Place };
export type Place = Places[TargetKind];

interface Head {
  id: string;
  name: string;
  enabled: boolean;
  /** Which secret is stored. */
  secret: SecretKind | null;
  created_at: string;
  updated_at: string;
  revision: number;
}

export type TargetOf<Kind extends TargetKind> = Head & { kind: Kind; place: Places[Kind] };
export type Target = { [Kind in TargetKind]: TargetOf<Kind> }[TargetKind];

/** Where it is, for people: never with a secret. */
export function placeWords({ kind, place }: Target): string {
  if (kind === 'folder') return place.path;
  if (kind === 'sftp') return `${place.username}@${place.host}:${place.port} ${place.path}`;
  return `${place.endpoint} ${[place.bucket, place.prefix].filter(Boolean).join('/')}`;
}

/** Members whose change leads to another place. */
const WHERE: Readonly<Record<TargetKind, readonly string[]>> = {
  folder: ['path'],
  sftp: ['host', 'port', 'path'],
  s3: ['endpoint', 'bucket', 'prefix'],
};
/** Members that say who gets the secret. */
const WHOSE: Readonly<Record<TargetKind, readonly string[]>> = { folder: [], sftp: ['host', 'port'], s3: ['endpoint'] };

type Members = Readonly<Record<string, unknown>>;
const differs = (names: readonly string[], one: Place, other: Place): boolean =>
  names.some((name) => (one as unknown as Members)[name] !== (other as unknown as Members)[name]);

export const leadsElsewhere = (kind: TargetKind, one: Place, other: Place): boolean => differs(WHERE[kind], one, other);

export const isOtherMachine = (kind: TargetKind, one: Place, other: Place): boolean => differs(WHOSE[kind], one, other);
