// The vaults: what each is for, how many credentials it keeps, and when one of them was last used.
import {
  keyUse,
  type LostValues,
  listVaultLines,
  lostValues,
  VAULTS_MOST,
  type VaultLine,
} from '../../shared/platform/vaults/overview.ts';
import { Block, Note } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KEY_PAGE, LastUsed, sealedOf, VAULTS, vaultHref } from './vault-words.tsx';

interface Data {
  vaults: VaultLine[];
  lost: LostValues | null;
}

export const page = definePage({
  id: 'vaultsPage',
  path: VAULTS.href,
  access: { session: 'read:vaults' },
  async load({ db, services }): Promise<Data> {
    const { keys } = await keyUse(db, services.keyring);
    return { vaults: await listVaultLines(db), lost: lostValues(keys) };
  },
  title: () => 'Vaults',
  view: VaultsView,
});

function VaultsView({ data: { vaults, lost }, state }: ViewProps<Data>) {
  const add = (
    <ButtonLink kind="primary" icon="plus" href={`${VAULTS.href}/new`}>
      Add vault
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Vaults"
        intro="Credentials of other machines, for administrators. Each use of a value is in the audit log."
      >
        {vaults.length > 0 && add}
        <ButtonLink href={KEY_PAGE}>Encryption key</ButtonLink>
        <ButtonLink href={`${VAULTS.href}/import`}>Import passwords</ButtonLink>
      </PageHead>
      {lost && (
        <Block
          title={`${sealedOf(lost)} can’t be opened`}
          actions={<ButtonLink href={KEY_PAGE}>See what is missing</ButtonLink>}
        >
          Values are sealed under a key that the file vault.keys does not have.
        </Block>
      )}
      <DataTable
        caption="Vaults by name"
        columns={[
          { key: 'name', label: 'Vault', look: 'code', cell: ({ id, name }) => <a href={vaultHref(id)}>{name}</a> },
          { key: 'description', label: 'Description', cell: ({ description }) => description },
          { key: 'entries', label: 'Entries', look: 'number', cell: ({ entry_count }) => entry_count },
          { key: 'values', label: 'Values', look: 'nowrap', cell: (vault) => <Values vault={vault} /> },
          {
            key: 'used',
            label: 'Last used',
            look: 'nowrap',
            cell: ({ last_used_at }) => <LastUsed at={last_used_at} now={state.now} />,
          },
          {
            key: 'created',
            label: 'Created',
            look: 'nowrap',
            cell: ({ created_at, created_by }) => (
              <>
                <Instant at={created_at} now={state.now} /> <span class="muted">by {created_by}</span>
              </>
            ),
          },
        ]}
        rows={vaults}
        rowKey={({ id }) => id}
        actions={({ id, name }) => (
          <ButtonLink kind="row" href={vaultHref(id)} label={`Open ${name}`}>
            Open
          </ButtonLink>
        )}
        empty={
          <Empty action={add}>
            There is no vault yet. One keeps user names, addresses and passwords together, sealed on the disk; logins at
            remote machines and Kickstarts take them from it.
          </Empty>
        }
      />
      {vaults.length === VAULTS_MOST && <Note>The first {VAULTS_MOST} vaults by name are shown.</Note>}
    </>
  );
}

function Values({ vault: { entry_count, without_value } }: { vault: VaultLine }) {
  if (entry_count === 0) return <span class="muted">none</span>;
  if (without_value === 0) return <State kind="ok">All stored</State>;
  return <State kind="warn">{without_value} without a value</State>;
}
