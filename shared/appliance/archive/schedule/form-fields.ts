// Fields of the forms of targets: those of the kind that was chosen; what stands in others counts for nothing.
import type { FormFields } from '../../../kernel/operation/operation.ts';

export const SECRET_FIELDS = ['password', 'private_key', 'secret_access_key'];

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  folder: [],
  sftp: ['host', 'username'],
  s3: ['endpoint', 'region', 'bucket', 'prefix', 'access_key_id', 'ca_certificate'],
};
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  folder: [],
  sftp: ['password', 'private_key'],
  s3: ['secret_access_key'],
};
/** Both kinds have a path; each has a field of its own, so that a default of one is not sent for the other. */
const PATHS: Readonly<Record<string, string>> = { folder: 'path', sftp: 'remote_path' };

export function targetFields(fields: FormFields, kind: string): Record<string, unknown> {
  const texts = (TEXTS[kind] ?? []).map((name) => [name, fields.text(name)]);
  const path = PATHS[kind] === undefined ? {} : { path: fields.text(PATHS[kind]) };
  return {
    name: fields.text('name'),
    enabled: fields.checked('enabled'),
    ...path,
    ...Object.fromEntries(texts),
    ...(kind === 'sftp' && { port: fields.integer('port') }),
    ...(kind === 's3' && { path_style: fields.checked('path_style') }),
    ...typedSecrets(fields, kind),
  };
}

/** Untrimmed, but for the line ends of a text area; an empty field is no secret. */
function typedSecrets({ values }: FormFields, kind: string): Record<string, string> {
  const typed = (SECRETS[kind] ?? []).map((name) => [name, (values.get(name) ?? '').replaceAll('\r\n', '\n')] as const);
  return Object.fromEntries(typed.filter(([, value]) => value !== ''));
}
