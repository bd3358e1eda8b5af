// Checks of the OVA itself, and of the values for it. Pure.

import { propertyValues } from '../../../ground/ova/property-values.ts';
import { signatureWords } from '../../../ground/ova/signature.ts';
import type { OvaPackage } from '../../../ground/ova/types.ts';
import type { Problem } from '../../../ground/problems.ts';
import { type Check, counted, gib, ok, refused } from '../check.ts';
import { type DeploymentRequest, digestOfPackage } from '../request.ts';

const FILE = ['ova', 'OVA'] as const;
const NETWORKS = ['networks', 'Networks of the OVF'] as const;
const PROPERTIES = ['properties', 'Properties of the OVF'] as const;

/** @param seen the index of the file, or why there is none */
export function checkOva({ ova }: DeploymentRequest, seen: OvaPackage | Problem): Check {
  if (seen instanceof Error) return refused(FILE, seen.message, 'Upload the OVA anew, as its vendor publishes it.');
  if (digestOfPackage(seen) !== ova.digest) {
    return refused(FILE, `${ova.file} is another file than the one that was looked at.`, 'Go back to the OVA step.');
  }
  return ok(
    FILE,
    `${ova.file}, ${gib(seen.size)}: its index is sound; every byte is held against the manifest first. The manifest is ${signatureWords(seen.signature)}.`,
  );
}

export function checkNetworks({ placement }: DeploymentRequest, { descriptor }: OvaPackage): Check {
  const mapped = (name: string) => Object.hasOwn(placement.networks, name) && Boolean(placement.networks[name]);
  const missing = descriptor.networks.map(({ name }) => name).filter((name) => !mapped(name));
  if (missing.length === 0) return ok(NETWORKS, `${counted(descriptor.networks.length, 'network')} mapped.`);
  return refused(NETWORKS, `Not mapped: ${missing.join(', ')}.`, 'Choose a network of the target for each.');
}

/** @param typed all values, secret ones among them; none of them is repeated */
export function checkProperties(
  { deployment_option }: DeploymentRequest,
  { descriptor }: OvaPackage,
  typed: Record<string, string>,
): Check {
  const { values, errors } = propertyValues(descriptor, deployment_option, typed);
  if (errors.length === 0)
    return ok(PROPERTIES, `${counted(values.length, 'value')}, all within what the OVF asks for.`);
  const keys = [...new Set(errors.map(({ pointer }) => pointer.split('/').at(-1)))].join(', ');
  return refused(
    PROPERTIES,
    `${counted(errors.length, 'fault')}, at ${keys}.`,
    'Go back to the properties and correct them.',
  );
}
