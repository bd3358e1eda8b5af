// The last step: what is done on which hosts, and the login once more.
import { reviewMark } from '../../shared/vcf/remote/draft.ts';
import { Note } from '../components/block.tsx';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { FormActions, HiddenField } from '../components/form.tsx';
import { LastLogin } from '../remote/common-steps.tsx';
import { Back, StepForm } from '../remote/wizard.tsx';
import { type MountStepProps, machineFacts } from './step.tsx';

export function MountReview(props: MountStepProps) {
  const { draft, task, trusted } = props.view;
  const chosen = draft?.nas?.chosen;
  if (!draft || !chosen) return null;
  const { action, datastore, hosts } = chosen;
  const verb = action === 'mount' ? 'Mount' : 'Unmount';
  return (
    <>
      <FactsList
        facts={[
          ...machineFacts(props.view),
          { label: 'Its certificate', value: <code class="wrap">{trusted?.sha256}</code> },
          { label: verb, value: <b>{datastore.name}</b> },
          {
            label: 'Export',
            value: (
              <code>
                {datastore.server}:{datastore.path}
              </code>
            ),
          },
          { label: 'NFS', value: datastore.version },
          {
            label: 'On',
            value: hosts.map(({ id, name }) => (
              <span key={id} class="line">
                {name}
              </span>
            )),
          },
        ]}
      />
      {action === 'unmount' && (
        <Note icon="warn">
          A host refuses while a machine or a file of it is in use there. What the datastore holds stays.
        </Note>
      )}
      <StepForm {...props} to="run" label={verb}>
        <HiddenField name="reviewed" value={reviewMark(task, draft)} />
        <LastLogin {...props} />
        <FormActions note="Runs as a job with a step for each host. One that refuses leaves the others as they are. A typed login stays in memory until the job ends.">
          <Button kind="primary">{verb}</Button>
          <Back view={props.view} to="hosts" />
        </FormActions>
      </StepForm>
    </>
  );
}
