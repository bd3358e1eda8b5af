// Who used an entry, and what became of it: its events of the audit log, newest first.

import type { ComponentChildren } from 'preact';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { AuditView } from '../../shared/kernel/audit/list.ts';
import { actorWords } from '../../shared/kernel/audit/words.ts';
import { inWords } from '../audit/detail.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { List } from '../units/listing.tsx';
import { PURPOSE_WORDS } from './vault-words.tsx';

export function Uses({ events, entry_id, now }: { events: readonly AuditView[]; entry_id: string; now: string }) {
  const all = `${pagePath('audit-log')}?resource_id=${encodeURIComponent(entry_id)}`;
  return (
    <List title="Who used and changed it" action={<a href={all}>All in the audit log</a>}>
      <DataTable
        caption="Events of this entry, newest first"
        dense
        columns={[
          { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
          { key: 'what', label: 'What', cell: (event) => <What event={event} /> },
          { key: 'who', label: 'Who', cell: ({ actor }) => actorWords(actor) },
          {
            key: 'from',
            label: 'From',
            look: 'code',
            cell: ({ source_address }) => source_address || <span class="muted">the appliance</span>,
          },
        ]}
        rows={events}
        rowKey={({ seq }) => String(seq)}
        empty="Nothing is recorded for this entry."
      />
    </List>
  );
}

function What({ event }: { event: AuditView }) {
  const words = wordsOf(event);
  if (event.outcome === 'success') return <>{words}</>;
  return <State kind="bad">{words}</State>;
}

const IMPORTED: Record<string, string> = {
  created: 'Added from',
  rotated: 'New value from',
  unchanged: 'The same value at',
};

const WORDS: Record<string, (detail: Record<string, unknown>) => ComponentChildren> = {
  'vault.entry.create': ({ has_value }) => (has_value ? 'Added with a value' : 'Added without a value'),
  'vault.entry.update': ({ changed }) =>
    inWords(changed) === 'none' ? 'Saved without a change' : `Changed: ${inWords(changed)}`,
  'vault.entry.reveal': ({ refused, kek_id }) =>
    refused ? 'Not shown: wrong password' : kek_id ? 'Not shown: it can’t be opened' : PURPOSE_WORDS.reveal,
  'vault.entry.use': used,
  'vault.import': ({ server, imported }) => `${IMPORTED[String(imported)] ?? 'Imported from'} ${inWords(server)}`,
};

function used({ purpose, target, host, kek_id, handed_out }: Record<string, unknown>): string {
  const named = PURPOSE_WORDS[purpose as keyof typeof PURPOSE_WORDS] ?? inWords(purpose);
  const where = [target, host].find((each) => typeof each === 'string');
  const failed = kek_id ? 'Can’t be opened: ' : handed_out === false ? 'Opened, but not handed out: ' : '';
  return `${failed}${named}${where === undefined ? '' : `, ${where}`}`;
}

function wordsOf({ action, detail }: AuditView): ComponentChildren {
  return WORDS[action]?.(detail) ?? <code>{action}</code>;
}
