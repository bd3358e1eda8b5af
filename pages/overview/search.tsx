// Search results: pages, things that begin with what was typed, and topics of the help, grouped by kind.

import * as v from 'valibot';
import { type Found, findByPrefix, SEARCH_MAX_LENGTH, SOURCES } from '../../shared/appliance/overview/search.ts';
import { itemPath } from '../../shared/ground/page-paths.ts';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Icon } from '../components/icons.tsx';
import { helpFound, saysFrom } from '../help/titles.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { navigationFor, SEARCH_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';

/** Results of each kind; a longer text finds fewer. */
const EACH = 10;

interface Result {
  group: string;
  href: string;
  name: string;
  fact: string;
  mono: boolean;
}

interface Search {
  q: string;
  found: Found[];
}

export const page = definePage({
  id: 'searchPage',
  path: SEARCH_PATH,
  access: { session: 'any' },
  query: v.object({ q: v.optional(v.pipe(v.string(), v.maxLength(SEARCH_MAX_LENGTH)), '') }),
  load: async ({ db, actor, query }): Promise<Search> => ({
    q: query.q.trim(),
    found: await findByPrefix(db, query.q, actor.scopes, EACH),
  }),
  title: ({ q }) => (q === '' ? 'Search' : `Search: ${q}`),
  view: SearchView,
});

function SearchView({ data: { q, found }, state }: ViewProps<Search>) {
  const pages: Result[] = navigationFor(state.user, [])
    .filter(({ label }) => saysFrom(label, q))
    .map(({ href, label, group }) => ({ group: 'Pages', href, name: label, fact: group ?? '', mono: false }));
  const things = found.map(({ kind, id, name, fact }): Result => {
    const { label, page } = SOURCES.find((source) => source.kind === kind)!;
    return { group: label, href: itemPath(page, id), name, fact, mono: true };
  });
  const help = helpFound(q, EACH).map(
    ({ href, title }): Result => ({ group: 'Help', href, name: title, fact: '', mono: false }),
  );
  const groups = Map.groupBy([...pages, ...things, ...help], ({ group }) => group);
  return (
    <>
      <PageHead title="Search" />
      <form class="tools" method="get" action={SEARCH_PATH}>
        <div class="search">
          <Icon name="search" />
          <label class="vh" for="q">
            Beginning of a name, address or id
          </label>
          <input id="q" name="q" type="search" value={q} placeholder="Beginning of a name, address or id" />
        </div>
        <Button>Search</Button>
      </form>
      <div>
        {groups.size === 0 && (
          <Empty>
            {q === ''
              ? 'Type the beginning of a page, an interface, a name, an address, a job’s id or a topic of the help.'
              : 'Nothing begins with this.'}
          </Empty>
        )}
        {[...groups].map(([group, results]) => (
          <section key={group} class="found" aria-labelledby={idOf(group)}>
            <h2 id={idOf(group)}>{group}</h2>
            <ul>
              {results.map(({ href, name, fact, mono }) => (
                <li key={href}>
                  <a href={href} data-result>
                    {mono ? <code>{name}</code> : name} <span class="muted">{fact}</span>
                  </a>
                </li>
              ))}
            </ul>
            {results.length === EACH && <p class="muted">The first {EACH}; type more to find others.</p>}
          </section>
        ))}
      </div>
    </>
  );
}

const idOf = (group: string): string => `found-${group.toLowerCase().replaceAll(' ', '-')}`;
