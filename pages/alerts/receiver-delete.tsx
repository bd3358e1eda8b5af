// Asks before a receiver of alerts is deleted.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { placeWords, type Receiver } from '../../shared/vcf/alerts/receiver.ts';
import { receiverParam } from '../../shared/vcf/alerts/receiver-schemas.ts';
import { findReceiver } from '../../shared/vcf/alerts/receiver-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALERTS, KIND_WORDS, RECEIVERS } from './alert-words.tsx';

export const page = definePage({
  id: 'deleteAlertReceiverPage',
  path: `${pageRoute('alert-receiver')}/delete`,
  current: ALERTS.href,
  access: { session: 'write:alerts' },
  params: receiverParam,
  load: ({ db, params }): Promise<Receiver> => findReceiver(db, params.receiver_id),
  title: ({ name }) => `Delete ${name}`,
  view({ data: receiver, state, outcome }) {
    const { id, name, kind, revision } = receiver;
    const href = pagePath('alert-receiver', id);
    const typed = typedInto('deleteAlertReceiverForm', outcome);
    return (
      <>
        <PageHead title={`Delete ${name}?`} trail={[ALERTS, RECEIVERS, { href, label: name }]} here="Delete" />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={name} revision={revision} last={null} saved={[]} now={state.now} />
        <p>It gets no more alerts. Its secret and its queued messages are deleted.</p>
        <FactsList
          facts={[
            { label: 'Kind', value: KIND_WORDS[kind] },
            { label: 'Where', value: <code class="wrap">{placeWords(receiver)}</code> },
          ]}
        />
        <Form action={`${href}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${name}`}>
          <FormActions>
            <Button kind="bad">Delete receiver</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
