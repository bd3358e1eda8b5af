// What has to be typed again to continue a failed deployment: exactly what its remaining steps use. A stored login that
// one person chose is not used for another person who continues: then the login has to be typed.

import { OVA_LIMITS } from '../../ground/ova/limits.ts';
import { ERROR_CODES, type ErrorCode } from '../../ground/problems.ts';
import type { Scope } from '../../kernel/access/scopes.ts';
import type { Continuation, ContinuationField, EndedJob } from '../../kernel/jobs/kind.ts';
import { serverText } from '../connection/target.ts';
import { isDepotSet } from '../remote-depot/steps.ts';
import { addressingOf } from './addressing.ts';
import { addressingIn } from './kept-descriptor.ts';
import { type Notes, notesOf, requestOf } from './notes.ts';
import { type DeploymentRequest, SECRET_NAMES } from './request.ts';

export const DEPLOY_SCOPE: Scope = 'write:depot';

/** Once there is a machine, the steps that are left can be tried again whatever it was that stopped them. */
export const CONTINUES_AFTER = Object.keys(ERROR_CODES) as readonly ErrorCode[];

const CAUSES: readonly unknown[] = ['remote_credential_gone', 'remote_login_refused'];

export function continues(job: EndedJob): Continuation | null {
  const notes = notesOf(job);
  // Before there is a machine, only a missing or wrong login can be corrected here.
  if (notes.machine === undefined && !CAUSES.includes(job.error?.error_code)) return null;
  return { scope: DEPLOY_SCOPE, fields: fieldsOf(requestOf(job.input), notes, job.kept) };
}

function fieldsOf(
  request: DeploymentRequest,
  notes: Notes,
  kept: Readonly<Record<string, unknown>>,
): ContinuationField[] {
  const { extras, secret_properties } = request;
  const setsProperties = notes.machine === undefined || (notes.kind === 'esxi' && !isGiven(notes));
  const depot = extras.depot && notes.depot === undefined;
  const asks = notes.login_needed === true && notes.appliance === undefined;
  const visits = asks || (extras.trust && notes.trust === undefined) || depot;
  const local = secret_properties.find((key) => LOCAL_PASSWORD.test(key));
  return [
    ...(needsHypervisor(request, notes) ? loginFields(request) : []),
    ...secret_properties
      .filter((key) => setsProperties || (visits && key === local))
      .map((key) => ({
        name: SECRET_NAMES.property(key),
        label: key === local ? `Password of admin@local (${key})` : key,
        kind: 'password' as const,
        help: 'The same value as when the deployment was reviewed.',
        most: OVA_LIMITS.value,
      })),
    ...(visits && !setsProperties && local === undefined ? APPLIANCE : []),
    ...(depot && !isDepotSet(kept)
      ? [{ name: SECRET_NAMES.depot_password, label: 'Password of the depot’s user', kind: 'password' as const }]
      : []),
  ];
}

const isGiven = ({ environment }: Notes): boolean => environment === 'set' || environment === 'cleared';

const LOCAL_PASSWORD = /(?:^|\.)local[_-]?user[_-]?password(?:\.|$)/i;

const APPLIANCE: readonly ContinuationField[] = [
  { name: SECRET_NAMES.appliance_username, label: 'User name at the appliance', kind: 'text', value: 'admin@local' },
  { name: SECRET_NAMES.appliance_password, label: 'Its password', kind: 'password' },
];

function loginFields({ target }: DeploymentRequest): ContinuationField[] {
  const server = serverText(target);
  return [
    { name: SECRET_NAMES.username, label: `User name at ${server}`, kind: 'text' },
    { name: SECRET_NAMES.password, label: `Password at ${server}`, kind: 'password' },
  ];
}

function needsHypervisor(request: DeploymentRequest, notes: Notes): boolean {
  const { power_on } = request;
  if (notes.machine === undefined || notes.environment === 'set') return true;
  if (notes.kind === 'esxi' && !isGiven(notes)) return true;
  if (power_on && !notes.powered) return true;
  // Without a fixed address only the target knows where it is.
  return power_on && notes.appliance === undefined && !hasFixedAddress(request, notes);
}

/** Without the OVF, only typed values are used. */
function hasFixedAddress(request: DeploymentRequest, { descriptor }: Notes): boolean {
  const typed = Object.entries(request.properties);
  const { addresses } = descriptor
    ? addressingIn(descriptor, request)
    : addressingOf({ properties: typed.map(([key]) => ({ key })) }, new Map(typed));
  return addresses.length > 0;
}
