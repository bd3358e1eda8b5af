// The facts of an audit event in the log: what is shown in the row, and what is folded because it would make the row tall.
import { describe, expect, test } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { Detail, factsOf } from '../../pages/audit/detail.tsx';

const shown = (detail: Record<string, unknown>, name: string | null = null): string =>
  renderToString(<Detail detail={detail} name={name} />);
const summaryOf = (html: string): string | null => /<summary>([^<]*)<\/summary>/.exec(html)?.[1] ?? null;

describe('facts of an audit event', () => {
  test('a few short ones are in the row', () => {
    const html = shown({ type: 'A', value: '172.16.20.10', enabled: true });
    expect(summaryOf(html)).toBeNull();
    expect(html).toContain('<dt>enabled</dt><dd>yes</dd>');
  });

  test('more than four are folded, and whole below the fold', () => {
    const html = shown({ one: 1, two: 2, three: 3, four: 4, five: 5 });
    expect(summaryOf(html)).toBe('5 facts');
    expect(html.match(/<dt>/g)).toHaveLength(5);
  });

  test('one of more than 200 characters as it is spoken is folded, one of 200 is not', () => {
    expect(summaryOf(shown({ note: 'n'.repeat(200) }))).toBeNull();
    const long = shown({ note: 'n'.repeat(201), host: 'esx01' });
    expect(summaryOf(long)).toBe('2 facts');
    expect(long).toContain('n'.repeat(201));
    expect(summaryOf(shown({ note: 'n'.repeat(201) }))).toBe('1 fact');
  });

  test('the length is that of the words: of a list with its commas, of units with their names', () => {
    expect(summaryOf(shown({ names: Array.from({ length: 20 }, () => 'host0123') }))).toBeNull();
    expect(summaryOf(shown({ names: Array.from({ length: 21 }, () => 'host0123') }))).toBe('1 fact');
    // Fifteen letters each, and the two between them, where the id has three.
    expect(summaryOf(shown({ units: Array.from({ length: 20 }, () => 'kms') }))).toBe('1 fact');
  });

  test('ids and digests count for nothing, and neither does what the row says already', () => {
    const digest = 'f'.repeat(64);
    expect(summaryOf(shown({ plan_digest: digest, sha256: digest, note: 'short' }))).toBeNull();
    expect(factsOf({ plan_digest: digest, note: 'short' }).codes).toEqual([['plan_digest', digest]]);
    const name = 'n'.repeat(201);
    expect(shown({ name }, name)).toBe('');
  });
});
