// All keys.
import * as v from 'valibot';
import { instant } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { type KeyView, listKeys } from '../../shared/services/kms/keys/administration.ts';
import { Pagination } from '../components/pagination.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { KeysTable } from './keys-table.tsx';
import { KMS } from './kms-words.tsx';

const PATH = pagePath('kms-keys');
const OF_A_PAGE = 50;

interface Data {
  page: Page<KeyView>;
}

export const page = definePage({
  id: 'kmsKeysPage',
  path: PATH,
  current: KMS.href,
  access: { session: 'read:kms' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  async load({ db, query: { cursor }, now }): Promise<Data> {
    return {
      page: await listKeys(db, { cursor, limit: OF_A_PAGE }, instant(now)),
    };
  },
  title: () => 'Keys',
  view({ data: { page: found }, state }) {
    return (
      <>
        <PageHead
          title="Keys"
          trail={[KMS]}
          intro="Keys of the clients, their state, and when each was last given out. Key material is never shown."
        />
        <KeysTable keys={found.items} now={state.now} />
        <Pagination place={{ path: PATH, query: state.query }} nextCursor={found.next_cursor} />
      </>
    );
  },
});
