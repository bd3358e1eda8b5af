// Adding a receiver of alerts.
import { RECEIVER_KINDS } from '../../shared/vcf/alerts/receiver.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, RadioField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto, withLost } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALERTS, KIND_WORDS, RECEIVERS } from './alert-words.tsx';
import { HeadFields, PlaceFields, RECEIVER_LABELS } from './receiver-fields.tsx';

const PATH = `${RECEIVERS.href}/new`;

export const page = definePage({
  id: 'newAlertReceiverPage',
  path: PATH,
  current: ALERTS.href,
  access: { session: 'write:alerts' },
  load: async () => null,
  title: () => 'Add a receiver',
  view({ state, outcome }) {
    const typed = withLost(typedInto('createAlertReceiverForm', outcome));
    const props = { saved: {}, typed };
    return (
      <>
        <PageHead
          title="Add a receiver"
          trail={[ALERTS, RECEIVERS]}
          intro="Gets messages about alerts. Only the fields of the chosen kind are used."
        />
        <Refused typed={typed} labels={RECEIVER_LABELS} />
        <Form action={PATH} csrf={state.csrf} label="New receiver">
          <HeadFields {...props} />
          <RadioField
            name="kind"
            label={RECEIVER_LABELS.kind}
            value={typed.text('kind', 'webhook')}
            error={typed.of('kind')}
            options={RECEIVER_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
          />
          {RECEIVER_KINDS.map((kind) => (
            <PlaceFields key={kind} kind={kind} {...props} />
          ))}
          <FormActions note="Nothing is sent until you confirm its certificate on the next page.">
            <Button kind="primary">Add receiver</Button>
            <ButtonLink href={RECEIVERS.href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
