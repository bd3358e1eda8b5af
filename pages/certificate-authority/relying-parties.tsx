// Who relies on a certificate, and what becomes of each when it is issued anew.
import type { Holds, Reliance, RelyingParty } from '../../shared/platform/certificate-authority/relying-parties.ts';
import { State, type StateKind } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';

const WORDS: Record<Holds, { what: string; kind: StateKind; later: string }> = {
  this_certificate: { what: 'This very certificate', kind: 'bad', later: 'Refuses the new one until it trusts that' },
  root: { what: 'The root certificate', kind: 'ok', later: 'Goes on, while the root is the same' },
  address: { what: 'The address of the depot', kind: 'warn', later: 'Goes on if it trusts the root: not known here' },
};

/** `purpose`: empty for a certificate whose key is elsewhere. */
export function RelyingParties({ of, purpose, now }: { of: Reliance; purpose: string; now: string }) {
  return (
    <section class="below" aria-labelledby="relying">
      <h2 id="relying">Who relies on it</h2>
      <p>
        {of.renewed_with === 'new_key'
          ? 'The appliance reissues it in the last third of its life, with a new key. Machines that trust the root do not notice; machines that pinned the certificate or its key refuse the new one.'
          : 'Reissuing keeps the key: machines that pinned the key do not notice, machines that pinned the certificate refuse the new one. Install the new certificate where the key is.'}
      </p>
      <Machines items={of.items} now={now} />
      <p class="muted">
        {purpose === ''
          ? 'The list holds the machines that this appliance configured. Others that trust the certificate are not known here.'
          : 'The list holds what this appliance configured: certificate trust, and the depot of other machines. Others that trust the certificate are not known here. The management pages have their own certificate, from another source.'}
      </p>
    </section>
  );
}

function Machines({ items, now }: { items: readonly RelyingParty[]; now: string }) {
  return (
    <DataTable
      caption="Machines that are known to rely on it"
      columns={[
        { key: 'server', label: 'Machine', cell: ({ server }) => <code>{server}</code> },
        { key: 'holds', label: 'Trusts', cell: ({ holds }) => WORDS[holds].what },
        { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
        {
          key: 'later',
          label: 'When it is reissued',
          cell: ({ holds }) => <State kind={WORDS[holds].kind}>{WORDS[holds].later}</State>,
        },
      ]}
      rows={items}
      rowKey={({ server }) => server}
      empty="No machine is known to rely on it."
    />
  );
}

/** Before another root takes over: who was told to trust the present one alone. */
export function TrustPresentOnly({ items, next }: { items: readonly RelyingParty[]; next: boolean }) {
  if (items.length === 0) return null;
  return (
    <section class="below" aria-labelledby="present-only">
      <h2 id="present-only">
        {next ? 'Machines that trust the present root, and not the next' : 'Machines that trust the present root'}
      </h2>
      <ul>
        {items.map(({ server }) => (
          <li key={server}>
            <code>{server}</code>
          </li>
        ))}
      </ul>
      <p class="muted">
        They refuse the services of the appliance once another root signs, until they trust that one. The list holds
        what this appliance configured; others that trust the root are not known here.
      </p>
    </section>
  );
}
