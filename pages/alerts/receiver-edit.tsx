// Changing a receiver of alerts. Its kind never changes, and its secret is not part of the form.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { receiverParam } from '../../shared/vcf/alerts/receiver-schemas.ts';
import { findReceiver } from '../../shared/vcf/alerts/receiver-store.ts';
import { type ReceiverItem, receiverItem } from '../../shared/vcf/alerts/receivers.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Form, FormActions, HiddenField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import {
  editedFrom,
  type LastSave,
  lastSaveOf,
  Refused,
  StaleForm,
  typedInto,
  withLost,
} from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALERTS, RECEIVERS } from './alert-words.tsx';
import { HeadFields, PlaceFields, RECEIVER_LABELS, savedFields } from './receiver-fields.tsx';

interface Data {
  receiver: ReceiverItem;
  last: LastSave | null;
}

export const page = definePage({
  id: 'editAlertReceiverPage',
  path: `${pageRoute('alert-receiver')}/edit`,
  current: ALERTS.href,
  access: { session: 'write:alerts' },
  params: receiverParam,
  async load({ db, params, outcome }): Promise<Data> {
    const receiver = receiverItem(await findReceiver(db, params.receiver_id));
    return { receiver, last: await lastSaveOf(db, outcome, { type: 'alert_receiver', id: receiver.id }) };
  },
  title: ({ receiver }) => `Edit ${receiver.name}`,
  view({ data: { receiver, last }, state, outcome }) {
    const { id, name, kind, revision } = receiver;
    const typed = withLost(typedInto('updateAlertReceiverForm', outcome));
    const href = pagePath('alert-receiver', id);
    const fields = savedFields(receiver);
    return (
      <>
        <PageHead title={`Edit ${name}`} trail={[ALERTS, RECEIVERS, { href, label: name }]} here="Edit" />
        <Refused typed={typed} labels={RECEIVER_LABELS} />
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={fields} now={state.now} />
        <Form action={`${href}/edit`} csrf={state.csrf} {...editedFrom(typed, revision, fields)} label={`Edit ${name}`}>
          <HiddenField name="kind" value={kind} />
          <HeadFields saved={receiver} typed={typed} />
          <PlaceFields kind={kind} saved={receiver} typed={typed} />
          <FormActions note="Takes effect immediately. If you change the host or the port, enter its secret and confirm its certificate again.">
            <Button kind="primary">Save receiver</Button>
            <ButtonLink href={href}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
