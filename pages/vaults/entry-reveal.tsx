// Revealing the value of an entry: a page of its own, for a browser without script and for what was refused.
import { findEntry, type SavedEntry } from '../../shared/platform/vaults/entry-store.ts';
import { REVEAL_SECONDS } from '../../shared/platform/vaults/form-fields.ts';
import { entryParams } from '../../shared/platform/vaults/schemas.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FactsList } from '../components/facts.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { RevealPlace, revealedIn } from './reveal-place.tsx';
import { entryHref, Stored, Uris, VAULTS, vaultHref } from './vault-words.tsx';

export const page = definePage({
  id: 'revealVaultEntryPage',
  path: `${VAULTS.href}/{vault_id}/entries/{entry_id}/reveal`,
  current: VAULTS.href,
  access: { session: 'read:vaults' },
  params: entryParams,
  load: ({ db, params }) => findEntry(db, params.vault_id, params.entry_id),
  title: ({ entry }) => `Reveal ${entry.key}`,
  headers: ({ data: { entry }, outcome }): Record<string, string> =>
    revealedIn(outcome) === null ? {} : { refresh: `${REVEAL_SECONDS}; url=${entryHref(entry)}` },
  view: EntryReveal,
});

function EntryReveal({ data: { entry, vault_name }, state, outcome }: ViewProps<SavedEntry>) {
  const { key, vault_id, username, uris, has_value, value_changed_at } = entry;
  const href = entryHref(entry);
  const facts = [
    { label: 'User name', value: username === '' ? <span class="muted">none</span> : <code>{username}</code> },
    { label: 'URIs', value: <Uris uris={uris} /> },
    { label: 'Value', value: <Stored changed_at={value_changed_at} now={state.now} /> },
  ];
  return (
    <>
      <PageHead
        title={
          <>
            Reveal <span class="mono">{key}</span>
          </>
        }
        trail={[
          VAULTS,
          { href: vaultHref(vault_id), label: <code>{vault_name}</code> },
          { href, label: <code>{key}</code> },
        ]}
        here="Reveal"
      />
      <FactsList facts={facts} />
      {has_value ? (
        <RevealPlace entry={entry} csrf={state.csrf} outcome={outcome} alone />
      ) : (
        <Empty action={<ButtonLink href={href}>Store a value</ButtonLink>}>This entry has no value.</Empty>
      )}
    </>
  );
}
