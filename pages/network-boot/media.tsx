// The installer media by name: what each is, and whether hosts can install from it.
import * as v from 'valibot';
/** With what of its files is not there. */
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { PAGE_DEFAULT, type Page } from '../../shared/ground/store/pagination.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { type BootMedium, bootMedia } from '../../shared/services/network-boot/media.ts';
import { ButtonLink } from '../components/button.tsx';
import { byteWords } from '../components/byte-words.ts';
import { Empty } from '../components/empty.tsx';
import { Pagination } from '../components/pagination.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { itemHref } from '../units/item-pages.tsx';
import { OffNotice } from '../units/readiness.tsx';
import { RowWord, Unapplied } from '../units/row-words.tsx';
import { NETWORK_BOOT } from './host-pages.tsx';
import { lossOf, MEDIA, MediumState } from './medium-pages.tsx';

type Listed = BootMedium & { loss: string | null };

type Data = Page<Listed> & { readiness: Readiness };

export const page = definePage({
  id: 'bootMediaPage',
  path: MEDIA.href,
  current: NETWORK_BOOT.href,
  access: { session: 'read:pxe' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  async load({ db, query, services, standings }): Promise<Data> {
    const { items, next_cursor } = await listItems(db, bootMedia, { limit: PAGE_DEFAULT, cursor: query.cursor });
    const losses = await Promise.all(items.map((medium) => lossOf(services, medium)));
    const readiness = await readinessOf(services, 'network-boot', standings);
    return { readiness, items: items.map((medium, at) => ({ ...medium, loss: losses[at] ?? null })), next_cursor };
  },
  title: () => 'Installer media',
  refreshes: ({ items }) => items.some(({ state }) => state === 'unpacking'),
  view: Media,
});

function Media({ data: { readiness, items, next_cursor }, state }: ViewProps<Data>) {
  const writes = state.user.scopes.includes('write:pxe');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${MEDIA.href}/new`}>
      Add medium
    </ButtonLink>
  );
  return (
    <>
      <PageHead
        title="Installer media"
        trail={[NETWORK_BOOT]}
        intro="ESX installer images, unpacked on the appliance, from which hosts load their installer."
      >
        {items.length > 0 && add}
      </PageHead>
      <OffNotice of={readiness} filled={items.length > 0} state={state} />
      <Unapplied standings={state.standings} of="medium" />
      <div
        data-live="media"
        id="media"
        data-done={items.some(({ state: is }) => is === 'unpacking') ? undefined : 'true'}
      >
        <DataTable
          caption="Installer media by name"
          columns={[
            { key: 'name', label: 'Name', cell: ({ id, name }) => <a href={itemHref(MEDIA.href, id)}>{name}</a> },
            { key: 'product', label: 'Product', cell: ({ product }) => product },
            {
              key: 'ready',
              label: 'Image',
              look: 'nowrap',
              cell: ({ state: is, loss }) => <MediumState state={is} loss={loss} />,
            },
            { key: 'fault', label: 'Fault', cell: ({ fault, loss }) => fault || loss },
            { key: 'size', label: 'Size', look: 'number', cell: ({ size_bytes }) => byteWords(size_bytes) },
            {
              key: 'state',
              label: 'State',
              look: 'nowrap',
              cell: (row) => <RowWord standings={state.standings} of="medium" row={row} />,
            },
            {
              key: 'changed',
              label: 'Changed',
              look: 'nowrap',
              cell: ({ updated_at }) => <Instant at={updated_at} now={state.now} />,
            },
          ]}
          rows={items}
          rowKey={({ id }) => id}
          actions={({ id, name }) => (
            <ButtonLink kind="row" href={itemHref(MEDIA.href, id)} label={`${writes ? 'Edit' : 'Open'} ${name}`}>
              {writes ? 'Edit' : 'Open'}
            </ButtonLink>
          )}
          empty={<Empty action={add}>There is no installer medium yet. A host installs from one of them.</Empty>}
        />
      </div>
      <Pagination place={{ path: MEDIA.href, query: state.query }} nextCursor={next_cursor} />
    </>
  );
}
