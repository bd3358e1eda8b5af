// One receiver of alerts: where it is, its certificate, its secret, a test, and its messages.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { headline } from '../../shared/vcf/alerts/message.ts';
import { contentOf, messagesOf, type Queued } from '../../shared/vcf/alerts/queue.ts';
import { placeWords, type Receiver } from '../../shared/vcf/alerts/receiver.ts';
import { receiverParam } from '../../shared/vcf/alerts/receiver-schemas.ts';
import { findReceiver } from '../../shared/vcf/alerts/receiver-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form } from '../components/form.tsx';
import { SecretOnce } from '../components/secret-once.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALERTS, KIND_WORDS, RECEIVERS, ReceiverState, SEVERITY_WORDS } from './alert-words.tsx';
import { ReceiverCertificate } from './receiver-certificate.tsx';

/** Messages on the page, the newest. */
const SHOWN = 50;
const BUTTONS = [
  'testAlertReceiverForm',
  'lookAtAlertReceiverCertificateForm',
  'confirmAlertReceiverCertificateForm',
  'makeAlertReceiverSecretForm',
];

interface Data {
  receiver: Receiver;
  messages: Queued[];
}

export const page = definePage({
  id: 'alertReceiverPage',
  path: pageRoute('alert-receiver'),
  current: ALERTS.href,
  access: { session: 'read:alerts' },
  params: receiverParam,
  load: async ({ db, params }): Promise<Data> => ({
    receiver: await findReceiver(db, params.receiver_id),
    messages: await messagesOf(db, params.receiver_id, SHOWN),
  }),
  title: ({ receiver }) => receiver.name,
  view: ReceiverView,
});

function ReceiverView({ data: { receiver, messages }, state, outcome }: ViewProps<Data>) {
  const { id, name, kind, sha256 } = receiver;
  const href = pagePath('alert-receiver', id);
  const may = state.user.scopes.includes('write:alerts');
  return (
    <>
      <PageHead title={name} trail={[ALERTS, RECEIVERS]}>
        {may && (
          <>
            <ButtonLink kind="primary" href={`${href}/edit`}>
              Edit receiver
            </ButtonLink>
            <ButtonLink href={`${href}/delete`}>Delete receiver</ButtonLink>
          </>
        )}
      </PageHead>
      {BUTTONS.map((form) => (
        <Refused key={form} typed={typedInto(form, outcome)} labels={{}} />
      ))}
      <NewSecret outcome={outcome} />
      <Standing receiver={receiver} now={state.now} />
      <ReceiverCertificate href={href} csrf={state.csrf} receiver={receiver} may={may} outcome={outcome} />
      {may && kind === 'webhook' && <MakeSecret href={href} csrf={state.csrf} has={receiver.has_secret} />}
      {may && sha256 !== null && (
        <Form action={`${href}/test`} csrf={state.csrf} look="stack" label="Test">
          <div class="actions">
            <Button>Send a test</Button>
            <p class="muted">It is sent at once, ahead of queued messages. The result is shown here.</p>
          </div>
        </Form>
      )}
      <Messages messages={messages} now={state.now} />
    </>
  );
}

function NewSecret({ outcome }: { outcome: FormOutcome | null }) {
  if (outcome?.operation_id !== 'makeAlertReceiverSecretForm' || outcome.problem !== null) return null;
  const { secret } = outcome.result as { secret: string };
  return (
    <SecretOnce
      title="Signing secret"
      secret={secret}
      kept="It is sealed here to sign messages: nobody can show it again."
    >
      <p>
        The receiver checks <code>X-Groundcrew-Signature</code>: <code>v1=</code> and the hexadecimal HMAC-SHA256 of{' '}
        <code>X-Groundcrew-Timestamp</code>, a dot and the body.
      </p>
    </SecretOnce>
  );
}

const SECRETS: Partial<Record<Receiver['kind'], string>> = { webhook: 'Signing secret', mail: 'Password' };

function Standing({ receiver, now }: { receiver: Receiver; now: string }) {
  const { kind, severity, has_secret, failing_since, last_sent_at, last_reason } = receiver;
  const secret = SECRETS[kind];
  return (
    <FactsList
      facts={[
        { label: 'State', value: <ReceiverState receiver={receiver} /> },
        { label: 'Kind', value: KIND_WORDS[kind] },
        { label: 'Where', value: <code class="wrap">{placeWords(receiver)}</code> },
        {
          label: 'Gets',
          value: severity === 'warning' ? 'All alerts' : `${SEVERITY_WORDS.critical} alerts alone`,
        },
        ...(secret === undefined
          ? []
          : [{ label: secret, value: has_secret ? 'Stored, never shown' : <span class="muted">none</span> }]),
        {
          label: 'Last delivery',
          value: last_sent_at === null ? <span class="muted">never</span> : <Instant at={last_sent_at} now={now} />,
        },
        ...(failing_since === null
          ? []
          : [
              { label: 'Failing since', value: <Instant at={failing_since} now={now} /> },
              { label: 'Reason', value: last_reason },
            ]),
      ]}
    />
  );
}

function MakeSecret({ href, csrf, has }: { href: string; csrf: string; has: boolean }) {
  return (
    <Form action={`${href}/make-secret`} csrf={csrf} look="stack" label="Signing secret">
      <div class="actions">
        <Button>{has ? 'Make a new signing secret' : 'Make the signing secret'}</Button>
        <p class="muted">{has ? 'The old secret stops working. The new one is shown once.' : 'It is shown once.'}</p>
      </div>
    </Form>
  );
}

const EVENT_WORDS: Record<Queued['event'], string> = {
  opened: 'Opened',
  worse: 'Became critical',
  reminder: 'Reminder',
  closed: 'Closed',
};

function Messages({ messages, now }: { messages: Queued[]; now: string }) {
  return (
    <section class="below" aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      <DataTable
        caption={`The newest ${SHOWN} messages`}
        columns={[
          { key: 'event', label: 'Event', look: 'nowrap', cell: ({ event }) => EVENT_WORDS[event] },
          { key: 'what', label: 'Message', cell: (message) => headline(contentOf(message)) },
          { key: 'state', label: 'State', look: 'nowrap', cell: (message) => <MessageState of={message} now={now} /> },
          { key: 'reason', label: 'Reason', cell: ({ reason }) => reason },
          { key: 'attempts', label: 'Attempts', look: 'number', cell: ({ attempts }) => attempts },
          { key: 'made', label: 'Made', look: 'nowrap', cell: ({ made_at }) => <Instant at={made_at} now={now} /> },
        ]}
        rows={messages}
        rowKey={({ id }) => id}
        empty="No message yet."
      />
    </section>
  );
}

function MessageState({ of: { state, next_at }, now }: { of: Queued; now: string }) {
  if (state === 'sent') return <State kind="ok">Delivered</State>;
  if (state === 'dead') return <State kind="bad">Given up</State>;
  return (
    <State kind="pending">
      Queued, next attempt <Instant at={next_at!} now={now} />
    </State>
  );
}
