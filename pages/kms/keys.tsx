// All keys.
import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { KEY_SORTS, type KeyView, keyFilter, listKeys } from '../../shared/services/kms/keys/administration.ts';
import { KEY_STATES } from '../../shared/services/kms/schemas.ts';
import { definePage } from '../layout/define-page.tsx';
import { type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { keyColumns, NoKeys } from './keys-table.tsx';
import { KMS, keyWord } from './kms-words.tsx';

const PATH = pagePath('kms-keys');
const OF_A_PAGE = 50;

interface Data extends ListedRows<KeyView> {
  chosen: string;
}

export const page = definePage({
  id: 'kmsKeysPage',
  path: PATH,
  current: KMS.href,
  access: { session: 'read:kms' },
  query: v.object(ROW_QUERY),
  async load({ db, query, now }): Promise<Data> {
    const filter = keyFilter(query);
    const found = await listKeys(db, { ...filter, cursor: query.cursor, limit: OF_A_PAGE }, instant(now));
    return { items: found.items, next: found.next_cursor, at: placeText(query), chosen: filter.state ?? '' };
  },
  title: () => 'Keys',
  view: ({ data, state }) => (
    <ListPage
      head={{
        title: 'Keys',
        trail: [KMS],
        intro: 'Keys of the clients, their state, and when each was last given out. Key material is never shown.',
      }}
      of="key"
      listed={data}
      outcome={null}
      csrf={state.csrf}
      href={PATH}
      csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'state'] }}
      caption="Keys, the newest first unless sorted"
      searchLabel="Key, client or address"
      columns={keyColumns(state.now)}
      sorts={KEY_SORTS}
      own={{ key: 'created_at', descending: true }}
      selects={[
        {
          name: 'state',
          label: 'State',
          any: 'Any state',
          value: data.chosen,
          options: KEY_STATES.map((value) => ({ value, label: keyWord(value) })),
        },
      ]}
      empty={<NoKeys />}
    />
  ),
});
