// Asks before an entry is deleted.
import { findEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryParams } from '../../shared/platform/vaults/schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { entryHref, LastUsed, Source, Stored, Uris, VAULTS, vaultHref } from './vault-words.tsx';

export const page = definePage({
  id: 'deleteVaultEntryPage',
  path: `${VAULTS.href}/{vault_id}/entries/{entry_id}/delete`,
  current: VAULTS.href,
  access: { session: 'write:vaults' },
  params: entryParams,
  load: ({ db, params }) => findEntry(db, params.vault_id, params.entry_id),
  title: ({ entry }) => `Delete ${entry.key}`,
  view({ data: { entry, vault_name }, state, outcome }) {
    const { key, vault_id, username, uris, has_value, value_changed_at, last_used_at, revision } = entry;
    const href = entryHref(entry);
    const typed = typedInto('deleteVaultEntryForm', outcome);
    const facts = [
      { label: 'User name', value: username === '' ? <span class="muted">none</span> : <code>{username}</code> },
      { label: 'URIs', value: <Uris uris={uris} /> },
      { label: 'Source', value: <Source entry={entry} /> },
      { label: 'Value', value: <Stored changed_at={value_changed_at} now={state.now} /> },
      { label: 'Last used', value: <LastUsed at={last_used_at} now={state.now} /> },
    ];
    return (
      <>
        <PageHead
          trail={[
            VAULTS,
            { href: vaultHref(vault_id), label: <code>{vault_name}</code> },
            { href, label: <code>{key}</code> },
          ]}
          here="Delete"
          title={
            <>
              Delete <span class="mono">{key}</span>?
            </>
          }
        />
        <Refused typed={typed} labels={{}} />
        <StaleForm typed={typed} name={key} revision={revision} last={null} saved={[]} now={state.now} />
        <p>
          {has_value
            ? 'Its value is lost with it: nobody can bring it back. The machines that it opens stay as they are.'
            : 'It has no value that could be lost.'}
        </p>
        <FactsList facts={facts} />
        <Form action={`${href}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${key}`}>
          <FormActions>
            <Button kind="bad">Delete entry</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
