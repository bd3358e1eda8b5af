// What the API takes and says of the targets of archives: members of all kinds side by side, each for the kinds that it says.
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
} from '../../../ground/schemas/component.ts';
import { flag, line, port } from '../../../platform/units/settings-schemas.ts';
import { SECRET_KINDS, TARGET_KINDS } from './target.ts';

export const targetParam = idParam('target_id', 'Id of the target.');

const FINGERPRINT = /^SHA256:[A-Za-z0-9+/]{43}$/;

const secret = (most: number, what: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.minLength(1, 'Must not be empty.'),
      v.maxLength(most, `At most ${most} characters.`),
      v.description(
        `${what} It is sealed before it is stored and never part of an answer. At most ${most} characters.`,
      ),
    ),
  );

const name = v.pipe(line(64, 'Name of the target, unique.'), v.minLength(1, 'Must not be empty.'));

const CHOICES = {
  enabled: v.optional(flag('Whether copies go there. Default: true.')),
  path: v.optional(
    line(
      1024,
      'For `folder`: an absolute path on the appliance, below `copies` in its data folder or below `/srv/datastores` where a volume is mounted. For `sftp`: the folder there, which has to exist.',
    ),
  ),
  host: v.optional(line(253, 'For `sftp`: host name or IP address.')),
  port: v.optional(port('For `sftp`: TCP port, by default 22.')),
  username: v.optional(line(64, 'For `sftp`: who logs in.')),
  password: secret(1024, 'For `sftp`: the password of the user, in place of a key.'),
  private_key: secret(
    16_384,
    'For `sftp`: a private key in the format of OpenSSH or PEM, without a passphrase, in place of a password.',
  ),
  endpoint: v.optional(line(300, 'For `s3`: https URL of the service, without a path.')),
  region: v.optional(line(64, 'For `s3`: the region that requests are signed for, by default us-east-1.')),
  bucket: v.optional(line(63, 'For `s3`: the bucket, which has to exist.')),
  prefix: v.optional(line(512, 'For `s3`: what keys begin with, without a slash at its ends; empty for nothing.')),
  path_style: v.optional(
    flag('For `s3`: whether the bucket is a part of the path instead of the host name. Default: true.'),
  ),
  access_key_id: v.optional(line(128, 'For `s3`: id of the access key.')),
  secret_access_key: secret(256, 'For `s3`: the secret of the access key.'),
  ca_certificate: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(16_384, 'At most 16384 characters.'),
      v.description(
        'For `s3`: certificates in PEM of the authority that the service is trusted by, in place of the public ones; empty for those. At most 16384 characters.',
      ),
    ),
  ),
};

export const targetCreateSchema = component(
  'ArchiveTargetCreate',
  v.strictObject({
    name,
    kind: described(v.picklist(TARGET_KINDS), 'What it is; it never changes.'),
    ...CHOICES,
  }),
  {
    name: 'backup01',
    kind: 'sftp',
    host: 'backup01.lab.test',
    username: 'groundcrew',
    path: 'archives',
    password: 'the secret itself',
  },
);
export type TargetCreate = v.InferOutput<typeof targetCreateSchema>;

export const targetUpdateSchema = component(
  'ArchiveTargetUpdate',
  v.strictObject({ name: v.optional(name), ...CHOICES }),
  {
    enabled: false,
  },
);
export type TargetUpdate = v.InferOutput<typeof targetUpdateSchema>;

const of = <S extends v.GenericSchema>(schema: S, what: string) =>
  described(v.nullable(schema), `${what} Null for a target of another kind.`);

export const targetSchema = component(
  'ArchiveTarget',
  v.object({
    id: idSchema,
    name: text('Name of the target.'),
    kind: described(v.picklist(TARGET_KINDS), 'What it is.'),
    enabled: described(v.boolean(), 'Whether copies go there.'),
    path: of(v.string(), 'For `folder` and `sftp`: the folder.'),
    host: of(v.string(), 'For `sftp`: host name or IP address.'),
    port: of(integerSchema, 'For `sftp`: TCP port.'),
    username: of(v.string(), 'For `sftp`: who logs in.'),
    host_key_sha256: described(
      v.nullable(v.string()),
      'For `sftp`: fingerprint of the host key that was confirmed, as `ssh-keygen -l` prints it. Null: none was, so no connection is made.',
    ),
    endpoint: of(v.string(), 'For `s3`: URL of the service.'),
    region: of(v.string(), 'For `s3`: the region that requests are signed for.'),
    bucket: of(v.string(), 'For `s3`: the bucket.'),
    prefix: of(v.string(), 'For `s3`: what keys begin with.'),
    path_style: of(v.boolean(), 'For `s3`: whether the bucket is a part of the path.'),
    access_key_id: of(v.string(), 'For `s3`: id of the access key.'),
    ca_certificate: of(v.string(), 'For `s3`: certificates of the authority that it is trusted by.'),
    stored_secret: described(v.nullable(v.picklist(SECRET_KINDS)), 'Which secret is stored; null: none.'),
    created_at: instantSchema,
    updated_at: instantSchema,
    revision: revisionSchema,
  }),
);
export const targetListSchema = listOf('ArchiveTargetList', targetSchema);

export const hostKeySchema = component(
  'ArchiveTargetHostKey',
  v.object({
    host_key_sha256: text('SHA-256 of the host key that the machine shows now, as `ssh-keygen -l` prints it.'),
    algorithm: text('Kind of the key: `ssh-ed25519`.'),
    confirmed: described(v.boolean(), 'Whether it is the confirmed one.'),
  }),
);

export const confirmHostKeySchema = component(
  'ArchiveTargetHostKeyConfirm',
  v.strictObject({
    host_key_sha256: v.pipe(
      v.string(),
      v.trim(),
      v.regex(FINGERPRINT, 'Must be SHA256: and 43 more characters, as ssh-keygen -l prints it.'),
      v.description('The fingerprint that was compared with the one that the machine’s operator knows.'),
    ),
  }),
  { host_key_sha256: 'SHA256:ufHn5GeEl7YCgPnQsMdVcqUTh1PRGMVc8yqPPeyR27k' },
);

export const testedSchema = component(
  'ArchiveTargetTested',
  v.object({ tested_at: described(instantSchema, 'When a small file was written, read back and removed there.') }),
);
