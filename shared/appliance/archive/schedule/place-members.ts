// From the members of a request to the place of a target: those of its kind, with their defaults, each judged. Pure.
import { X509Certificate } from 'node:crypto';
import { type FieldError, invalid } from '../../../ground/problems.ts';
import { type Place, SECRET_KINDS, SECRETS_OF, type SecretKind, type TargetKind } from './target.ts';
import type { TargetCreate } from './target-schemas.ts';

const DEFAULTS: Readonly<Record<TargetKind, Readonly<Record<string, string | number | boolean>>>> = {
  folder: { path: '' },
  sftp: { host: '', port: 22, username: '', path: '' },
  s3: {
    endpoint: '',
    region: 'us-east-1',
    bucket: '',
    prefix: '',
    path_style: true,
    access_key_id: '',
    ca_certificate: '',
  },
};
/** May be empty. */
const OPTIONAL = new Set(['prefix', 'ca_certificate']);
const ALL = new Set(Object.values(DEFAULTS).flatMap((members) => Object.keys(members)));

type Sent = { [Member in keyof TargetCreate]?: TargetCreate[Member] | undefined };

/** @throws Problem 422 at each member */
export function placeOf(kind: TargetKind, sent: Sent, before: Place | null): Place {
  const own = DEFAULTS[kind];
  const given = sent as Readonly<Record<string, unknown>>;
  const errors: FieldError[] = [...ALL]
    .filter((name) => !(name in own) && given[name] !== undefined)
    .map((name) => ({ pointer: `/${name}`, detail: `Leave it out: a target of the kind ${kind} has none.` }));
  const saved = before as unknown as Readonly<Record<string, unknown>> | null;
  const next = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, given[name] ?? saved?.[name] ?? value]),
  );
  for (const name of Object.keys(own)) {
    const empty = next[name] === '' && !OPTIONAL.has(name);
    const detail = empty ? `A target of the kind ${kind} needs it.` : faultOf(kind, name, next[name]);
    if (detail !== null) errors.push({ pointer: `/${name}`, detail });
  }
  if (errors.length > 0) throw invalid(...errors);
  if (kind === 's3') next.endpoint = new URL(String(next.endpoint)).origin;
  return (kind === 'sftp' ? { ...next, host_key_sha256: saved?.host_key_sha256 ?? null } : next) as unknown as Place;
}

/** The secret that was typed; null: none. @throws Problem 422 for one of another kind, and for two */
export function typedSecret(kind: TargetKind, sent: Sent): { kind: SecretKind; value: string } | null {
  const own: readonly string[] = SECRETS_OF[kind];
  const typed = SECRET_KINDS.filter((name) => sent[name] !== undefined);
  const wrong = typed.filter((name) => !own.includes(name));
  const errors = wrong.map((name) => ({
    pointer: `/${name}`,
    detail: `Leave it out: a target of the kind ${kind} has none.`,
  }));
  if (typed.length > 1 && errors.length === 0)
    errors.push({ pointer: `/${typed[1]}`, detail: 'Either a password or a key: leave one of the two out.' });
  if (errors.length > 0) throw invalid(...errors);
  const [name] = typed;
  return name === undefined ? null : { kind: name, value: sent[name]! };
}

const PART = /^(?!\.{1,2}$)[\w.@+=~ -]{1,255}$/;
const isPath = (path: string): boolean =>
  path
    .replace(/^\//, '')
    .split('/')
    .every((part) => PART.test(part));

const RULES: Readonly<Record<string, (value: string, kind: TargetKind) => string | null>> = {
  path(value, kind) {
    if (kind === 'folder' && !value.startsWith('/')) return 'Must be an absolute path.';
    if (kind === 'sftp' && value === '.') return null;
    return isPath(value)
      ? null
      : 'Its parts are letters, digits and . _ @ + = ~ - or blanks, without an empty one, . or ..';
  },
  endpoint(value) {
    const url = URL.parse(value);
    const plain = url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.hash === '';
    return plain && url.username === '' && url.password === '' && !/[\s\\@]/.test(value)
      ? null
      : 'Must be an https URL without a path, such as https://s3.lab.example:9000.';
  },
  bucket: (value) =>
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value)
      ? null
      : 'Must be 3 to 63 lower-case letters, digits, dots or hyphens.',
  region: (value) => (/^[A-Za-z0-9-]+$/.test(value) ? null : 'Must be letters, digits and hyphens.'),
  prefix: (value) =>
    value === '' || (isPath(value) && !/^\/|\/$/.test(value)) ? null : 'Must be plain parts between slashes.',
  access_key_id: (value) => (/^[\w+=,.@-]+$/.test(value) ? null : 'Must be letters, digits and _ + = , . @ -'),
  username: (value) => (/^[\w.@\\-]+$/.test(value) ? null : 'Must be letters, digits and _ . @ \\ -'),
  ca_certificate: (value) => (value === '' || isCertificates(value) ? null : 'Must be certificates in PEM.'),
};

const faultOf = (kind: TargetKind, name: string, value: unknown): string | null =>
  (typeof value === 'string' ? RULES[name]?.(value, kind) : null) ?? null;

function isCertificates(pem: string): boolean {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.length > 0 && blocks.every((block) => new X509Certificate(block).subject !== undefined);
  } catch {
    return false;
  }
}
