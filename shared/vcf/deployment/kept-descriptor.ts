// The parts of an OVF that the steps after an import need, stored with the job, so that it can continue when the file
// has left the depot. Secret properties are stored without values, even without a default.
import { propertyValues } from '../../ground/ova/property-values.ts';
import type { OvfDescriptor, OvfProperty } from '../../ground/ova/types.ts';
import { type Addressing, addressingOf } from './addressing.ts';
import type { DeploymentRequest } from './request.ts';

export type LaterDescriptor = Pick<OvfDescriptor, 'properties' | 'deployment_options' | 'transports'>;

export interface KeptDescriptor extends LaterDescriptor {
  /** False: a secret property has a default, which only the file has. */
  whole: boolean;
}

/** Characters, at most: the text is written again with each note. */
const MOST = 256 * 1024;

/** Null for one that is too long: then the file is read again. */
export function keptDescriptor(
  { properties, deployment_options, transports }: LaterDescriptor,
  { secret_properties }: DeploymentRequest,
): KeptDescriptor | null {
  const kept: KeptDescriptor = {
    properties: properties.map((one) => withoutTexts(one.password ? withoutDefaults(one) : one)),
    deployment_options: deployment_options.map((one) => ({ ...one, label: '', description: '' })),
    transports,
    whole: properties.every((one) => !one.password || secret_properties.includes(one.key) || !hasDefault(one)),
  };
  return JSON.stringify(kept).length > MOST ? null : kept;
}

const hasDefault = ({ default: preset, defaults_by_option }: OvfProperty): boolean =>
  preset !== '' || Object.values(defaults_by_option).some((text) => text !== '');

const withoutDefaults = (property: OvfProperty): OvfProperty => ({ ...property, default: '', defaults_by_option: {} });

const withoutTexts = (property: OvfProperty): OvfProperty => ({
  ...property,
  category: '',
  label: '',
  description: '',
});

/** Name and addresses are never secret properties: what is not typed any more is not needed for them. */
export function addressingIn(
  descriptor: LaterDescriptor,
  { properties, deployment_option }: Pick<DeploymentRequest, 'properties' | 'deployment_option'>,
): Addressing {
  const { environment } = propertyValues(descriptor, deployment_option, properties);
  return addressingOf(descriptor, new Map(environment.map(({ key, value }) => [key, value])));
}
