// The mutants of a source: which there are, that none of them is in what can't be run, and that each does what it says.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { CORES } from '../../build/mutation/cores.ts';
import { type Mutant, mutate } from '../../build/mutation/mutants.ts';
import { ROOT } from '../../build/source-tree.ts';

const changesOf = (source: string): string[] =>
  mutate('a.ts', source, 1).mutants.map(({ from, to }) => `${from} → ${to}`);

test.each(CORES)('the files and tests of $name are there', ({ files, tests }) => {
  expect([...files, ...tests].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

describe('mutants of', () => {
  test.each<[string, string, string[]]>([
    ['a comparison', 'f(a < b);', ['f(a < b); → (left out)', 'a < b → a <= b', 'a < b → a >= b']],
    ['an equality', 'const x = a !== b;', ['a !== b → a === b']],
    ['and, or', 'const x = a && b;', ['a && b → (a) || (b)', 'a && b → a', 'a && b → b']],
    ['what stands for nothing', 'const x = a ?? b;', ['a ?? b → a', 'a ?? b → b']],
    ['a negation', 'const x = !a;', ['!a → a']],
    ['a guard', 'if (a) b();', ['a → true', 'a → false', 'b(); → (left out)']],
    ['a choice', 'const x = a ? b : c;', ['a → true', 'a → false']],
    ['a sum', 'const x = a + b;', ['a + b → a - b']],
    ['a text put together', "const x = a + 'b';", ["'b' → ''"]],
    ['a list', 'const x = [a];', ['[a] → []']],
    ['a function', 'function f() { return a; }', ['{ return a; } → (empty)']],
    ['a short function', 'const f = () => a;', ['a → undefined']],
    ['a method with an opposite', 'const x = a?.some(b);', ['a?.some(b) → .every']],
    ['a call that can be left out', 'const x = a.filter(b);', ['a.filter(b) → a']],
  ])('%s', (_what, source, changes) => expect(changesOf(source)).toEqual(changes));

  test('nothing are in comments, types, imports, names of members and regular expressions', () => {
    const source = `import { a } from './a.ts';
      // a < b && 'c'
      type T = 'one' | 'two';
      interface I { 'a-b': true; c?: ['d'] }
      const x: 'e' = y as 'f';
      const z = { 'g-h': x, i: /a && b < 'c'/ };
      export * from './b.ts';
      declare const k: T | I;`;
    expect(changesOf(source)).toEqual([]);
  });
});

describe('the text with all mutants', () => {
  const SOURCE = `const kept = [];
    const least = 3;
    function f(list, word) {
      if (word === 'stop') return list.length + 'stopped';
      kept.push(word);
      const found = list.filter((each) => each >= least && !(each > 5));
      return \`\${word}\${found.length}\${found.some((each) => each === 4) ? '!' : ''}\${kept.length}\`;
    }
    const ask = () => f([1, 3, 4, 6], 'go') + f([3], 'stop') + f([3, 3], 'go') + f([5, 6], '');`;

  function answer(on: number): unknown {
    const { text } = mutate('a.ts', SOURCE, 1);
    try {
      return runInContext(`${text}; ask()`, createContext({ mutant: (id: number) => id === on }));
    } catch (error) {
      return String(error);
    }
  }

  test('means what the source means while none is on', () => {
    expect(answer(0)).toBe(runInContext(`${SOURCE}; ask()`, createContext({})));
  });

  const { mutants } = mutate('a.ts', SOURCE, 1);
  test.each(mutants.map((mutant): [string, Mutant] => [`${mutant.from} → ${mutant.to}`, mutant]))(
    'changes with %s',
    (_name, { id }) => {
      expect(answer(id)).not.toBe(answer(0));
    },
  );
});

test('the files and tests of each core are there, and their mutants are numbered through', () => {
  expect(CORES.map(({ name }) => name)).toEqual(['refresh', 'allocation', 'authorize', 'access', 'window']);
  const { mutants } = mutate('a.ts', 'f(a < b);', 7);
  expect(mutants.map(({ id, line }) => [id, line])).toEqual([7, 8, 9].map((id) => [id, 1]));
});
