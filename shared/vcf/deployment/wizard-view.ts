// What a step of the deployment shows beside what every wizard shows: the OVAs that there are, the package that was
// chosen, and whether what may follow the import can be had.

import type { OvfDescriptor } from '../../ground/ova/types.ts';
import { Problem } from '../../ground/problems.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { rootCertificate } from '../../platform/certificate-authority/authority.ts';
import { type ApplianceFile, listAppliances } from '../../services/offline-depot/appliances/appliances.ts';
import { type Availability, depotAvailability } from '../../services/offline-depot/serving/availability.ts';
import { loadWizard, type WizardView } from '../remote/wizard-view.ts';
import { agreementMark, type Choices, chosenOf, chosenPackage, packageOf } from './choose.ts';
import { loadKnown } from './known-network.ts';
import { freeMachineName, knownFor, type Proposal, proposalsOf } from './propose.ts';
import { asked, DEPLOY_TASK, type DeploymentDraft, networkField } from './wizard-task.ts';

export interface DeploymentData {
  view: WizardView;
  appliances: ApplianceFile[];
  /** Empty when one of them can be deployed: else why not, of the newest. Without one no step is offered. */
  unusable: Unusable[];
  /**
   * License agreements of each file, as far as they are shown, at the first own step; one that can't be read has its
   * fault.
   */
  agreements: Agreement[];
  /** Proposed for a machine whose name was not chosen yet; no machine of the target has it. */
  free_name: string;
  /** What the fields of a step are filled with. */
  chosen: Choices;
  /** Of the chosen package, from the second own step on. */
  descriptor: OvfDescriptor | null;
  /** Field → label, for faults. */
  labels: Record<string, string>;
  /** At the steps that offer what comes after the import. */
  offers: Offers | null;
  /** At the step of the properties: full key → what this appliance knows. */
  proposals: ReadonlyMap<string, Proposal>;
}

export interface Unusable {
  file: string;
  fault: string;
}

export interface Agreement {
  file: string;
  texts: string[];
  fault: string | null;
  product: string;
}

export interface Offers {
  /** Why our root certificate can't be trusted by it; null: it can. */
  trust: string | null;
  depot: Availability | null;
}

type Context = Parameters<typeof loadWizard>[1];

export async function loadDeployment(context: Context): Promise<DeploymentData> {
  const { services } = context;
  const appliances = await listAppliances(services);
  const view = await loadWizard(DEPLOY_TASK, context);
  const data: DeploymentData = {
    view,
    appliances,
    unusable: await unusableOf(context, appliances),
    agreements: [],
    free_name: freeMachineName(view.draft?.deployment?.inventory.machines.map(({ name }) => name) ?? []),
    chosen: {},
    descriptor: null,
    labels: {},
    offers: null,
    proposals: new Map(),
  };
  const { step } = view.place;
  const deployment = view.draft?.deployment;
  if (!view.draft || !deployment) return data;
  data.chosen = chosenOf(services, view.draft);
  if (step === 'appliance') {
    data.agreements = await agreementsOf(context, appliances, data.chosen);
    return data;
  }
  if (!DEPLOY_TASK.own.some(({ id }) => id === step)) return data;
  try {
    data.descriptor = (await chosenPackage(services, deployment)).descriptor;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    view.told ??= { code: error.code, title: 'Choose the OVA again', detail: error.message };
    view.place.step = 'appliance';
    data.agreements = await agreementsOf(context, appliances, data.chosen);
    return data;
  }
  data.labels = labelsOf(data.descriptor);
  if (step === 'properties') data.proposals = await proposalsFor(context, data.descriptor, deployment);
  if (step === 'after' || step === 'review') data.offers = await offersOf(context);
  return data;
}

/** Why no deployment can end, with what is missing in the depot; null: there is an OVA that can be deployed. */
export async function whyNoDeployment(services: Services): Promise<string | null> {
  const appliances = await listAppliances(services);
  if (appliances.length === 0) return 'The offline depot has no OVA of a service manager.';
  return (await unusableOf({ services }, appliances)).length === 0 ? null : noneUsable(appliances.length);
}

/** In a sentence. */
export const noneUsable = (count: number): string =>
  count === 1 ? 'The OVA in the depot can’t be deployed.' : `None of the ${count} OVAs in the depot can be deployed.`;

/** OVAs that are looked into for the choice; the newest ones. */
export const SHOWN_MOST = 20;

/**
 * Looks for an OVA with sound headers, manifest, signature and descriptor; the job compares its disks. Facts of each
 * file are read once.
 */
async function unusableOf(
  { services }: Pick<Context, 'services'>,
  appliances: readonly ApplianceFile[],
): Promise<Unusable[]> {
  const faults: Unusable[] = [];
  for (const { file } of appliances) {
    try {
      await packageOf(services, file);
      return [];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (faults.length < SHOWN_MOST) faults.push({ file, fault: error.message });
    }
  }
  return faults;
}

/** Characters of license agreements on one page; the one of the chosen file is shown in any case. */
const SHOWN_CHARACTERS = 512 * 1024;

/** One that has no room is left out: its file is refused when it is chosen, and shown with it then. */
async function agreementsOf(
  context: Context,
  appliances: readonly ApplianceFile[],
  { appliance }: Choices,
): Promise<Agreement[]> {
  const files = appliances.slice(0, SHOWN_MOST).map(({ file }) => file);
  const chosen = context.outcome?.values.get('file') ?? appliance?.file;
  const found = new Map<string, Agreement>();
  const shown = new Set<string>();
  let left = SHOWN_CHARACTERS;
  for (const file of files.toSorted((a, b) => Number(b === chosen) - Number(a === chosen))) {
    const agreement = await agreementOf(context, file);
    const mark = agreementMark(agreement.texts);
    const length = agreement.texts.reduce((sum, text) => sum + text.length, 0);
    const fits = file === chosen || shown.has(mark) || length <= left || shown.size === 0;
    found.set(file, fits ? agreement : { ...agreement, texts: [] });
    if (!fits || length === 0 || shown.has(mark)) continue;
    shown.add(mark);
    left -= length;
  }
  return files.map((file) => found.get(file)!);
}

async function agreementOf({ services }: Context, file: string): Promise<Agreement> {
  try {
    const { descriptor } = await packageOf(services, file);
    const { name, version, full_version } = descriptor.product;
    return { file, texts: descriptor.eulas, fault: null, product: `${name} ${full_version || version}`.trim() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { file, texts: [], fault: error.message, product: '' };
  }
}

function labelsOf(descriptor: OvfDescriptor): Record<string, string> {
  const both = [...asked(descriptor, false), ...asked(descriptor, true)];
  return {
    ...Object.fromEntries(both.map(({ field, property }) => [field, property.label || property.key])),
    ...Object.fromEntries(descriptor.networks.map(({ name }, position) => [networkField(position), name])),
  };
}

async function proposalsFor(
  { services }: Context,
  { properties, networks }: OvfDescriptor,
  { appliance, placement, inventory }: DeploymentDraft,
): Promise<DeploymentData['proposals']> {
  const machine = appliance?.name ?? '';
  const network_id = placement?.place.networks[networks[0]?.name ?? ''];
  const port_group = inventory.networks.find(({ id }) => id === network_id)?.name ?? '';
  const option = placement?.deployment_option ?? '';
  const taken = inventory.machines.map(({ name }) => name);
  const known = knownFor(machine, taken, await loadKnown(services.store, machine));
  return proposalsOf({ properties, option, machine, port_group }, known);
}

async function offersOf({ services }: Context): Promise<Offers> {
  const root = await rootCertificate(services.store);
  return {
    trust: root ? null : 'The certificate authority of this appliance has no root certificate yet.',
    depot: await depotAvailability(services),
  };
}
