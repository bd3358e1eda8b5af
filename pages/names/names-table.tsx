// The names of a deployment: what each has or gets, and why.
import type { ComponentChildren } from 'preact';
import type { Preview, PreviewRow } from '../../shared/vcf/names/schemas.ts';
import { Note } from '../components/block.tsx';
import { Scroll } from '../components/scroll.tsx';
import { State } from '../components/state-word.tsx';

const STATES: Readonly<Record<PreviewRow['state'], (row: PreviewRow) => ComponentChildren>> = {
  planned: () => <State kind="pending">planned</State>,
  missing: () => <State kind="off">no address</State>,
  existing: ({ addresses }) =>
    addresses.every(({ generated }) => generated) ? (
      <State kind="ok">created</State>
    ) : (
      <State kind="off" icon="solid">
        existing
      </State>
    ),
  occupied: () => (
    <State kind="warn" icon="skip">
      skipped
    </State>
  ),
};

export function NamesTable({ preview: { rows, warnings, networks } }: { preview: Preview }) {
  return (
    <>
      {warnings.map((warning) => (
        <Note key={warning} icon="warn">
          {warning}
        </Note>
      ))}
      <Scroll class="scroll" label="Names and addresses">
        <table class="dense names">
          <caption class="vh">Names and addresses of the deployment</caption>
          <thead>
            <tr>
              <th scope="col">FQDN</th>
              <th scope="col">Component</th>
              <th scope="col">Address</th>
              <th scope="col">State</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>{rows.map((row) => line(row))}</tbody>
        </table>
      </Scroll>
      {networks.flatMap(({ family, node_ranges }) =>
        node_ranges.map(({ purpose, count, first, last }) => (
          <Note key={family + first}>
            Keep <code>{first}</code> to <code>{last}</code> free: {purpose} need {count} addresses in one piece and no
            names.
          </Note>
        )),
      )}
    </>
  );
}

function line(row: PreviewRow) {
  const { fqdn, label, addresses } = row;
  return (
    <tr key={fqdn}>
      <th scope="row">
        <code>{fqdn}</code>
      </th>
      <td>{label}</td>
      <td>
        {addresses.length === 0 && <span class="muted">none</span>}
        {addresses.map(({ address }) => (
          <code key={address} class="line">
            {address}
          </code>
        ))}
      </td>
      <td>{STATES[row.state](row)}</td>
      <td class="reason">
        <Reason row={row} />
      </td>
    </tr>
  );
}

/** Warnings first: they are what a person may want to act on. */
function Reason({ row: { state, reason, passed_over, warnings } }: { row: PreviewRow }) {
  const kept = state === 'existing' && reason !== 'generated' ? `kept: ${reason}` : state === 'occupied' ? reason : '';
  return (
    <>
      {warnings.map((warning) => (
        <span key={warning} class="line">
          <State kind="warn">{warning}</State>
        </span>
      ))}
      {passed_over.length > 0 && <span class="muted">passed over {passed_over.map(passedWords).join('; ')}</span>}
      {kept !== '' && <span class="muted">{kept}</span>}
    </>
  );
}

/** `.27: reserved, esx-07`, or `5,210 addresses from .27 on: used or reserved`. */
function passedWords({ address, count, reason }: PreviewRow['passed_over'][number]): string {
  const tail = address.replace(/^.*([.:])/, '$1');
  return count === 1 ? `${tail}: ${reason}` : `${count.toLocaleString('en')} from ${tail} on: ${reason}`;
}
