// Deployment: where the machine goes. Keeps it for the next steps.
import * as v from 'valibot';
import { invalid } from '../../shared/ground/problems.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { chosenPackage, keep, standing } from '../../shared/vcf/deployment/choose.ts';
import { placeOf } from '../../shared/vcf/deployment/place.ts';
import { DEPLOY_TASK, networkField, withPlacement } from '../../shared/vcf/deployment/wizard-task.ts';
import { decodeTexts, onwards, TRUSTED } from '../../shared/vcf/remote/wizard-operations.ts';

/** Networks that an OVF may name. */
const NETWORKS_MOST = 64;
const id = v.pipe(v.string(), v.maxLength(200, 'At most 200 characters.'));
const texts = v.strictObject({
  ...TRUSTED,
  pool_id: id,
  host_id: id,
  datastore_id: id,
  folder_id: id,
  deployment_option: v.pipe(v.string(), v.maxLength(255, 'At most 255 characters.')),
  disk_provisioning: v.picklist(['thin', 'thick'], 'Choose how its disks are made.'),
});
const body = v.strictObject({ ...texts.entries, networks: v.pipe(v.array(id), v.maxLength(NETWORKS_MOST)) });

export const operation = defineForm(
  {
    id: 'sddcManagerPlacementForm',
    path: `${DEPLOY_TASK.path}/placement`,
    access: { session: DEPLOY_TASK.scope },
    effect: 'immediate',
    tag: 'Remote machines',
    summary: 'Choose where the machine goes',
    description: 'Changes nothing: the choice is kept for the next steps.',
    body,
    audit: 'none',
    guarded: false,
    problems: ['state_conflict'],
    async prepare({ services, actor, body }) {
      const at = await standing(services, actor, body);
      const { deployment } = at;
      const { descriptor } = await chosenPackage(services, deployment);
      const { deployment_option, disk_provisioning } = body;
      if (deployment_option !== '' && !descriptor.deployment_options.some((one) => one.id === deployment_option)) {
        throw invalid({ pointer: '/deployment_option', detail: 'The OVF has no such size.' });
      }
      const place = placeOf(deployment.inventory, descriptor, deployment.appliance!.name, body);
      const placement = { place, deployment_option, disk_provisioning };
      keep(services, at, withPlacement(deployment, descriptor, placement));
    },
    async run() {
      return { body: {} };
    },
  },
  {
    page: DEPLOY_TASK.path,
    decode: (fields) => ({
      ...decodeTexts(texts)(fields),
      networks: Array.from({ length: NETWORKS_MOST }, (_none, position) => networkField(position))
        .filter((field) => fields.values.has(field))
        .map((field) => fields.text(field)),
    }),
    done: (_answer, fields) => ({ location: onwards(DEPLOY_TASK, fields, { step: 'properties' }) }),
  },
);
