// The certificate of a receiver: looked at, compared, confirmed.
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import type { Receiver } from '../../shared/vcf/alerts/receiver.ts';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, HiddenField } from '../components/form.tsx';

interface Seen {
  address: string;
  sha256: string;
  subject: string;
  confirmed: boolean;
}

interface Props {
  href: string;
  csrf: string;
  receiver: Receiver;
  may: boolean;
  outcome: FormOutcome | null;
}

export function ReceiverCertificate({ href, csrf, receiver: { sha256 }, may, outcome }: Props) {
  const looked = outcome?.operation_id === 'lookAtAlertReceiverCertificateForm' && outcome.problem === null;
  const seen = looked ? (outcome.result as Seen) : null;
  return (
    <section class="below" aria-labelledby="certificate">
      <h2 id="certificate">Certificate</h2>
      <FactsList
        facts={[
          {
            label: 'Confirmed',
            value:
              sha256 === null ? 'None: nothing is sent before one is confirmed' : <code class="wrap">{sha256}</code>,
          },
          ...(seen
            ? [
                { label: 'Shown now', value: <code class="wrap">{seen.sha256}</code> },
                { label: 'By', value: <code>{seen.address}</code> },
                { label: 'Issued to', value: <code class="wrap">{seen.subject}</code> },
              ]
            : []),
        ]}
      />
      {seen?.confirmed && <p>It is the one that was confirmed.</p>}
      {seen && !seen.confirmed && may && (
        <Form action={`${href}/confirm-certificate`} csrf={csrf} look="stack" label="Confirm the certificate">
          <HiddenField name="sha256" value={seen.sha256} />
          <p>
            Compare it on the server itself: <code>openssl x509 -noout -fingerprint -sha256 -in FILE</code>
          </p>
          <div class="actions">
            <Button kind="primary">It is the same: confirm it</Button>
          </div>
        </Form>
      )}
      {may && (
        <Form action={`${href}/look-at-certificate`} csrf={csrf} look="stack" label="Look at the certificate">
          <div class="actions">
            <Button>Look at the certificate</Button>
            <p class="muted">Connects, and sends neither an alert nor a secret.</p>
          </div>
        </Form>
      )}
    </section>
  );
}
