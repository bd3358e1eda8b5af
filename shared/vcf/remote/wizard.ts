// Tasks on a remote machine as steps, always in this order: credential, server, TLS fingerprint, login, the task's own
// steps, review. The URL has the position, without secrets, so that people can go back to each step.

import { pagePath } from '../../ground/page-paths.ts';
import type { ErrorCode } from '../../ground/problems.ts';
import type { Keys } from '../../ground/sealing/keys.ts';
import { equalInConstantTime } from '../../ground/sealing/keys.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Scope } from '../../kernel/access/scopes.ts';
import type { VaultPurpose } from '../../platform/vaults/use.ts';
import { serverText, type Target } from '../connection/target.ts';
import type { Draft } from './draft.ts';

export interface Step {
  id: string;
  label: string;
}

export interface WizardTask {
  /** Kind of task, in the audit log too. */
  id: string;
  title: string;
  intro: string;
  /** Page of the task; its forms are below it. */
  path: string;
  /** Page that the wizard belongs to, and where it ends when it is given up. */
  above: { href: string; label: string };
  /** Who may open and run it. */
  scope: Scope;
  purpose: VaultPurpose;
  /** The other end, in a sentence: `the VCF Installer or SDDC Manager`. */
  machine: string;
  /** Steps after the login, review last. */
  own: readonly [Step, ...Step[]];
  /** Its own steps need data that is read with the login. */
  reads: boolean;
  /** Last part of the path of the form that logs in; default `login`. */
  entry?: string;
  /** The first of its own steps that is not complete; later steps need it. Null: all are complete. */
  missing(draft: Draft): string | null;
  /** What its review shows of the task, without the results of a pre-flight, which are no choices. */
  reviewed?(draft: Draft): unknown;
}

const FIRST: readonly Step[] = [
  { id: 'credential', label: 'Credential' },
  { id: 'server', label: 'Server' },
  { id: 'tls', label: 'TLS fingerprint' },
  { id: 'login', label: 'Login' },
];

export const stepsOf = (task: WizardTask): readonly Step[] => [...FIRST, ...task.own];

export const IMPORT_TASK: WizardTask = {
  id: 'password-import',
  title: 'Import passwords',
  intro: 'Takes the passwords that a VCF Installer or an SDDC Manager knows into a vault.',
  path: pagePath('import-passwords'),
  above: { href: pagePath('vaults'), label: 'Vaults' },
  scope: 'write:vaults',
  purpose: 'password-import',
  machine: 'the VCF Installer or SDDC Manager',
  own: [
    { id: 'select', label: 'Passwords' },
    { id: 'review', label: 'Review' },
  ],
  reads: true,
  missing: ({ chosen }) => (chosen ? null : 'select'),
};

export const TRUST_TASK: WizardTask = {
  id: 'certificate-trust',
  title: 'Certificate trust',
  intro: 'Makes a VCF Installer or an SDDC Manager trust the certificate of an authority for its own connections.',
  path: pagePath('trust-certificate'),
  above: { href: pagePath('vcf-helper'), label: 'Deployment helper' },
  scope: 'write:dns',
  purpose: 'certificate-trust',
  machine: 'the VCF Installer or SDDC Manager',
  own: [
    { id: 'certificate', label: 'Certificate' },
    { id: 'review', label: 'Review' },
  ],
  reads: false,
  missing: ({ certificate }) => (certificate ? null : 'certificate'),
};

/** Last part of the path of the form that logs in. */
export const entryOf = ({ entry = 'login' }: WizardTask): string => entry;

/** Names of the fields and query parameters of a position. */
export const PLACE_FIELDS = ['vault_id', 'choice_id', 'server', 'look', 'trust', 'draft'] as const;
export type PlaceField = (typeof PLACE_FIELDS)[number];

/** `vault_id` and `choice_id`: empty for a login that is typed. */
export type Place = { step: string } & Record<PlaceField, string>;

/** Reads a place out of a query or of posted fields. */
export function placeFrom(read: (name: string) => string | null | undefined): Place {
  const text = (name: string) => (read(name) ?? '').trim().slice(0, 2048);
  return {
    step: text('step'),
    ...(Object.fromEntries(PLACE_FIELDS.map((name) => [name, text(name)])) as Record<PlaceField, string>),
  };
}

/** The URL of a position, without empty parameters. */
export function placeHref(task: WizardTask, place: Partial<Place>): string {
  const named = (['step', ...PLACE_FIELDS] as const).flatMap((name): [string, string][] =>
    place[name] ? [[name, place[name]]] : [],
  );
  return named.length === 0 ? task.path : `${task.path}?${new URLSearchParams(named)}`;
}

/**
 * Marks a server that this session looks at, so that a link from another site can't make the appliance connect.
 */
export function lookMark(keys: Keys, { credential_id }: Actor, target: Target): string {
  return keys
    .hmac('remote-trust', `look ${credential_id} ${serverText(target)}`)
    .toString('base64url')
    .slice(0, 22);
}

export const isMarked = (keys: Keys, actor: Actor, target: Target, mark: string): boolean =>
  equalInConstantTime(mark, lookMark(keys, actor, target));

/** Faults that lead back to another step than the one where they showed. */
const LEADS_BACK: Partial<Record<ErrorCode, string>> = {
  certificate_changed: 'tls',
  trust_missing: 'tls',
  target_refused: 'server',
  remote_name_unknown: 'server',
  remote_not_tls: 'server',
  remote_tls_too_old: 'server',
  remote_unsupported: 'server',
};

/** The step that shows a refused form of `step`. With a stored credential there is no login step. */
export function stepAfterRefusal(code: string, step: string, stored: boolean): string {
  if (code === 'remote_login_refused') return stored ? 'credential' : step;
  return LEADS_BACK[code as ErrorCode] ?? step;
}
