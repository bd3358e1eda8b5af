// The wizard that deploys an SDDC Manager: its steps, its draft, and the names of its form fields for properties and
// networks of the OVF, whose own names a field could not have.

import { createHash } from 'node:crypto';
import { OVA_LIMITS } from '../../ground/ova/limits.ts';
import { defaultOf } from '../../ground/ova/property-values.ts';
import type { OvfDescriptor, OvfProperty } from '../../ground/ova/types.ts';
import { pagePath } from '../../ground/page-paths.ts';
import type { FieldError } from '../../ground/problems.ts';
import type { WizardTask } from '../remote/wizard.ts';
import type { Inventory } from '../vsphere/inventory.ts';
import type { Check } from './check.ts';
import type { Extras, Placement } from './request.ts';

export const DEPLOY_TASK: WizardTask = {
  id: 'sddc-manager-deployment',
  title: 'Deploy SDDC Manager',
  intro:
    'Streams the OVA of a service manager from the offline depot to vCenter or to an ESX host, starts it, waits for its API, and sets it up.',
  path: pagePath('deploy-sddc-manager'),
  above: { href: pagePath('vcf-helper'), label: 'Deployment helper' },
  scope: 'write:depot',
  purpose: 'appliance-deployment',
  machine: 'vCenter or of an ESX host',
  own: [
    { id: 'appliance', label: 'Appliance' },
    { id: 'placement', label: 'Placement' },
    { id: 'properties', label: 'Properties' },
    { id: 'after', label: 'After the start' },
    { id: 'review', label: 'Review' },
  ],
  reads: true,
  entry: 'inventory',
  missing({ deployment }) {
    if (!deployment?.appliance) return 'appliance';
    if (!deployment.placement) return 'placement';
    if (!deployment.properties) return 'properties';
    return deployment.after ? null : 'after';
  },
  reviewed: ({ deployment }) => deployment && { ...deployment, checks: null },
};

/** The page that follows a job. */
export const deploymentHref = (job_id: string): string => `${DEPLOY_TASK.path}/tasks/${encodeURIComponent(job_id)}`;

/** What was read and chosen so far, without values of secret properties. */
export interface DeploymentDraft {
  inventory: Inventory;
  appliance?: {
    /** Name of the OVA below the depot's folder of appliances. */
    file: string;
    /** By digestOfPackage: the package that the choices below are about. */
    digest: string;
    /** Of the virtual machine. */
    name: string;
  };
  placement?: {
    place: Placement;
    deployment_option: string;
    disk_provisioning: 'thin' | 'thick';
  };
  /** Full key → value, of properties that are no secrets. */
  properties?: Record<string, string>;
  after?: { power_on: boolean; extras: Extras };
  /** Of the last pre-flight; null: something was changed since. */
  checks: Check[] | null;
}

declare module '../remote/draft.ts' {
  interface OwnDrafts {
    deployment: DeploymentDraft;
  }
}

/** Choices of later steps were about another package. */
export function withAppliance(
  draft: DeploymentDraft,
  appliance: NonNullable<DeploymentDraft['appliance']>,
): DeploymentDraft {
  const same = draft.appliance?.digest === appliance.digest;
  return same ? { ...draft, appliance, checks: null } : { inventory: draft.inventory, appliance, checks: null };
}

/** Another size has other defaults: those of the old size are not taken for choices. */
export function withPlacement(
  draft: DeploymentDraft,
  { properties }: OvfDescriptor,
  placement: NonNullable<DeploymentDraft['placement']>,
): DeploymentDraft {
  const next = { ...draft, placement, checks: null };
  const before = draft.placement?.deployment_option;
  if (!draft.properties || before === undefined || before === placement.deployment_option) return next;
  const kept = properties.flatMap((property) => {
    const value = draft.properties?.[property.key];
    return value === undefined || value === defaultOf(property, before) ? [] : [[property.key, value] as const];
  });
  return { ...next, properties: Object.fromEntries(kept) };
}

/** Fields of properties and networks go by their position in the OVF. */
const propertyField = (position: number, { password }: Pick<OvfProperty, 'password'>): string =>
  `${password ? 's' : 'p'}${position}`;
export const networkField = (position: number): string => `net${position}`;

/** Fields of the review that no page is ever filled with again. */
export const SECRET_FIELDS: readonly string[] = [
  ...['password', 'depot_password', 'appliance_password'],
  ...Array.from({ length: OVA_LIMITS.properties }, (_none, position) => propertyField(position, { password: true })),
];

/** Properties that an operator may set, with their fields. */
export function asked({ properties }: OvfDescriptor, secret: boolean): { field: string; property: OvfProperty }[] {
  return properties.flatMap((property, position) =>
    property.user_configurable && property.password === secret
      ? [{ field: propertyField(position, property), property }]
      : [],
  );
}

/** Errors of properties and networks, moved to their fields. */
export function atFields({ properties, networks }: OvfDescriptor, errors: readonly FieldError[]): FieldError[] {
  const fields = new Map<string, string>([
    ...properties.map(
      (property, position) => [`/properties/${property.key}`, propertyField(position, property)] as const,
    ),
    ...networks.map(({ name }, position) => [`/placement/networks/${name}`, networkField(position)] as const),
  ]);
  return errors.map(({ pointer, detail }) => {
    const field = fields.get(pointer.replaceAll('~1', '/').replaceAll('~0', '~'));
    return { pointer: field ? `/${field}` : pointer, detail };
  });
}

/** Digest of the warnings that were accepted: other warnings have to be accepted again. Empty: no warnings. */
export function warningsMark(checks: readonly Check[]): string {
  const warnings = checks.filter(({ state }) => state === 'warning').map(({ id, said }) => [id, said]);
  if (warnings.length === 0) return '';
  return createHash('sha256').update(JSON.stringify(warnings.sort())).digest('base64url');
}
