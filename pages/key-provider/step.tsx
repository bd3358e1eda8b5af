// The step between login and review: which provider of this appliance holds the keys, what it is called in the vCenter, and
// where the vCenter reaches the KMIP server.
import type { Provider } from '../../shared/services/kms/trust/providers.ts';
import type { KmsEndpoint } from '../../shared/vcf/key-provider/local.ts';
import { placeText } from '../../shared/vcf/key-provider/task.ts';
import type { WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import type { KeyProvider } from '../../shared/vcf/vsphere/key-providers.ts';
import { Button } from '../components/button.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { CheckField, FormActions, RadioField, SelectField, TextField } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { ReadStored } from '../remote/common-steps.tsx';
import { Back, StepForm, type StepProps } from '../remote/wizard.tsx';

export interface ProviderStepProps extends StepProps {
  endpoint: KmsEndpoint;
  /** Providers of this appliance. */
  own: readonly Provider[];
  /** The job that owns the vCenter, when the form was refused for it. */
  owner: string | null;
}

export const PROVIDER_STEP_LABELS = {
  provider_id: 'Provider here',
  provider_name: 'Name of the new provider',
  cluster: 'Name in vCenter',
  place: 'KMIP server',
  make_default: 'Default',
};
const L = PROVIDER_STEP_LABELS;

export const vcenterFacts = ({ server, draft }: WizardView): Fact[] => [
  { label: 'Server', value: <code>{server}</code> },
  ...(draft?.appliance ? [{ label: 'vCenter', value: `${draft.appliance.title} ${draft.appliance.version}` }] : []),
];

export function ProviderStep(props: ProviderStepProps) {
  const { view, endpoint, typed } = props;
  const { draft, stored } = view;
  if (!draft?.key_provider) return <ReadStored {...props} what="which key providers it has" />;
  const { found, chosen } = draft.key_provider;
  const places = endpoint.places.map(placeText);
  return (
    <>
      <FactsList facts={vcenterFacts(view)} />
      <h3>Key providers that it has now</h3>
      <Found found={found} />
      <StepForm {...props} to="provider" label="Key provider">
        <ProviderFields {...props} />
        <TextField
          name="cluster"
          label={L.cluster}
          value={typed.text('cluster', chosen?.cluster ?? freeName(found))}
          error={typed.of('cluster')}
          required
          maxlength={80}
          help="A new name: key providers that the vCenter has already are left alone."
        />
        <RadioField
          name="place"
          label={L.place}
          value={typed.text('place', chosen ? placeText(chosen.server) : places[0]!)}
          error={typed.of('place')}
          options={places.map((place) => ({ value: place, label: place }))}
          help="Where the vCenter reaches it. The vCenter has to resolve a name, or to have a way to the address."
        />
        <CheckField
          name="make_default"
          value="yes"
          group={L.make_default}
          label="Make it the default key provider of the vCenter"
          checked={typed.checked('make_default', chosen?.make_default ?? found.length === 0)}
          help="New encryption takes its keys from the default one. What is encrypted already stays with its own."
        />
        <FormActions note="Nothing is changed yet, here or at the vCenter.">
          <Button kind="primary">Review</Button>
          <Back view={view} to={stored ? 'credential' : 'login'} />
        </FormActions>
      </StepForm>
    </>
  );
}

function ProviderFields({ view, own, typed }: ProviderStepProps) {
  const chosen = view.draft?.key_provider?.chosen;
  const suggested = own.length === 0 ? 'management-domain' : '';
  return (
    <>
      <SelectField
        name="provider_id"
        label={L.provider_id}
        value={typed.text('provider_id', chosen?.provider_id ?? '')}
        error={typed.of('provider_id')}
        options={[
          { value: '', label: 'A new provider' },
          ...own.map(({ id, name, key_count }) => ({ value: id, label: `${name}, ${keysWord(key_count)}` })),
        ]}
        help="It owns the keys. vCenters of one provider share them: each trusted client gets every key."
      />
      <TextField
        name="provider_name"
        label={L.provider_name}
        mono
        value={typed.text('provider_name', chosen?.provider_id === '' ? chosen.provider_name : suggested)}
        error={typed.of('provider_name')}
        maxlength={63}
        help="Lower-case letters, digits and hyphens. Only where it is new."
      />
    </>
  );
}

const keysWord = (count: number): string => (count === 0 ? 'no keys' : count === 1 ? '1 key' : `${count} keys`);

/** The first of `groundcrew`, `groundcrew-2`, … that is free. */
function freeName(found: readonly KeyProvider[]): string {
  const taken = new Set(found.map(({ id }) => id.toLowerCase()));
  for (let count = 1; ; count++) {
    const name = count === 1 ? 'groundcrew' : `groundcrew-${count}`;
    if (!taken.has(name)) return name;
  }
}

function Found({ found }: { found: readonly KeyProvider[] }) {
  return (
    <DataTable
      caption="Key providers of the vCenter"
      columns={[
        { key: 'id', label: 'Name', cell: ({ id }) => id },
        {
          key: 'servers',
          label: 'Servers',
          look: 'code',
          cell: ({ servers }) => servers.map(placeText).join(', ') || 'none',
        },
        { key: 'default', label: 'Default', cell: ({ is_default }) => (is_default ? 'yes' : '') },
      ]}
      rows={found}
      rowKey={({ id }) => id}
      empty="It has none yet."
    />
  );
}
