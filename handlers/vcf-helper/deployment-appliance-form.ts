// Deployment: which OVA, under which name. Keeps it for the next steps.
import * as v from 'valibot';
import { defineForm } from '../../shared/operation/define-operation.ts';
import { invalid } from '../../shared/operation/problems.ts';
import { decodeTexts, onwards, TRUSTED } from '../../shared/remote/wizard-operations.ts';
import { keep, packageOf, standing } from '../../shared/vcf-helper/deployment/choose.ts';
import { digestOfPackage, sameName, typedDeploymentSchema } from '../../shared/vcf-helper/deployment/request.ts';
import { DEPLOY_TASK, withAppliance } from '../../shared/vcf-helper/deployment/wizard-task.ts';

const texts = v.strictObject({
  ...TRUSTED,
  file: v.pipe(v.string(), v.maxLength(255, 'At most 255 characters.')),
  name: typedDeploymentSchema.entries.name,
});
const body = v.strictObject({ ...texts.entries, eula: v.boolean() });

export const operation = defineForm(
  {
    id: 'sddcManagerApplianceForm',
    path: `${DEPLOY_TASK.path}/appliance`,
    access: { session: DEPLOY_TASK.scope },
    effect: 'immediate',
    tag: 'Remote machines',
    summary: 'Choose the OVA to deploy, and the name of the machine',
    description: 'Changes nothing: the choice is kept for the next steps.',
    body,
    audit: 'none',
    guarded: false,
    problems: ['ova_refused', 'vm_name_taken'],
    async prepare({ services, actor, body }) {
      const at = await standing(services, actor, body);
      const { file, name } = body;
      const pkg = await packageOf(services, file);
      // An agreement is a part of the OVF: who has none to show asks for none.
      if (pkg.descriptor.eulas.length > 0 && !body.eula) {
        throw invalid({ pointer: '/eula', detail: 'Read the license agreement and accept it.' });
      }
      const { inventory } = at.deployment;
      // With several data centers the name may be free in the one that is chosen next.
      const taken = inventory.machines.filter((one) => sameName(one.name, name));
      if (taken.length > 0 && inventory.datacenters.length <= 1) {
        throw invalid({ pointer: '/name', detail: `There is a machine named ${taken[0]!.name} already.` });
      }
      keep(services, at, withAppliance(at.deployment, { file, name, digest: digestOfPackage(pkg) }));
    },
    async run() {
      return { body: {} };
    },
  },
  {
    page: DEPLOY_TASK.path,
    decode: (fields) => ({ ...decodeTexts(texts)(fields), eula: fields.checked('eula') }),
    done: (_answer, fields) => ({ location: onwards(DEPLOY_TASK, fields, { step: 'placement' }) }),
  },
);
