// Where the machine goes. The lists belong together, data center by data center; what does not fit is said at its field.

import { networkField } from '../../shared/vcf-helper/deployment/wizard-task.ts';
import type { Inventory } from '../../shared/vsphere/inventory.ts';
import { Button } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { type FieldOption, FormActions, RadioField, SelectField } from '../components/form.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import type { DeploymentStep } from './sddc-manager.tsx';

export function Placement(props: DeploymentStep) {
  const { view, typed, data } = props;
  const deployment = view.draft?.deployment;
  if (!deployment || !data.descriptor) return null;
  const { inventory } = deployment;
  const { networks, deployment_options } = data.descriptor;
  const chosen = deployment.placement;
  const place = chosen?.place;
  const lists = listsOf(inventory);
  const only = (options: readonly FieldOption[]) =>
    options.filter(({ unavailable }) => unavailable === undefined).length === 1 ? options[0]!.value : '';
  const option = deployment_options.find((one) => one.default) ?? deployment_options[0];
  return (
    <StepForm {...props} to="placement" label="Placement">
      <SelectField
        name="pool_id"
        label="Runs at"
        value={typed.text('pool_id', place?.pool_id ?? only(lists.pools))}
        error={typed.of('pool_id')}
        options={[{ value: '', label: 'Choose' }, ...lists.pools]}
        help="A cluster, a host or a resource pool."
      />
      <SelectField
        name="host_id"
        label="Host"
        value={typed.text('host_id', place?.host_id ?? '')}
        error={typed.of('host_id')}
        options={[
          { value: '', label: inventory.kind === 'esxi' ? 'This host' : 'The cluster chooses' },
          ...lists.hosts,
        ]}
        help={inventory.kind === 'esxi' ? undefined : 'A cluster without DRS needs one.'}
      />
      <SelectField
        name="datastore_id"
        label="Datastore"
        value={typed.text('datastore_id', place?.datastore_id ?? only(lists.datastores))}
        error={typed.of('datastore_id')}
        options={[{ value: '', label: 'Choose' }, ...lists.datastores]}
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
          value={typed.text(networkField(position), place?.networks[name] ?? only(lists.networks))}
          error={typed.of(networkField(position))}
          options={[{ value: '', label: 'Choose' }, ...lists.networks]}
          help={description || 'Network of the appliance.'}
        />
      ))}
      {deployment_options.length > 0 && (
        <RadioField
          name="deployment_option"
          label="Size"
          value={typed.text('deployment_option', chosen?.deployment_option ?? option?.id ?? '')}
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
      <FormActions note="Nothing is sent yet.">
        <Button kind="primary">Continue</Button>
        <Back view={view} to="appliance" />
      </FormActions>
    </StepForm>
  );
}

type Lists = Record<'pools' | 'hosts' | 'datastores' | 'folders' | 'networks', FieldOption[]>;

function listsOf(inventory: Inventory): Lists {
  const { datacenters, compute, hosts, pools, datastores, folders, networks } = inventory;
  const names = new Map(datacenters.map(({ id, name }) => [id, name]));
  const computeOf = new Map(compute.map((one) => [one.id, one]));
  const group = (datacenter_id: string | undefined) => names.get(datacenter_id ?? '') ?? 'Elsewhere';
  return {
    pools: pools.map(({ id, path, compute_id }) => {
      const owner = computeOf.get(compute_id);
      const label = path === '/' ? (owner?.name ?? id) : `${owner?.name ?? ''} ${path}`;
      return { value: id, label, group: group(owner?.datacenter_id) };
    }),
    hosts: hosts.map(({ id, name, version, compute_id, connected, maintenance }) => ({
      value: id,
      label: version === '' ? name : `${name}, ${version}`,
      group: group(computeOf.get(compute_id)?.datacenter_id),
      ...(!connected && { unavailable: 'not connected' }),
      ...(connected && maintenance && { unavailable: 'in maintenance' }),
    })),
    datastores: datastores.map(({ id, name, type, free_bytes, accessible, datacenter_id }) => ({
      value: id,
      label: `${name}, ${type || 'datastore'}, ${byteWords(free_bytes)} free`,
      group: group(datacenter_id),
      ...(!accessible && { unavailable: 'not accessible' }),
    })),
    folders: folders
      .filter(({ path }) => path !== '/')
      .map(({ id, path, datacenter_id }) => ({ value: id, label: path, group: group(datacenter_id) })),
    networks: networks.map(({ id, name, datacenter_id }) => ({ value: id, label: name, group: group(datacenter_id) })),
  };
}
