// Search results: what can be done, pages, things, settings and topics of the help, grouped by kind, the best group first.

import * as v from 'valibot';
import type { FoundSetting } from '../../shared/appliance/overview/found-settings.ts';
import {
  type Found,
  findAnywhere,
  SEARCH_MAX_LENGTH,
  SOURCES,
  wordsOf,
} from '../../shared/appliance/overview/search.ts';
import { itemPath } from '../../shared/ground/page-paths.ts';
import { Button } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Icon } from '../components/icons.tsx';
import { helpFound } from '../help/titles.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { navigationFor, SEARCH_PATH } from '../layout/navigation.ts';
import { PageHead } from '../layout/shell.tsx';
import { actionsFor, namesIn } from './search-actions.ts';

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
  settings: FoundSetting[];
}

export const page = definePage({
  id: 'searchPage',
  path: SEARCH_PATH,
  access: { session: 'any' },
  query: v.object({ q: v.optional(v.pipe(v.string(), v.maxLength(SEARCH_MAX_LENGTH)), '') }),
  load: async ({ db, actor, query }): Promise<Search> => {
    const { findSettings } = await import('../../shared/appliance/overview/found-settings.ts');
    return {
      q: query.q.trim(),
      found: await findAnywhere(db, namesIn(query.q), actor.scopes, EACH),
      settings: findSettings(wordsOf(query.q), actor.scopes, EACH),
    };
  },
  title: ({ q }) => (q === '' ? 'Search' : `Search: ${q}`),
  view: SearchView,
});

/** How well a name answers: begins with the text, has a word that does, has it inside, or is found by another fact. */
function rankOf(name: string, q: string): number {
  const [said, wanted] = [name.toLowerCase(), q.toLowerCase()];
  if (said.startsWith(wanted)) return 0;
  if (said.includes(` ${wanted}`)) return 1;
  return said.includes(wanted) ? 2 : 3;
}

/** The best first, of each group and of the groups; equals keep their order. */
function ranked(results: readonly Result[], q: string): Map<string, Result[]> {
  const rank = ({ name }: Result): number => rankOf(name, q);
  const groups = [...Map.groupBy(results, ({ group }) => group)].map(([group, all]) => {
    const sorted = all.toSorted((one, other) => rank(one) - rank(other));
    return [group, sorted] as const;
  });
  return new Map(groups.toSorted(([, [one]], [, [other]]) => rank(one!) - rank(other!)));
}

function resultsOf({ q, found, settings }: Search, user: Parameters<typeof navigationFor>[0]): Result[] {
  const words = wordsOf(q);
  const actions = actionsFor(q, user, found).map(
    ({ label, href }): Result => ({ group: 'Actions', href, name: label, fact: '', mono: false }),
  );
  const pages = navigationFor(user, [])
    .filter(
      ({ label, group }) =>
        words.length > 0 && words.every((word) => `${label} ${group ?? ''}`.toLowerCase().includes(word)),
    )
    .map(({ href, label, group }): Result => ({ group: 'Pages', href, name: label, fact: group ?? '', mono: false }));
  const things = found.map(({ kind, id, name, fact }): Result => {
    const { label, page } = SOURCES.find((source) => source.kind === kind)!;
    return { group: label, href: itemPath(page, id), name, fact, mono: true };
  });
  const members = settings.map(
    ({ name, of, href }): Result => ({ group: 'Settings', href, name, fact: of, mono: false }),
  );
  const help = helpFound(q, EACH).map(
    ({ href, title }): Result => ({ group: 'Help', href, name: title, fact: '', mono: false }),
  );
  return [...actions, ...pages, ...things, ...members, ...help];
}

function SearchView({ data, state }: ViewProps<Search>) {
  const { q } = data;
  const groups = ranked(resultsOf(data, state.user), q);
  return (
    <>
      <PageHead title="Search" />
      <form class="tools" method="get" action={SEARCH_PATH}>
        <div class="search">
          <Icon name="search" />
          <label class="vh" for="q">
            A name, an address, a setting or what you want to do
          </label>
          <input
            id="q"
            name="q"
            type="search"
            value={q}
            placeholder="A name, an address, a setting or what you want to do"
          />
        </div>
        <Button>Search</Button>
      </form>
      <div>
        {groups.size === 0 && (
          <Empty>
            {q === ''
              ? 'Type a part of a name, an address, a setting, a page or a topic of the help, or what you want to do: add record.'
              : 'Nothing has this in its name.'}
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
