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
          ? 'Issuing it anew, which the appliance does by itself in the last third of its life, makes a new key. Whoever trusts the root does not notice; whoever pinned the certificate or its key refuses the new one.'
          : 'Issuing it anew is for the same key: whoever pinned the key does not notice, whoever pinned the certificate refuses the new one. The machine that has the key must be given it.'}
      </p>
      <Machines items={of.items} now={now} />
      <p class="muted">
        {purpose === ''
          ? 'Listed is what this appliance had trust the certificate itself. Whoever trusts it besides is not known here.'
          : 'Listed is what this appliance set up itself: certificate trust, and the depot of other machines. Whoever trusts it besides is not known here. The management pages serve with a certificate of their own, which is none of this authority’s.'}
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
        { key: 'holds', label: 'Was told', cell: ({ holds }) => WORDS[holds].what },
        { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
        {
          key: 'later',
          label: 'When it is issued anew',
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
        {next ? 'Told to trust the present root, and not the next' : 'Told to trust the present root'}
      </h2>
      <ul>
        {items.map(({ server }) => (
          <li key={server}>
            <code>{server}</code>
          </li>
        ))}
      </ul>
      <p class="muted">
        These refuse the services of the appliance once another root signs, until they trust that one. Listed is what
        this appliance told itself; whoever trusts the root besides is not known here.
      </p>
    </section>
  );
}
