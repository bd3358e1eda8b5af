// The request of a deployment: the place of an OVA, its name, its properties and extras. The part that is stored with
// the job has no secret: of secret properties it has the keys; their values stay in memory.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { OVA_LIMITS } from '../../ground/ova/limits.ts';
import { propertyValues } from '../../ground/ova/property-values.ts';
import type { OvaPackage, OvfDescriptor } from '../../ground/ova/types.ts';
import { type FieldError, invalid } from '../../ground/problems.ts';
import { plainText } from '../../ground/schemas/plain-text.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import type { Choice } from '../remote/wizard-credential.ts';

/** Characters of the name of a machine. */
const NAME_MOST = 80;

const reference = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.:-]{0,199}$/, 'Choose one of the list.'));
const optional = v.nullish(reference, null);

export const placementSchema = v.strictObject({
  datacenter_id: reference,
  pool_id: reference,
  /** Null: the cluster chooses. */
  host_id: optional,
  datastore_id: reference,
  /** Null: the folder of the data center itself. */
  folder_id: optional,
  /** Network of the OVF → id of the network of the target. */
  networks: v.pipe(v.record(v.pipe(v.string(), v.maxLength(255)), reference), v.maxEntries(OVA_LIMITS.networks)),
});
export type Placement = v.InferOutput<typeof placementSchema>;

export const extrasSchema = v.strictObject({
  /** Saves A and AAAA records of the appliance as desired state. */
  dns: v.optional(v.boolean(), false),
  /** Has the appliance trust the root of our certificate authority. */
  trust: v.optional(v.boolean(), false),
  /** Has it take its software from our offline depot. */
  depot: v.optional(v.boolean(), false),
});
export type Extras = v.InferOutput<typeof extrasSchema>;

/** As it is typed or sent, secrets among it. */
export const typedDeploymentSchema = v.strictObject({
  name: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'Enter a name.'),
    v.maxLength(NAME_MOST, `At most ${NAME_MOST} characters.`),
    plainText,
    // vSphere writes these three in another way than they are typed.
    v.regex(/^[^%/\\]+$/, 'Leave out %, / and \\.'),
  ),
  placement: placementSchema,
  deployment_option: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
  disk_provisioning: v.optional(v.picklist(['thin', 'thick']), 'thin'),
  /** Full key → value. What the OVF does not know is left out. */
  properties: v.optional(
    v.pipe(v.record(v.string(), v.pipe(v.string(), v.maxLength(65_535))), v.maxEntries(OVA_LIMITS.properties)),
    {},
  ),
  power_on: v.optional(v.boolean(), true),
  extras: v.optional(extrasSchema, {}),
});
export type TypedDeployment = v.InferOutput<typeof typedDeploymentSchema>;

/** The input of the job: JSON without secrets. */
export interface DeploymentRequest extends Omit<TypedDeployment, 'properties'> {
  target: TrustedTarget;
  /** Null: the login was typed. */
  stored: Choice | null;
  ova: {
    /** Name below the depot's folder of appliances. */
    file: string;
    /** Digest of the package's own description: the file has to be the reviewed one. */
    digest: string;
    size_bytes: number;
  };
  /** Of public properties, as typed. */
  properties: Record<string, string>;
  /** Keys of those whose values are only in memory. */
  secret_properties: string[];
  /** In words, for people: `datastore1 of esx01.lab.example`. */
  place: string;
  /** The job was continued: the secrets in memory were typed after the review. */
  retyped?: boolean;
}

/** What stays in memory beside it. */
export interface DeploymentSecrets {
  /** Null with a stored login. */
  login: { username: string; password: string } | null;
  /** Full key → value. */
  properties: Record<string, string>;
  depot_password: string | null;
  /** Of the new appliance, when no property has it. */
  appliance: { username: string; password: string } | null;
}

/** By these names the secrets of a job are kept. */
export const SECRET_NAMES = {
  username: 'username',
  password: 'password',
  depot_password: 'depot_password',
  appliance_username: 'appliance_username',
  appliance_password: 'appliance_password',
  property: (key: string): string => `property:${key}`,
} as const;

/** The secrets of a job by name. */
export function keptSecrets({
  login,
  properties,
  depot_password,
  appliance,
}: DeploymentSecrets): Record<string, string> {
  return {
    ...(login && { [SECRET_NAMES.username]: login.username, [SECRET_NAMES.password]: login.password }),
    ...Object.fromEntries(Object.entries(properties).map(([key, value]) => [SECRET_NAMES.property(key), value])),
    ...(depot_password !== null && { [SECRET_NAMES.depot_password]: depot_password }),
    ...(appliance && {
      [SECRET_NAMES.appliance_username]: appliance.username,
      [SECRET_NAMES.appliance_password]: appliance.password,
    }),
  };
}

/** One digest of a package: of its descriptor and its manifest, which has the digests of all files. */
export function digestOfPackage({ descriptor_xml, manifest, size }: OvaPackage): string {
  const listed = [...manifest].map(([name, { algorithm, hex }]) => [name, algorithm, hex.toLowerCase()]).sort();
  return createHash('sha256')
    .update(JSON.stringify([descriptor_xml, listed, size]))
    .digest('hex');
}

export interface Chosen {
  target: TrustedTarget;
  stored: Choice | null;
  /** Name below the depot's folder of appliances. */
  file: string;
  pkg: OvaPackage;
  place: string;
}

/**
 * Separates the typed values into the job's input and its secrets.
 * @throws Problem 422 with every fault at its field
 */
export function readDeployment(
  { target, stored, file, pkg, place }: Chosen,
  { properties: typed, ...rest }: TypedDeployment,
): { request: DeploymentRequest; secret_values: Record<string, string> } {
  const errors = deploymentFaults(pkg.descriptor, { ...rest, properties: typed });
  if (errors.length > 0) throw invalid(...errors);
  const known = pkg.descriptor.properties.filter(
    // An empty secret is none: there would be nothing to type again.
    ({ key, user_configurable, password }) =>
      user_configurable && Object.hasOwn(typed, key) && !(password && typed[key] === ''),
  );
  const of = (password: boolean) =>
    Object.fromEntries(known.filter((one) => one.password === password).map(({ key }) => [key, typed[key]!]));
  const secret_values = of(true);
  const ova = { file, digest: digestOfPackage(pkg), size_bytes: pkg.size };
  const secret_properties = Object.keys(secret_values);
  return { request: { ...rest, target, stored, ova, place, properties: of(false), secret_properties }, secret_values };
}

/** Faults of typed values that the OVF alone shows. */
export function deploymentFaults(descriptor: OvfDescriptor, typed: TypedDeployment): FieldError[] {
  const { deployment_option, power_on, extras, placement } = typed;
  const errors: FieldError[] = [];
  const options = descriptor.deployment_options.map(({ id }) => id);
  if (deployment_option !== '' && !options.includes(deployment_option)) {
    errors.push({ pointer: '/deployment_option', detail: 'The OVF has no such size.' });
  }
  for (const { name } of descriptor.networks) {
    if (!(Object.hasOwn(placement.networks, name) && placement.networks[name])) {
      errors.push({ pointer: `/placement/networks/${escaped(name)}`, detail: 'Choose the network that it gets.' });
    }
  }
  for (const extra of ['trust', 'depot'] as const) {
    if (extras[extra] && !power_on) {
      errors.push({ pointer: `/extras/${extra}`, detail: 'This needs the machine to be switched on.' });
    }
  }
  return [...errors, ...propertyValues(descriptor, deployment_option, typed.properties).errors];
}

/** A member's name in a JSON pointer (RFC 6901). */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Names of machines differ by more than their case. */
export const sameName = (one: string, other: string): boolean =>
  one.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
