// The last step: what changes on the appliance, what has to be confirmed for it, and both passwords once more.
import { placeHref, TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { type Difference, depotReviewMark, differenceOf } from '../../shared/vcf/remote-depot/inspect.ts';
import { taskHref } from '../../shared/vcf/remote-depot/task.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckField, FormActions, HiddenField } from '../components/form.tsx';
import { LastLogin } from '../remote/common-steps.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import { applianceFacts, DepotPassword, type DepotStepProps, presentFacts, wantedFacts } from './step.tsx';

const WHAT: Record<Difference, { says: string; button: string }> = {
  none: { says: 'It has no depot yet. It gets this one and fetches its metadata.', button: 'Configure the depot' },
  same: {
    says: 'It has this depot, but can’t use it as it is. It is set once more, and its metadata is fetched.',
    button: 'Configure the depot',
  },
  right: {
    says: 'It has this depot already, and can use it. It stays as it is; only metadata that is not complete is fetched.',
    button: 'Check the depot',
  },
  other: { says: 'It takes its software from another depot, which this one replaces.', button: 'Replace the depot' },
};

export function DepotReview(props: DepotStepProps) {
  const { view, endpoint, typed, owner } = props;
  const depot = view.draft?.depot;
  if (!depot) return null;
  const difference = differenceOf(depot, endpoint);
  const { says, button } = WHAT[difference];
  const refused = view.told?.code === 'depot_replacement_unconfirmed';
  return (
    <>
      {owner !== null && (
        <p>
          <ButtonLink href={taskHref(owner)}>Open the job that owns this server</ButtonLink>
        </p>
      )}
      <h3>On the appliance</h3>
      <FactsList
        facts={[
          ...applianceFacts(view),
          { label: 'Its certificate', value: <code class="wrap">{view.trusted?.sha256}</code> },
        ]}
      />
      <h3>The depot that it has now</h3>
      <FactsList facts={presentFacts(depot)} />
      <h3>The depot that it gets</h3>
      <FactsList facts={wantedFacts(endpoint)} />
      <Note>{says}</Note>
      {depot.trusts === false && difference !== 'right' && <Untrusted server={view.server} />}
      <StepForm {...props} to="configure" label="Configure">
        <HiddenField name="reviewed" value={depotReviewMark(depot, endpoint)} />
        {difference === 'other' && (
          <CheckField
            name="replace"
            value="yes"
            label="Replace the depot that it has now"
            checked={typed.checked('replace', false)}
            {...(refused && { error: 'Confirm this first: nothing was changed.' })}
          />
        )}
        {difference === 'right' && (
          <CheckField
            name="rewrite"
            value="yes"
            label="Set it again all the same"
            checked={typed.checked('rewrite', false)}
            help="Choose this after the depot user’s password was changed: the appliance still has the old one."
          />
        )}
        <LastLogin {...props} />
        <DepotPassword typed={typed} endpoint={endpoint} again />
        <FormActions note="Runs as a job, for up to an hour while the appliance fetches the metadata. Nothing else can configure this server meanwhile. Typed passwords stay in memory until the job ends.">
          <Button kind="primary">{button}</Button>
          <Back view={view} to="depot" />
        </FormActions>
      </StepForm>
    </>
  );
}

/** It is not made to trust anything by this task. */
function Untrusted({ server }: { server: string }) {
  return (
    <Note icon="warn">
      This release does not learn to trust the depot by being pointed at it, and our root is not among those that it
      trusts: it will most likely refuse the connection. Make it trust the root first:{' '}
      <a href={placeHref(TRUST_TASK, { server })} target="_blank" rel="noopener" data-dialog="true">
        Certificate trust
      </a>{' '}
      opens beside this, and nothing entered here is lost. Log in here again afterwards to have it looked at anew.
    </Note>
  );
}
