// The last look: all that was chosen, what the pre-flight saw, and the passwords, which are kept nowhere before.

import { reviewMark } from '../../shared/remote/draft.ts';
import { placeWords } from '../../shared/vcf-helper/deployment/place.ts';
import { needsApplianceLogin } from '../../shared/vcf-helper/deployment/reviewed.ts';
import {
  asked,
  DEPLOY_TASK,
  type DeploymentDraft,
  warningsMark,
} from '../../shared/vcf-helper/deployment/wizard-task.ts';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckField, FieldGroup, FormActions, HiddenField, TextField } from '../components/form.tsx';
import { LastLogin } from '../remote/common-steps.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import { Checks } from './checks.tsx';
import { PropertyField } from './properties-step.tsx';
import type { DeploymentStep } from './sddc-manager.tsx';

export function Review(props: DeploymentStep) {
  const { view, typed, data } = props;
  const { draft } = view;
  const deployment = draft?.deployment;
  if (!draft || !deployment?.after || !data.descriptor) return null;
  const secret = asked(data.descriptor, true);
  const { extras, power_on } = deployment.after;
  const warnings = (deployment.checks ?? []).filter(({ state }) => state === 'warning');
  return (
    <>
      <FactsList facts={factsOf(props, deployment)} />
      {deployment.checks && (
        <>
          <h3>What was looked at</h3>
          <Checks checks={deployment.checks} />
        </>
      )}
      <StepForm {...props} to="deploy" label="Deploy">
        <HiddenField name="reviewed" value={reviewMark(draft)} />
        <FieldGroup legend={`Login at ${draft.appliance?.title ?? view.server}`}>
          <LastLogin {...props} />
        </FieldGroup>
        {secret.length > 0 && (
          <FieldGroup legend="Passwords of the new appliance">
            <div data-login="again">
              {secret.map(({ field, property }) => (
                <PropertyField key={field} field={field} property={property} value="" typed={typed} />
              ))}
            </div>
          </FieldGroup>
        )}
        {extras.depot && (
          <FieldGroup legend="Offline depot">
            <div data-login="again">
              <TextField
                name="depot_password"
                label={`Password of ${data.offers?.depot?.endpoint?.username ?? 'the depot user'}`}
                type="password"
                mono
                value=""
                error={typed.of('depot_password')}
                required
                maxlength={1024}
                autocomplete="new-password"
                help="Asked for each time, and stored nowhere."
              />
            </div>
          </FieldGroup>
        )}
        {needsApplianceLogin(data.descriptor, deployment.after) && (
          <FieldGroup legend="Login at the new appliance">
            <div data-login="again">
              <TextField
                name="appliance_password"
                label="Password of admin@local"
                type="password"
                mono
                value=""
                error={typed.of('appliance_password')}
                required
                maxlength={1024}
                autocomplete="new-password"
                help="No property of the OVF says it. Trust and depot are set up with it."
              />
            </div>
          </FieldGroup>
        )}
        {warnings.length > 0 && (
          <CheckField
            name="accept_warnings"
            value={warningsMark(deployment.checks!)}
            label={
              warnings.length === 1
                ? 'Deploy in spite of the warning'
                : `Deploy in spite of ${warnings.length} warnings`
            }
            checked={false}
            error={typed.of('accept_warnings')}
          />
        )}
        <FormActions note={noteOf(power_on)}>
          <Button kind="primary">Deploy</Button>
          <Button action={`${DEPLOY_TASK.path}/check`}>Check only</Button>
          <Back view={view} to="after" />
        </FormActions>
      </StepForm>
    </>
  );
}

const noteOf = (power_on: boolean): string =>
  `Everything is looked at once more before anything is queued. ${power_on ? 'The disks are sent, the machine starts, and its API is waited for' : 'The disks are sent, and the machine stays switched off'}: its page follows it, and goes on without you.`;

function factsOf({ view, data }: DeploymentStep, deployment: DeploymentDraft) {
  const { inventory, appliance, placement, properties, after } = deployment;
  const named = (list: readonly { id: string; name: string }[], id: string | undefined) =>
    list.find((one) => one.id === id)?.name ?? id ?? '';
  const size = data.descriptor?.deployment_options.find(({ id }) => id === placement?.deployment_option);
  const extras = [
    ...(after?.power_on ? ['switched on'] : ['left switched off']),
    ...(after?.extras.dns ? ['DNS records saved'] : []),
    ...(after?.extras.trust ? ['trusts our certificate authority'] : []),
    ...(after?.extras.depot ? ['takes its software from our depot'] : []),
  ];
  const shown = asked(data.descriptor!, false).filter(({ property }) => (properties?.[property.key] ?? '') !== '');
  return [
    { label: 'To', value: <code>{view.server}</code> },
    { label: 'Machine', value: <code>{appliance?.name}</code> },
    { label: 'OVA', value: <code class="wrap">{appliance?.file}</code> },
    ...(placement ? [{ label: 'Place', value: placeWords(inventory, placement.place) }] : []),
    ...Object.entries(placement?.place.networks ?? {}).map(([name, id]) => ({
      label: name,
      value: named(inventory.networks, id),
    })),
    { label: 'Disks', value: placement?.disk_provisioning ?? '' },
    ...(size ? [{ label: 'Size', value: size.label || size.id }] : []),
    ...shown.map(({ property }) => ({
      label: property.label || property.key,
      value: <code class="wrap">{properties?.[property.key]}</code>,
    })),
    { label: 'Then', value: extras.join(', ') },
  ];
}
