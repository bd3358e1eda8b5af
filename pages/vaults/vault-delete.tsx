// Asks before a vault is deleted; one that keeps entries goes only when that was ticked.

import type { Blocker } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { PAGE_DEFAULT } from '../../shared/ground/store/pagination.ts';
import type { ProblemDocument } from '../../shared/kernel/operation/problem-document.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { listEntries } from '../../shared/platform/vaults/entry-store.ts';
import { type Vault, vaults } from '../../shared/platform/vaults/vault-store.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { CheckField, Form, FormActions } from '../components/form.tsx';
import { Refusal } from '../components/refusal.tsx';
import { definePage } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf, Refused, StaleForm, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { entriesOf, VAULTS, vaultHref } from './vault-words.tsx';

/** Keys that are named before they are counted. */
const NAMED = 12;

interface Data {
  vault: Vault;
  keys: string[];
  last: LastSave | null;
}

export const page = definePage({
  id: 'deleteVaultPage',
  path: `${VAULTS.href}/{vault_id}/delete`,
  current: VAULTS.href,
  access: { session: 'write:vaults' },
  params: idParam('vault_id', 'Id of the vault.'),
  async load({ db, params, outcome }): Promise<Data> {
    const vault = await findItem(db, vaults, params.vault_id);
    const { items } = await listEntries(db, vault.id, { limit: PAGE_DEFAULT });
    const last = await lastSaveOf(db, outcome, { type: 'vault', id: vault.id });
    return { vault, keys: items.map(({ key }) => key), last };
  },
  title: ({ vault }) => `Delete ${vault.name}`,
  view({ data: { vault, keys, last }, state, outcome }) {
    const { id, name, entry_count, revision } = vault;
    const typed = typedInto('deleteVaultForm', outcome);
    const problem = typed.outcome?.problem;
    const unticked = problem?.error_code === 'still_referenced' ? untickedOnly(problem, vault) : null;
    const shown = keys.slice(0, NAMED);
    const more = entry_count - shown.length;
    const others = keys.slice(NAMED);
    return (
      <>
        <PageHead
          trail={[VAULTS, { href: vaultHref(id), label: <code>{name}</code> }]}
          here="Delete"
          title={
            <>
              Delete <span class="mono">{name}</span>?
            </>
          }
        />
        {unticked ? <Refusal problem={unticked} title="Nothing was deleted" /> : <Refused typed={typed} labels={{}} />}
        <StaleForm typed={typed} name={name} revision={revision} last={last} saved={[]} now={state.now} />
        <p>
          {entry_count === 0
            ? 'The vault is empty.'
            : `The vault keeps ${entriesOf(entry_count)}. Their values are lost with it: nobody can bring them back.`}
        </p>
        {entry_count > 0 && (
          <FactsList
            facts={[
              {
                label: 'Keys',
                value: (
                  <>
                    <Codes items={shown} />
                    {more > 0 && (
                      <More summary={`and ${more} more`}>
                        <Codes items={others} />
                        {more > others.length && <a href={vaultHref(id)}>All entries of the vault</a>}
                      </More>
                    )}
                  </>
                ),
              },
            ]}
          />
        )}
        <Form action={`${vaultHref(id)}/delete`} csrf={state.csrf} revision={revision} label={`Delete ${name}`}>
          {entry_count > 0 && (
            <CheckField
              name="with_entries"
              group="Entries"
              label={`Delete ${entriesOf(entry_count)} as well`}
              checked={typed.checked('with_entries', false)}
              error={
                unticked && ownBlocker(problem, vault)
                  ? 'The vault still has entries: tick this to delete them.'
                  : undefined
              }
            />
          )}
          <FormActions>
            <Button kind="bad">Delete vault</Button>
            <ButtonLink href={vaultHref(id)}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});

const blockersOf = (problem: ProblemDocument | null | undefined): Blocker[] =>
  (problem?.blockers as Blocker[] | undefined) ?? [];
const ownBlocker = (problem: ProblemDocument | null | undefined, { id }: Vault): boolean =>
  blockersOf(problem).some(({ page }) => page === vaultHref(id));

/** Without the blocker whose way out is the box on this page. */
function untickedOnly(problem: ProblemDocument, vault: Vault): ProblemDocument {
  return { ...problem, blockers: blockersOf(problem).filter(({ page }) => page !== vaultHref(vault.id)) };
}
