// What an installer would see: every saved address, as the applied name service answers for it now.
import { dialogHref, type Inputs } from '../../shared/vcf/names/dialog-address.ts';
import type { Check } from '../../shared/vcf/names/schemas.ts';
import { Note } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';

type Row = Check['rows'][number];

export function CheckTable({ checked, inputs }: { checked: Check; inputs: Inputs }) {
  const { server, why_not, rows, missing, in_use, in_use_asked } = checked;
  return (
    <section aria-labelledby="check-title">
      <div class="fighead">
        <h3 id="check-title">{titleOf(checked)}</h3>
        <ButtonLink href={dialogHref(inputs)}>Back to the names</ButtonLink>
      </div>
      {why_not !== '' && <Note>{why_not}</Note>}
      {rows.length > 0 && (
        <DataTable
          caption={`What ${server} answers`}
          dense
          columns={[
            { key: 'fqdn', label: 'FQDN', look: 'code', cell: ({ fqdn }) => fqdn },
            { key: 'address', label: 'Saved', look: 'code', cell: ({ address }) => address },
            { key: 'forward', label: 'Forward', look: 'code', cell: ({ forward }) => answersOf(forward) },
            { key: 'reverse', label: 'Reverse', look: 'code', cell: ({ reverse }) => answersOf(reverse) },
            { key: 'verdict', label: 'Installer', cell: verdict },
          ]}
          rows={rows}
          rowKey={({ fqdn, address }) => `${fqdn} ${address}`}
          empty=""
        />
      )}
      {missing.length > 0 && (
        <Note icon="warn">
          {missing.length === 1 ? '1 name has' : `${missing.length} names have`} no saved address, and an installer
          would not find {missing.length === 1 ? 'it' : 'them'}.
        </Note>
      )}
      {in_use.map(({ address, fqdn, said }) => (
        <Note key={address} icon="warn">
          <code>{address}</code>, planned for {fqdn}: {said}.
        </Note>
      ))}
      {in_use_asked > 0 && in_use.length === 0 && (
        <Note icon="check">Nothing answers at the {in_use_asked} planned addresses.</Note>
      )}
    </section>
  );
}

function titleOf({ server, rows, passed, why_not }: Check): string {
  if (why_not !== '') return 'What an installer would see';
  const good = rows.filter(({ fault }) => fault === '').length;
  if (passed) return `An installer finds all ${rows.length} addresses, forward and reverse (asked at ${server})`;
  return `An installer finds ${good} of ${rows.length} saved addresses, forward and reverse (asked at ${server})`;
}

const answersOf = ({ rcode, answers, error }: Row['forward']): string =>
  error ?? (answers.length > 0 ? answers.join(', ') : (rcode ?? ''));

const verdict = ({ fault }: Row) => (fault === '' ? <State kind="ok">found</State> : <State kind="bad">{fault}</State>);
