// Generating the software depot ID; where there is one, it has to be said that it may go.
import { type DepotIdentity, depotIdentity } from '../../shared/services/offline-depot/identity.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckField, Form, FormActions } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { DEPOT } from './depot-words.tsx';

const PATH = `${DEPOT.href}/software-depot-id`;

export const page = definePage({
  id: 'softwareDepotIdPage',
  path: PATH,
  current: DEPOT.href,
  access: { session: 'write:depot' },
  load: ({ db }): Promise<DepotIdentity | null> => depotIdentity(db),
  title: () => 'Software depot ID',
  view({ data: identity, state, outcome }) {
    const typed = typedInto('generateSoftwareDepotIdForm', outcome);
    return (
      <>
        <PageHead
          title="Software depot ID"
          trail={[DEPOT]}
          intro="Identifies the depot to the software’s publisher, who issues activation codes for it. It is not a secret."
        />
        <Refused typed={typed} labels={{ confirm: 'Confirmation' }} />
        {identity && (
          <FactsList
            facts={[
              { label: 'Now', value: <Copyable id="software-depot-id" text={identity.software_depot_id} /> },
              { label: 'Generated', value: <Instant at={identity.generated_at} now={state.now} /> },
            ]}
          />
        )}
        <Form action={PATH} csrf={state.csrf} label="Generate the software depot ID">
          {identity && (
            <CheckField
              name="confirm"
              group="Confirmation"
              label="Activation codes that were issued for this ID may become worthless"
              help="The new ID needs a new activation code before further downloads."
              checked={typed.checked('confirm', false)}
              error={typed.of('confirm')}
            />
          )}
          <FormActions note="Takes effect immediately; the host is not changed.">
            <Button kind={identity ? 'bad' : 'primary'}>{identity ? 'Generate another ID' : 'Generate the ID'}</Button>
            <ButtonLink href={DEPOT.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
