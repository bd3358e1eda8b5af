// Facts of an OVA from its descriptor, for lists and forms.

import { OvaFault } from '../../../ground/ova/fault.ts';
import { knownOva } from '../../../ground/ova/known-ova.ts';
import { type OvaSignature, type SignatureValidity, validityOf } from '../../../ground/ova/signature.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { type ApplianceFile, appliancePath } from './appliances.ts';

export interface ApplianceFacts {
  /** Null when it can’t be read. */
  ova: {
    product: { name: string; vendor: string; version: string; full_version: string };
    networks: string[];
    /** Properties that a deployment can set. */
    property_count: number;
    deployment_options: string[];
    /** Capacity of its disks, all together, as far as it is fixed. */
    disk_bytes: number;
    /** The verified signature of the manifest; null: none. */
    signature: (OvaSignature & { validity: SignatureValidity }) | null;
  } | null;
  /** Why it can’t be deployed. Disks are not read for this. */
  fault: { code: string; detail: string } | null;
}

/** Files whose facts are cached; the key changes with the content of the file. */
const KEPT_MOST = 100;
/** Characters of cached facts, as JSON; longer facts are not cached. */
const KEPT_CHARACTERS = 16 * 1024;
/** Facts that do not change with time. */
type Kept = Omit<ApplianceFacts, 'ova'> & {
  ova: (Omit<NonNullable<ApplianceFacts['ova']>, 'signature'> & { signature: OvaSignature | null }) | null;
};
/** As JSON: a substring of a descriptor would hold the whole descriptor in memory. */
const kept = new Map<string, string>();

/** Reads headers, manifest and descriptor, once for each state of the file. @throws Problem 404 */
export async function applianceFacts(
  services: Pick<Services, 'host' | 'clock'>,
  { file, size_bytes, modified_at }: ApplianceFile,
): Promise<ApplianceFacts> {
  const path = await appliancePath(services, file);
  const key = `${path}\n${size_bytes}\n${modified_at}`;
  const known = kept.get(key);
  if (known) return atNow(JSON.parse(known) as Kept, services.clock.now());
  const facts = await read(path);
  const text = JSON.stringify(facts);
  if (text.length > KEPT_CHARACTERS) return atNow(facts, services.clock.now());
  if (kept.size >= KEPT_MOST) kept.delete(kept.keys().next().value!);
  kept.set(key, text);
  return atNow(facts, services.clock.now());
}

function atNow({ ova, fault }: Kept, now: Date): ApplianceFacts {
  if (!ova) return { ova, fault };
  const { signature } = ova;
  return { ova: { ...ova, signature: signature && { ...signature, validity: validityOf(signature, now) } }, fault };
}

async function read(path: string): Promise<Kept> {
  try {
    const { descriptor, signature } = await knownOva(path);
    const { name, vendor, version, full_version } = descriptor.product;
    return {
      ova: {
        product: { name, vendor, version, full_version },
        networks: descriptor.networks.map((network) => network.name),
        property_count: descriptor.properties.filter(({ user_configurable }) => user_configurable).length,
        deployment_options: descriptor.deployment_options.map(({ label, id }) => label || id),
        disk_bytes: descriptor.disks.reduce((sum, { capacity_bytes }) => sum + (capacity_bytes ?? 0), 0),
        signature,
      },
      fault: null,
    };
  } catch (error) {
    if (!(error instanceof OvaFault)) throw error;
    return { ova: null, fault: { code: error.fault, detail: error.message } };
  }
}
