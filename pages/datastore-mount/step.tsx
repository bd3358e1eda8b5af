// The step between login and review: the datastore, by which text hosts know its server, and on which hosts.
import type { MountableDatastore } from '../../shared/appliance/overview/mountable.ts';
import { HOSTS_MOST } from '../../shared/vcf/datastore-mount/input.ts';
import type { WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import type { NasHost } from '../../shared/vcf/vsphere/nas-datastores.ts';
import { Button } from '../components/button.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { CheckGroup, FormActions, RadioField, SelectField } from '../components/form.tsx';
import { ReadStored } from '../remote/common-steps.tsx';
import { Back, StepForm, type StepProps } from '../remote/wizard.tsx';

export interface MountStepProps extends StepProps {
  datastores: readonly MountableDatastore[];
}

export const MOUNT_STEP_LABELS = { export: 'Datastore', action: 'What to do', hosts: 'Hosts' };
const L = MOUNT_STEP_LABELS;

export const machineFacts = ({ server, draft }: WizardView): Fact[] => [
  { label: 'Server', value: <code>{server}</code> },
  ...(draft?.appliance ? [{ label: 'Product', value: `${draft.appliance.title} ${draft.appliance.version}` }] : []),
];

const exportsOf = (datastores: readonly MountableDatastore[]) =>
  datastores.flatMap(({ name, path, version, servers }) =>
    servers.map((server) => ({
      value: `${server} ${name}`,
      label: `${name}: ${server}:${path}, NFS ${version}`,
    })),
  );

function hostLabel({ name, version, connected, mounts }: NasHost, paths: ReadonlySet<string>): string {
  const has = mounts.filter(({ path }) => paths.has(path)).map(({ name: mount, server }) => `${mount} by ${server}`);
  const told = [version && `ESX ${version}`, !connected && 'not connected', has.length > 0 && `has ${has.join(', ')}`];
  return [name, ...told.filter(Boolean)].join(', ');
}

export function HostsStep(props: MountStepProps) {
  const { view, datastores, typed } = props;
  const { draft, stored } = view;
  if (!draft?.nas) return <ReadStored {...props} what="which hosts there are" />;
  const { found, chosen } = draft.nas;
  const exports = exportsOf(datastores);
  const paths = new Set(datastores.map(({ path }) => path));
  const before = chosen ? `${chosen.datastore.server} ${chosen.datastore.name}` : (exports[0]?.value ?? '');
  return (
    <>
      <FactsList facts={machineFacts(view)} />
      <StepForm {...props} to="hosts" label="Hosts">
        <SelectField
          name="export"
          label={L.export}
          value={typed.text('export', before)}
          error={typed.of('export')}
          options={exports.map(({ value, label }) => ({ value, label }))}
          help="All hosts have to mount it by the same server and folder: vSphere takes two texts for two datastores."
        />
        <RadioField
          name="action"
          label={L.action}
          value={typed.text('action', chosen?.action ?? 'mount')}
          error={typed.of('action')}
          options={[
            { value: 'mount', label: 'Mount it' },
            { value: 'unmount', label: 'Unmount it: what it holds stays' },
          ]}
        />
        <CheckGroup
          name="hosts"
          label={L.hosts}
          values={typed.all('hosts', chosen?.hosts.map(({ id }) => id) ?? [])}
          error={typed.of('hosts')}
          look="columns"
          options={found.map((host) => ({ value: host.id, label: hostLabel(host, paths) }))}
          help={`Each has to be one of the clients of the datastore. ${HOSTS_MOST} at most at once.`}
        />
        <FormActions note="Nothing is changed yet, here or on a host.">
          <Button kind="primary">Review</Button>
          <Back view={view} to={stored ? 'credential' : 'login'} />
        </FormActions>
      </StepForm>
    </>
  );
}
