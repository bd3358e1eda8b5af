// The last look: all that was chosen, what the pre-flight saw, and the passwords, which are kept nowhere before.

import { placeWords } from '../../shared/vcf/deployment/place.ts';
import { needsApplianceLogin } from '../../shared/vcf/deployment/reviewed.ts';
import { asked, DEPLOY_TASK, type DeploymentDraft, warningsMark } from '../../shared/vcf/deployment/wizard-task.ts';
import { reviewMark } from '../../shared/vcf/remote/draft.ts';
import { placeHref } from '../../shared/vcf/remote/wizard.ts';
import { Button } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckField, FieldGroup, FormActions, HiddenField } from '../components/form.tsx';
import { LastLogin } from '../remote/common-steps.tsx';
import { PasswordField } from '../remote/password-field.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import { Checks, ChecksSummary } from './checks.tsx';
import type { DeploymentStep } from './deployment.tsx';
import { PropertyField } from './properties-step.tsx';

export function Review(props: DeploymentStep) {
  const { view, typed, data } = props;
  const { draft } = view;
  const deployment = draft?.deployment;
  if (!draft || !deployment?.after || !data.descriptor) return null;
  const secret = asked(data.descriptor, true);
  const open = asked(data.descriptor, false);
  const { extras, power_on } = deployment.after;
  const looked = deployment.checks !== null || typed.outcome !== null;
  const again = looked && !(view.stored && secret.length === 0) ? AGAIN : null;
  const warnings = (deployment.checks ?? []).filter(({ state }) => state === 'warning');
  return (
    <>
      {deployment.checks && typed.errors.length === 0 && <ChecksSummary checks={deployment.checks} />}
      <div class="reviewed">
        <section aria-labelledby="reviewed-where">
          <h3 id="reviewed-where">What goes where</h3>
          <FactsList facts={factsOf(props, deployment)} />
        </section>
        <section aria-labelledby="reviewed-properties">
          <h3 id="reviewed-properties">Properties</h3>
          <Given open={open} given={deployment.properties ?? {}} />
        </section>
      </div>
      <StepForm {...props} to="deploy" label="Deploy">
        <HiddenField name="reviewed" value={reviewMark(view.task, draft)} />
        <FieldGroup legend={`Login at ${draft.appliance?.title ?? view.server}`}>
          <LastLogin {...props} />
        </FieldGroup>
        {secret.length > 0 && (
          <FieldGroup legend="Passwords of the new appliance">
            {again && (
              <p class="muted" data-asked-again>
                {again}
              </p>
            )}
            <div data-login="again">
              {secret.map(({ field, property }) => (
                <PropertyField key={field} field={field} property={property} value="" typed={typed} />
              ))}
            </div>
          </FieldGroup>
        )}
        {extras.depot && (
          <FieldGroup legend="Offline depot">
            <PasswordField
              again
              name="depot_password"
              label="Depot password"
              typed={typed}
              help={`Of the user ${data.offers?.depot?.endpoint?.username ?? 'that the depot has'}. Asked for each time, and stored nowhere.`}
            />
          </FieldGroup>
        )}
        {needsApplianceLogin(data.descriptor, deployment.after) && (
          <FieldGroup legend="Login at the new appliance">
            <PasswordField
              again
              name="appliance_password"
              label="Password of admin@local"
              typed={typed}
              help="The OVF has no property for it. It is used to set up trust and the depot."
            />
          </FieldGroup>
        )}
        {deployment.checks && (
          <Checks checks={deployment.checks} hrefOf={(step) => placeHref(view.task, { ...view.place, step })} />
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
            help="You accept these warnings. New ones are shown first."
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

const AGAIN = 'Enter every password once more: they are used for one request, and kept nowhere in between.';

const noteOf = (power_on: boolean): string =>
  `Everything is looked at once more before anything is queued. ${power_on ? 'The disks are sent, the machine starts, and its API is waited for' : 'The disks are sent, and the machine stays switched off'}: its page follows it, and goes on without you.`;

/** So many stand in the open; a release has a dozen. */
const PROPERTIES_SHOWN = 20;

function Given({ open, given }: { open: ReturnType<typeof asked>; given: Record<string, string> }) {
  const facts = open
    .filter(({ property }) => (given[property.key] ?? '') !== '')
    .map(({ property: { key, label } }) => ({ key, label: label || key, value: given[key] }));
  if (facts.length === 0) return <p class="muted">None was given; the OVF has its defaults.</p>;
  const more = facts.slice(PROPERTIES_SHOWN);
  return (
    <>
      <GivenList facts={facts.slice(0, PROPERTIES_SHOWN)} />
      {more.length > 0 && (
        <More summary={`${more.length} more`}>
          <GivenList facts={more} />
        </More>
      )}
    </>
  );
}

/** By key: labels of an OVF need not differ. */
function GivenList({ facts }: { facts: readonly { key: string; label: string; value: string | undefined }[] }) {
  return (
    <dl class="facts-list">
      {facts.map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            <code class="wrap">{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function factsOf({ view, data }: DeploymentStep, deployment: DeploymentDraft) {
  const { inventory, appliance, placement, after } = deployment;
  const named = (list: readonly { id: string; name: string }[], id: string | undefined) =>
    list.find((one) => one.id === id)?.name ?? id ?? '';
  const size = data.descriptor?.deployment_options.find(({ id }) => id === placement?.deployment_option);
  const folder = inventory.folders.find(({ id }) => id === placement?.place.folder_id);
  const extras = [
    ...(after?.power_on ? ['switched on'] : ['left switched off']),
    ...(after?.extras.dns ? ['DNS records saved'] : []),
    ...(after?.extras.trust ? ['trusts our certificate authority'] : []),
    ...(after?.extras.depot ? ['takes its software from our depot'] : []),
  ];
  return [
    { label: 'To', value: <code>{view.server}</code> },
    { label: 'Machine', value: <code>{appliance?.name}</code> },
    { label: 'OVA', value: <code class="wrap">{appliance?.file}</code> },
    ...(placement ? [{ label: 'Place', value: placeWords(inventory, placement.place) }] : []),
    ...Object.entries(placement?.place.networks ?? {}).map(([name, id]) => ({
      label: name,
      value: named(inventory.networks, id),
    })),
    ...(folder ? [{ label: 'Folder', value: folder.path }] : []),
    { label: 'Disks', value: placement?.disk_provisioning ?? '' },
    ...(size ? [{ label: 'Size', value: size.label || size.id }] : []),
    { label: 'Then', value: extras.join(', ') },
  ];
}
