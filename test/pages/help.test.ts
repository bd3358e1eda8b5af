// The help: every page leads to its paragraph, every link arrives, and what it lists is what the program knows.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { HELP_OF, HELP_PATH, helpOf } from '../../pages/help/links.ts';
import { WORDS } from '../../pages/help/subjects/glossary.tsx';
import { VARIABLES } from '../../pages/help/subjects/settings.tsx';
import { SUBJECTS } from '../../pages/help/subjects.ts';
import { NAVIGATION } from '../../pages/layout/navigation.ts';
import { readConfig } from '../../runtime/config.ts';
import { operations } from '../../runtime/generated/operations.ts';
import { pages } from '../../runtime/generated/pages.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { type Credentials, House } from '../setup/house.ts';

const ROOT = pagePath('overview');
/** Pages in the shell. */
const shown = pages.map(({ spec }) => spec).filter(({ access }) => typeof access === 'object');
const paths = shown.map(({ path }) => path).filter((path) => path.startsWith(ROOT));
const places = new Set(SUBJECTS.flatMap(({ id, paragraphs }) => [id, ...paragraphs.map((one) => `${id}#${one.id}`)]));
const placeOf = (href: string): string => href.slice(HELP_PATH.length + 1);

describe('from a page', () => {
  test.each(paths)('%s leads to a paragraph that is there', (path) => {
    const help = helpOf(path);
    if (path.startsWith(HELP_PATH)) expect(help).toBe(HELP_PATH);
    else {
      expect(help).toContain('#');
      expect(places).toContain(placeOf(help!));
    }
  });

  test('every entry of the navigation has a paragraph of its own choice', () => {
    const chosen = [ROOT, ...Object.keys(HELP_OF).map((path) => ROOT + path)];
    expect(NAVIGATION.map(({ href }) => href).filter((href) => !chosen.includes(href))).toEqual([]);
  });

  test('no line is of a page that is gone', () => {
    const of = (path: string) => paths.some((known) => known === ROOT + path || known.startsWith(`${ROOT}${path}/`));
    expect(Object.keys(HELP_OF).filter((path) => !of(path))).toEqual([]);
  });

  test('a path that begins like another one is not taken for it', () => {
    expect(helpOf(`${ROOT}/dnssec`)).toBeNull();
    expect(helpOf(`${ROOT}/vaults/{vault_id}/edit`)).toBe(`${HELP_PATH}/vaults#values`);
    expect(helpOf(`${ROOT}/vaults/key`)).toBe(`${HELP_PATH}/vaults#key`);
  });
});

describe.each(SUBJECTS)('$id', ({ paragraphs }) => {
  const html = renderToString(h('div', null, ...paragraphs.map(({ text }) => text)));

  test('has paragraphs with names of their own, and says something in each', () => {
    expect(new Set(paragraphs.map(({ id }) => id)).size).toBe(paragraphs.length);
    for (const { text } of paragraphs)
      expect(renderToString(h('div', null, text)).replace(/<[^>]*>/g, '').length).toBeGreaterThan(60);
  });

  test('every link arrives', () => {
    const known = [...operations, ...pages].map(({ spec }) => spec.path);
    for (const [, href = ''] of html.matchAll(/ href="([^"]*)"/g)) {
      if (href.startsWith(`${HELP_PATH}/`)) expect(places).toContain(placeOf(href));
      else expect(known).toContain(href);
    }
  });

  test('every operation that it names is there', () => {
    const known = operations.map(({ spec }) => `${spec.method} ${spec.path}`);
    const text = html.replace(/<[^>]*>/g, '');
    for (const [said] of text.matchAll(/\b(?:GET|POST|PATCH|DELETE) \/api\/v1\/[\w/{}-]+/g)) {
      expect(known).toContain(said);
    }
  });
});

test('the settings are those that the start knows', () => {
  const listed = VARIABLES.flatMap(([names]) => names);
  const known = () => readConfig({ GROUNDCREW_NO_SUCH: '1' });
  let told = '';
  try {
    known();
  } catch (error) {
    told = (error as Error).message.split('Known: ')[1] ?? '';
  }
  expect([...listed].sort()).toEqual(told.replace(/\.$/, '').split(', ').sort());
});

test('the glossary has its words in the order of the alphabet, each once', () => {
  const words = WORDS.map(([, word]) => word);
  expect(words).toEqual([...new Set(words)].sort());
  for (const word of ['Desired state', 'Baseline', 'Drift', 'Impact', 'Plan', 'Confirm window', 'Owner', 'Unit']) {
    expect(words).toContain(word);
  }
});

describe('as pages', () => {
  let house: House;
  let viewer: Credentials;
  beforeAll(async () => {
    house = await House.open();
    viewer = await house.actor('viewer');
  });
  afterAll(() => house.close());

  const ask = (path: string) => house.send('GET', path, { session: viewer });

  test('the contents name every subject and paragraph, for every role', async () => {
    const { status, text } = await ask(HELP_PATH);
    expect(status).toBe(200);
    for (const place of places) expect(text).toContain(`href="${HELP_PATH}/${place}"`);
  });

  test.each(SUBJECTS)('$id', async ({ id, paragraphs }) => {
    const { status, text } = await ask(`${HELP_PATH}/${id}`);
    expect(status).toBe(200);
    for (const paragraph of paragraphs) expect(text).toContain(`<h2 id="${paragraph.id}">`);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, each]) => each!);
    expect(ids).toEqual([...new Set(ids)]);
    for (const tag of text.match(/<[a-z](?:[^>"]|"[^"]*")*>/g) ?? []) {
      expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/ (style|on[a-z]+)=/);
    }
  });

  test('a subject that is not there is not found', async () => {
    expect((await ask(`${HELP_PATH}/nonsense`)).status).toBe(404);
  });

  test('a page links to its paragraph', async () => {
    const { text } = await ask(`${ROOT}/interfaces`);
    expect(text).toContain(`href="${HELP_PATH}/network#interfaces"`);
  });
});
