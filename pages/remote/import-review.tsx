// The last look before passwords are read and stored.
import { reviewMark } from '../../shared/vcf/remote/draft.ts';
import type { CredentialCandidate } from '../../shared/vcf/vcf-api/credential.ts';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { FormActions, HiddenField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { LastLogin } from './common-steps.tsx';
import { Back, StepForm, type StepProps } from './wizard.tsx';

function Account({ candidate }: { candidate: CredentialCandidate | undefined }) {
  return (
    <span class="wrap">
      <span class="mono">{candidate?.username}</span> at <span class="mono">{candidate?.resource_name}</span>
    </span>
  );
}

/** What becomes of a key; `other`: the server of the import that stored it. */
function Does({ present, other }: { present: boolean; other: string | undefined }) {
  if (other !== undefined) return <State kind="warn">{`takes over what came from ${other}`}</State>;
  return <>{present ? 'compared with the earlier import' : 'new entry'}</>;
}

export function Review(props: StepProps) {
  const { view } = props;
  const { draft, trusted } = view;
  const chosen = draft?.chosen;
  if (!draft || !chosen) return null;
  const candidates = new Map(draft.found?.candidates.map((candidate) => [candidate.ref, candidate]));
  const present = new Set(chosen.present);
  const foreign = new Map(chosen.foreign.map(({ key, from }) => [key, from]));
  const count = chosen.picks.length;
  const passwords = count === 1 ? '1 password' : `${count} passwords`;
  return (
    <>
      <FactsList
        facts={[
          { label: 'From', value: <code>{draft.server}</code> },
          { label: 'Appliance', value: `${draft.appliance?.title ?? ''} ${draft.appliance?.version ?? ''}` },
          { label: 'Certificate', value: <code class="wrap">{trusted?.sha256}</code> },
          { label: 'Into', value: `${chosen.vault}${chosen.vault_id === null ? ' (a new vault)' : ''}` },
        ]}
      />
      {foreign.size > 0 && (
        <p>
          <State kind="warn">
            {`${foreign.size === 1 ? 'One key is' : `${foreign.size} keys are`} taken over from an import from ${[...new Set(foreign.values())].join(', ')}.`}
          </State>
        </p>
      )}
      <DataTable
        caption="Passwords that are imported"
        dense
        columns={[
          { key: 'key', label: 'Key', cell: ({ key }) => <span class="mono wrap">{key}</span> },
          { key: 'account', label: 'Account', cell: ({ ref }) => <Account candidate={candidates.get(ref)} /> },
          {
            key: 'does',
            label: 'What happens',
            look: 'nowrap',
            cell: ({ key }) => <Does present={present.has(key)} other={foreign.get(key)} />,
          },
        ]}
        rows={chosen.picks}
        rowKey={({ ref }) => ref}
        empty=""
      />
      <StepForm {...props} to="run" label="Import">
        <HiddenField name="reviewed" value={reviewMark(view.task, draft)} />
        <LastLogin {...props} />
        <FormActions note="Takes two minutes at most. The passwords are read again and stored encrypted, all or none. Comparing one with an earlier import opens the stored value; that is recorded.">
          <Button kind="primary">{`Import ${passwords}`}</Button>
          <Back view={view} to="select" />
        </FormActions>
      </StepForm>
    </>
  );
}
