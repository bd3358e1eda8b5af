// One entry: changing it, a new value for it, revealing the stored one, and who used it.
import type { AuditView } from '../../shared/kernel/audit/list.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { findEntry, type SavedEntry, type VaultEntry } from '../../shared/platform/vaults/entry-store.ts';
import { entryEvents } from '../../shared/platform/vaults/overview.ts';
import { entryParams } from '../../shared/platform/vaults/schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { Copyable } from '../components/copyable.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { editedFrom, type LastSave, Refused, StaleForm } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { ENTRY_LABELS, EntryFields, savedEntry, typedEntry } from './entry-fields.tsx';
import { RevealPlace } from './reveal-place.tsx';
import { Uses } from './uses.tsx';
import { entryHref, LastUsed, Source, Stored, VAULTS, vaultHref } from './vault-words.tsx';

/** Events on the page; the rest is in the audit log. */
const EVENTS = 20;

interface Data extends SavedEntry {
  events: AuditView[];
}

export const page = definePage({
  id: 'vaultEntryPage',
  path: `${VAULTS.href}/{vault_id}/entries/{entry_id}`,
  current: VAULTS.href,
  access: { session: 'read:vaults' },
  params: entryParams,
  async load({ db, params }): Promise<Data> {
    const saved = await findEntry(db, params.vault_id, params.entry_id);
    return { ...saved, events: await entryEvents(db, saved.entry, EVENTS) };
  },
  title: ({ entry }) => entry.key,
  view: EntryView,
});

function EntryView({ data: { entry, vault_name, events }, state, outcome }: ViewProps<Data>) {
  const { key, vault_id, revision } = entry;
  const href = entryHref(entry);
  const typed = typedEntry('updateVaultEntryForm', outcome);
  return (
    <>
      <PageHead
        title={<span class="mono">{key}</span>}
        trail={[VAULTS, { href: vaultHref(vault_id), label: <code>{vault_name}</code> }]}
        here={<code>{key}</code>}
      >
        <ButtonLink href={`${href}/delete`}>Delete entry</ButtonLink>
      </PageHead>
      <Refused typed={typed} labels={ENTRY_LABELS} />
      <StaleForm
        typed={typed}
        name={key}
        revision={revision}
        last={lastSave(events, outcome)}
        saved={savedEntry(entry)}
        now={state.now}
      />
      <Value entry={entry} state={state} outcome={outcome} />
      <div class="with-facts">
        <aside aria-label="As saved" data-live="facts" data-done="true">
          <Facts facts={factsOf(entry, vault_name, state.now)} />
        </aside>
        <Form action={href} csrf={state.csrf} {...editedFrom(typed, revision, savedEntry(entry))} label={`Edit ${key}`}>
          <EntryFields vault={vault_name} saved={entry} typed={typed} />
          <FormActions note="Takes effect immediately.">
            <Button kind="primary">Save entry</Button>
            <ButtonLink href={vaultHref(vault_id)}>Cancel</ButtonLink>
          </FormActions>
        </Form>
      </div>
      <div data-live="uses" data-done="true">
        <Uses events={events} entry_id={entry.id} now={state.now} />
      </div>
    </>
  );
}

interface ValueProps {
  entry: VaultEntry;
  state: ShellState;
  outcome: FormOutcome | null;
}

/** The stored value behind the question for the own password. */
function Value({ entry, state, outcome }: ValueProps) {
  return (
    <section class="value" aria-label="Stored value">
      <p>
        <Stored changed_at={entry.value_changed_at} now={state.now} />
      </p>
      {entry.has_value && (
        <More summary="Reveal…">
          <RevealPlace entry={entry} csrf={state.csrf} outcome={outcome} />
        </More>
      )}
    </section>
  );
}

function factsOf(entry: VaultEntry, vault: string, now: string): Fact[] {
  const { key, username, imported_at, last_used_at, created_at, updated_at, revision } = entry;
  return [
    { label: 'Last used', value: <LastUsed at={last_used_at} now={now} /> },
    ...(username === '' ? [] : [{ label: 'User name', value: <Copyable id="saved-username" text={username} /> }]),
    { label: 'In a Kickstart', value: <Copyable id="marker" text={`{{ vault.${vault}.${key} }}`} /> },
    { label: 'Source', value: <Source entry={entry} /> },
    ...(imported_at === null ? [] : [{ label: 'Imported', value: <Instant at={imported_at} now={now} /> }]),
    {
      label: 'Last saved',
      value: (
        <>
          <Instant at={updated_at} now={now} />, revision {revision}
        </>
      ),
    },
    { label: 'Added', value: <Instant at={created_at} now={now} /> },
  ];
}

const USES: readonly string[] = ['vault.entry.use', 'vault.entry.reveal'];

/** Uses are events of the entry as well, and change none of what is saved. */
function lastSave(events: readonly AuditView[], outcome: FormOutcome | null): LastSave | null {
  if (outcome?.problem?.status !== 412) return null;
  const save = events.find(({ action }) => !USES.includes(action));
  return save ? { by: save.actor.name, at: save.at } : null;
}
