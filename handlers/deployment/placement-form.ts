// Deployment: where the machine goes. Keeps it for the next steps.
import * as v from 'valibot';
import { invalid } from '../../shared/ground/problems.ts';
import { choiceForm } from '../../shared/vcf/deployment/choice-form.ts';
import { chosenPackage } from '../../shared/vcf/deployment/choose.ts';
import { placeOf } from '../../shared/vcf/deployment/place.ts';
import { networkField, withPlacement } from '../../shared/vcf/deployment/wizard-task.ts';
import { TRUSTED } from '../../shared/vcf/remote/wizard-operations.ts';

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

export const operation = choiceForm({
  step: 'placement',
  summary: 'Choose where the machine goes',
  description: 'Changes nothing: the choice is kept for the next steps.',
  body,
  texts,
  others: (fields) => ({
    networks: Array.from({ length: NETWORKS_MOST }, (_none, position) => networkField(position))
      .filter((field) => fields.values.has(field))
      .map((field) => fields.text(field)),
  }),
  next: 'properties',
  async choose({ services, at: { deployment }, body }) {
    const { descriptor } = await chosenPackage(services, deployment);
    const { deployment_option, disk_provisioning } = body;
    if (deployment_option !== '' && !descriptor.deployment_options.some((one) => one.id === deployment_option)) {
      throw invalid({ pointer: '/deployment_option', detail: 'The OVF has no such size.' });
    }
    const place = placeOf(deployment.inventory, descriptor, deployment.appliance!.name, body);
    return withPlacement(deployment, descriptor, { place, deployment_option, disk_provisioning });
  },
});
