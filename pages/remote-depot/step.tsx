// The step between login and review: which depot the appliance has now, which it is to get, and the password of the user
// whom the depot lets in. It is typed at every run and comes from no vault.

import type { WizardView } from '../../shared/vcf/remote/wizard-view.ts';
import { differenceOf, type InspectedDepot } from '../../shared/vcf/remote-depot/inspect.ts';
import type { DepotEndpoint } from '../../shared/vcf/remote-depot/steps.ts';
import { DEPOT_SUCCESS, depotUrl, SYNC_FAILED, SYNCED } from '../../shared/vcf/vcf-api/depot.ts';
import { Button } from '../components/button.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { FormActions } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import type { Typed } from '../layout/form-state.tsx';
import { ReadStored } from '../remote/common-steps.tsx';
import { PasswordField } from '../remote/password-field.tsx';
import { Back, StepForm, type StepProps } from '../remote/wizard.tsx';

export interface DepotStepProps extends StepProps {
  endpoint: DepotEndpoint;
  /** The job that owns the machine, when the form was refused for it. */
  owner: string | null;
}

export function DepotStep(props: DepotStepProps) {
  const { view, endpoint, typed } = props;
  const { draft, stored } = view;
  if (!draft?.depot) return <ReadStored {...props} what="which depot it has" />;
  return (
    <>
      <FactsList facts={applianceFacts(view)} />
      <h3>The depot that it has now</h3>
      <FactsList facts={presentFacts(draft.depot)} />
      <h3>The depot of this appliance</h3>
      <FactsList facts={wantedFacts(endpoint)} />
      <StepForm {...props} to="depot" label="Depot password">
        <DepotPassword typed={typed} endpoint={endpoint} />
        <FormActions note="It is checked here, and never stored. Nothing is sent to the server yet.">
          <Button kind="primary">
            {differenceOf(draft.depot, endpoint) === 'right' ? 'Check and review' : 'Review'}
          </Button>
          <Back view={view} to={stored ? 'credential' : 'login'} />
        </FormActions>
      </StepForm>
    </>
  );
}

export function DepotPassword({
  typed,
  endpoint,
  again,
}: {
  typed: Typed;
  endpoint: DepotEndpoint;
  /** The last step: it was typed before. */
  again?: boolean;
}) {
  return (
    <PasswordField
      again={again}
      name="depot_password"
      label="Depot password"
      typed={typed}
      help={
        again
          ? 'Enter it again: it is not kept between steps.'
          : `Of the user ${endpoint.username} of this appliance’s depot. Asked for at every run.`
      }
    />
  );
}

export const applianceFacts = ({ server, draft }: WizardView): Fact[] => [
  { label: 'Server', value: <code>{server}</code> },
  ...(draft?.appliance ? [{ label: 'Appliance', value: `${draft.appliance.title} ${draft.appliance.version}` }] : []),
];

/** What it has, in words. */
export function presentFacts({ current, sync, trusts }: InspectedDepot): Fact[] {
  const trust = trusts === null ? [] : [{ label: 'Our root', value: <Trust trusts={trusts} /> }];
  if (current === null) return [{ label: 'Depot', value: 'none' }, ...trust];
  const { offline, username, status } = current;
  return [
    {
      label: 'Depot',
      value: offline ? <code class="wrap">{depotUrl(current) ?? 'without a name'}</code> : 'online, the vendor’s',
    },
    { label: 'User', value: username === null ? 'none' : <code>{username}</code> },
    ...(status === null ? [] : [{ label: 'Connection', value: <Connection status={status} /> }]),
    ...(sync === null ? [] : [{ label: 'Synchronised', value: <Sync status={sync} /> }]),
    ...trust,
  ];
}

export const wantedFacts = ({ url, username, ca_sha256 }: DepotEndpoint): Fact[] => [
  { label: 'Depot', value: <code class="wrap">{url}</code> },
  { label: 'User', value: <code>{username}</code> },
  { label: 'Root', value: <code class="wrap">{ca_sha256}</code> },
];

const STATUS_WORDS: Readonly<Record<string, string>> = {
  [DEPOT_SUCCESS]: 'works',
  DEPOT_UNKNOWN_HOST: 'its name does not resolve there',
  DEPOT_NOT_AVAILABLE: 'can’t be reached from there',
  DEPOT_USER_NOT_SET: 'no user is set',
  DEPOT_INVALID_CREDENTIAL: 'user name or password refused, or its certificate not trusted',
  UNKNOWN_FAILURE: 'fails, without a reason',
};

function Connection({ status }: { status: string }) {
  return <State kind={status === DEPOT_SUCCESS ? 'ok' : 'warn'}>{STATUS_WORDS[status] ?? status}</State>;
}

function Sync({ status }: { status: string }) {
  if (status === SYNCED) return <State kind="ok">yes</State>;
  if (status === SYNC_FAILED) return <State kind="bad">failed the last time</State>;
  return <State kind="warn">{status.toLowerCase().replaceAll('_', ' ')}</State>;
}

function Trust({ trusts }: { trusts: boolean }) {
  return trusts ? <State kind="ok">trusted already</State> : <State kind="warn">not among those it trusts</State>;
}
