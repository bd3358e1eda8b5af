// Where the machine goes. The lists belong together, data center by data center; what does not fit is said at its field.

import { networkField } from '../../shared/vcf/deployment/wizard-task.ts';
import type { Inventory } from '../../shared/vcf/vsphere/inventory.ts';
import { Button } from '../components/button.tsx';
import { type FieldOption, FormActions, HiddenField, RadioField, SelectField } from '../components/form.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import type { DeploymentStep } from './deployment.tsx';
import { listsOf } from './placement-lists.ts';

export function Placement(props: DeploymentStep) {
  const { view, typed, data } = props;
  const deployment = view.draft?.deployment;
  if (!deployment || !data.descriptor) return null;
  const { inventory } = deployment;
  const { networks, deployment_options } = data.descriptor;
  const { placement: chosen } = data.chosen;
  const place = chosen?.place;
  const lists = listsOf(inventory);
  const option =
    deployment_options.find(({ id }) => id === chosen?.deployment_option) ??
    deployment_options.find((one) => one.default) ??
    deployment_options[0];
  return (
    <StepForm {...props} to="placement" label="Placement">
      <SelectField
        name="pool_id"
        label="Runs at"
        value={typed.text('pool_id', among(lists.pools, place?.pool_id))}
        error={typed.of('pool_id')}
        options={[...choose(lists.pools), ...lists.pools]}
        help={inventory.kind === 'esxi' ? undefined : 'A cluster, a host or a resource pool.'}
      />
      {hasHosts(inventory) ? (
        <SelectField
          name="host_id"
          label="Host"
          value={typed.text('host_id', place?.host_id ?? '')}
          error={typed.of('host_id')}
          options={[{ value: '', label: 'The cluster chooses' }, ...lists.hosts]}
          help={hostHelp(inventory)}
        />
      ) : (
        <HiddenField name="host_id" value="" />
      )}
      <SelectField
        name="datastore_id"
        label="Datastore"
        value={typed.text('datastore_id', among(lists.datastores, place?.datastore_id))}
        error={typed.of('datastore_id')}
        options={[...choose(lists.datastores), ...lists.datastores]}
      />
      <RadioField
        name="disk_provisioning"
        label="Disks"
        value={typed.text('disk_provisioning', chosen?.disk_provisioning ?? 'thin')}
        error={typed.of('disk_provisioning')}
        options={[
          { value: 'thin', label: 'Thin: they take what is written' },
          { value: 'thick', label: 'Thick: they take their whole size at once' },
        ]}
      />
      {lists.folders.length > 0 && (
        <SelectField
          name="folder_id"
          label="Folder"
          value={typed.text('folder_id', place?.folder_id ?? '')}
          error={typed.of('folder_id')}
          options={[{ value: '', label: 'The data center itself' }, ...lists.folders]}
        />
      )}
      {networks.map(({ name, description }, position) => (
        <SelectField
          key={name}
          name={networkField(position)}
          label={name}
          value={typed.text(networkField(position), among(lists.networks, place?.networks[name]))}
          error={typed.of(networkField(position))}
          options={[...choose(lists.networks), ...lists.networks]}
          help={description || 'Network of the appliance.'}
        />
      ))}
      {deployment_options.length > 0 && (
        <RadioField
          name="deployment_option"
          label="Size"
          look="columns"
          value={typed.text('deployment_option', option?.id ?? '')}
          error={typed.of('deployment_option')}
          options={deployment_options.map(({ id, label, description }) => ({
            value: id,
            label: (
              <>
                {label || id}
                {description !== '' && <span class="muted line">{description}</span>}
              </>
            ),
          }))}
        />
      )}
      <FormActions
        note={`Nothing is sent yet. What can be chosen is what ${view.server} had at the login; log in again to read it anew.`}
      >
        <Button kind="primary">Continue</Button>
        <Back view={view} to="appliance" />
      </FormActions>
    </StepForm>
  );
}

const able = (options: readonly FieldOption[]) => options.filter(({ unavailable }) => unavailable === undefined);

/** What was chosen, or the only one that there is. */
function among(options: readonly FieldOption[], chosen: string | undefined): string {
  if (chosen !== undefined && options.some(({ value }) => value === chosen)) return chosen;
  const [first, ...others] = able(options);
  return first && others.length === 0 ? first.value : '';
}

/** Where there is one thing only, there is nothing to choose. */
const choose = (options: readonly FieldOption[]): FieldOption[] =>
  able(options).length === 1 ? [] : [{ value: '', label: options.length === 0 ? 'There is none' : 'Choose' }];

/** One host by itself is said with where it runs. */
const hasHosts = ({ kind, compute, hosts }: Inventory): boolean =>
  kind !== 'esxi' && (hosts.length > 1 || compute.some(({ cluster }) => cluster));

function hostHelp({ compute }: Inventory): string {
  const without = compute.filter(({ cluster, drs }) => cluster && drs === false).map(({ name }) => name);
  if (without.length === 0) return 'A cluster with DRS finds the best one.';
  return `${without.join(', ')}: without DRS, so that a host has to be chosen.`;
}
