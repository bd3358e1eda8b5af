// The last step: what changes here and at the vCenter, the login once more, and the own password, since a client is let in.

import { placeText, taskHref } from '../../shared/vcf/key-provider/task.ts';
import { reviewMark } from '../../shared/vcf/remote/draft.ts';
import { OwnPasswordField } from '../account/own-password.tsx';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { FormActions, HiddenField } from '../components/form.tsx';
import { LastLogin } from '../remote/common-steps.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import { type ProviderStepProps, vcenterFacts } from './step.tsx';

export function ProviderReview(props: ProviderStepProps) {
  const { view, typed, owner } = props;
  const { draft, task, trusted } = view;
  const chosen = draft?.key_provider?.chosen;
  if (!draft || !chosen) return null;
  const { cluster, server, server_sha256, provider_id, provider_name, make_default } = chosen;
  const before = draft.key_provider?.found.find(({ is_default }) => is_default);
  return (
    <>
      {owner !== null && (
        <p>
          <ButtonLink href={taskHref(owner)}>Open the job that owns this server</ButtonLink>
        </p>
      )}
      <h3>At the vCenter</h3>
      <FactsList
        facts={[
          ...vcenterFacts(view),
          { label: 'Its certificate', value: <code class="wrap">{trusted?.sha256}</code> },
          { label: 'New key provider', value: <b>{cluster}</b> },
          { label: 'KMIP server', value: <code>{placeText(server)}</code> },
          { label: 'KMIP certificate', value: <code class="wrap">{server_sha256}</code> },
          { label: 'Default', value: defaultWords(make_default, before?.id) },
        ]}
      />
      <h3>On this appliance</h3>
      <FactsList
        facts={[
          { label: 'Provider', value: provider_id === '' ? `${provider_name}, which is made` : provider_name },
          { label: 'New client', value: 'the vCenter, with a certificate issued here for its signing request' },
        ]}
      />
      <Note icon="warn">
        A trusted client gets every key of the provider. What is encrypted with keys that are kept here can’t be read
        without this appliance: set up a schedule of archives before the first virtual machine is encrypted.
      </Note>
      <StepForm {...props} to="register" label="Register">
        <HiddenField name="reviewed" value={reviewMark(task, draft)} />
        <LastLogin {...props} />
        <OwnPasswordField error={typed.of('own_password')} label="Your password here" />
        <FormActions note="Runs as a job. If it fails before the vCenter is connected, what was done here and at the vCenter is taken back. A typed login stays in memory until the job ends.">
          <Button kind="primary">Register</Button>
          <Back view={view} to="provider" />
        </FormActions>
      </StepForm>
    </>
  );
}

function defaultWords(make_default: boolean, before: string | undefined): string {
  if (make_default) return before === undefined ? 'yes' : `yes, no longer ${before}`;
  return before === undefined
    ? 'as the vCenter decides: its first key provider becomes the default'
    : `stays ${before}`;
}
