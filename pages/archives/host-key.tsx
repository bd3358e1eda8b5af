// The host key of an SFTP target: looked at, compared, confirmed.
import type { TargetOf } from '../../shared/appliance/archive/schedule/target.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Button } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, HiddenField } from '../components/form.tsx';

interface Seen {
  host_key_sha256: string;
  algorithm: string;
  confirmed: boolean;
}

interface Props {
  target: TargetOf<'sftp'>;
  may: boolean;
  csrf: string;
  outcome: FormOutcome | null;
}

export function HostKey({ target: { id, place }, may, csrf, outcome }: Props) {
  const href = pagePath('archive-target', id);
  const looked = outcome?.operation_id === 'lookAtArchiveTargetHostKeyForm' && outcome.problem === null;
  const seen = looked ? (outcome.result as Seen) : null;
  return (
    <section class="below" aria-labelledby="host-key">
      <h2 id="host-key">Host key</h2>
      <FactsList
        facts={[
          {
            label: 'Confirmed',
            value:
              place.host_key_sha256 === null ? (
                'None: no connection is made before one is confirmed'
              ) : (
                <code class="wrap">{place.host_key_sha256}</code>
              ),
          },
          ...(seen
            ? [
                { label: 'Shown now', value: <code class="wrap">{seen.host_key_sha256}</code> },
                { label: 'Kind of key', value: <code>{seen.algorithm}</code> },
              ]
            : []),
        ]}
      />
      {seen?.confirmed && <p>This host key is confirmed.</p>}
      {seen && !seen.confirmed && may && (
        <Form action={`${href}/confirm-host-key`} csrf={csrf} look="stack" label="Confirm the host key">
          <HiddenField name="host_key_sha256" value={seen.host_key_sha256} />
          <p>
            Compare it with the key on the machine itself:{' '}
            <code>ssh-keygen -l -f /etc/ssh/ssh_host_ed25519_key.pub</code>
          </p>
          <div class="actions">
            <Button kind="primary">It is the same: confirm it</Button>
          </div>
        </Form>
      )}
      {may && (
        <Form action={`${href}/look-at-host-key`} csrf={csrf} look="stack" label="Look at the host key">
          <div class="actions">
            <Button>Look at the host key</Button>
            <p class="muted">Connects, and ends the connection before a login.</p>
          </div>
        </Form>
      )}
    </section>
  );
}
