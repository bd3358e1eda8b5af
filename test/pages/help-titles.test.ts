// Topics of the help in the search: the titles are those of the texts, and words of them are found.
import { expect, test } from '@jest/globals';
import { SUBJECTS } from '../../pages/help/subjects.ts';
import { HELP_TITLES, helpFound, saysFrom } from '../../pages/help/titles.ts';

test('the titles are those of the subjects and their paragraphs', () => {
  const titles = SUBJECTS.flatMap(({ id, title, paragraphs }) => [
    [id, title],
    ...paragraphs.map((paragraph) => [`${id}#${paragraph.id}`, paragraph.title]),
  ]);
  expect(HELP_TITLES).toEqual(Object.fromEntries(titles));
});

test('a word of a title is found by its beginning, nothing by an empty text', () => {
  expect(saysFrom('Offline depot', 'dep')).toBe(true);
  expect(saysFrom('Offline depot', 'offline d')).toBe(true);
  expect(saysFrom('Offline depot', 'line')).toBe(false);
  expect(helpFound('  ', 10)).toEqual([]);
  expect(helpFound('audit l', 10).map(({ title }) => title)).toEqual(['Jobs and audit log', 'Audit log']);
});
