// Deployment: which OVA, under which name. Keeps it for the next steps.
import * as v from 'valibot';
import type { OvaPackage } from '../../shared/ground/ova/types.ts';
import { type FieldError, invalid } from '../../shared/ground/problems.ts';
import { choiceForm } from '../../shared/vcf/deployment/choice-form.ts';
import { agreementMark, packageChosen } from '../../shared/vcf/deployment/choose.ts';
import { digestOfPackage, sameName, typedDeploymentSchema } from '../../shared/vcf/deployment/request.ts';
import { withAppliance } from '../../shared/vcf/deployment/wizard-task.ts';
import { TRUSTED } from '../../shared/vcf/remote/wizard-operations.ts';
import type { Inventory } from '../../shared/vcf/vsphere/inventory.ts';

const texts = v.strictObject({
  ...TRUSTED,
  file: v.pipe(v.string(), v.maxLength(255, 'At most 255 characters.')),
  name: typedDeploymentSchema.entries.name,
  /** Marks of the agreements that the form showed, with blanks between them. */
  shown: v.optional(v.pipe(v.string(), v.maxLength(1000)), ''),
});
const body = v.strictObject({ ...texts.entries, eula: v.boolean() });
type Agreed = Pick<v.InferOutput<typeof body>, 'eula' | 'shown'>;

export const operation = choiceForm({
  step: 'appliance',
  summary: 'Choose the OVA to deploy, and the name of the machine',
  description: 'Changes nothing: the choice is kept for the next steps.',
  body,
  texts,
  others: (fields) => ({ eula: fields.checked('eula') }),
  next: 'placement',
  async choose({ services, at: { deployment }, body }) {
    const { file, name } = body;
    const pkg = await packageChosen(services, file);
    const faults = [...nameFaults(deployment.inventory, name), ...agreementFaults(pkg, body)];
    if (faults.length > 0) throw invalid(...faults);
    return withAppliance(deployment, { file, name, digest: digestOfPackage(pkg) });
  },
});

/** With several data centers the name may be free in the one that is chosen next. */
function nameFaults({ machines, datacenters }: Inventory, name: string): FieldError[] {
  const taken = machines.filter((one) => sameName(one.name, name));
  const everywhere = datacenters.every(({ id }) => taken.some(({ datacenter_id }) => datacenter_id === id));
  if (taken.length === 0 || (datacenters.length > 1 && !everywhere)) return [];
  return [
    {
      pointer: '/name',
      detail: `There is a machine named ${taken[0]!.name} already. It is left alone: choose another name.`,
    },
  ];
}

/** An agreement is a part of the OVF: who has none to show asks for none. */
function agreementFaults({ descriptor: { eulas } }: OvaPackage, { eula, shown }: Agreed): FieldError[] {
  const at = (detail: string) => [{ pointer: '/eula', detail }];
  if (eulas.length === 0) return [];
  if (!shown.split(' ').includes(agreementMark(eulas))) {
    return at('The license agreement of this OVA was not shown yet. Read it above, then accept it.');
  }
  return eula ? [] : at('Read the license agreement of the chosen OVA and accept it.');
}
