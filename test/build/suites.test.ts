// Which suite a test file belongs to.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow } from '../../build/source-tree.ts';
import { named, SUITES, suiteOf } from '../../build/suites.ts';

describe('a suite', () => {
  test.each([
    ['test/shared/ground/addresses/address.test.ts', 'unit'],
    ['test/handlers/dns-dhcp/dns/pages.test.ts', 'service'],
    ['test/pages/components.test.tsx', 'unit'],
    ['test/runtime/request-body.test.ts', 'service'],
    ['test/handlers/access/sign-in.test.ts', 'service'],
    ['test/shared/kernel/jobs/lanes.test.ts', 'faults'],
    ['test/shared/services/ntp/daemon.test.ts', 'system'],
    ['test/shared/services/dns-dhcp/dns/clients-daemon.test.ts', 'system'],
    ['test/shared/platform/host/namespace.test.ts', 'system'],
    ['test/system/drift.test.ts', 'system'],
    ['test/system/network-boot.test.ts', 'machines'],
    ['test/contract/http.test.ts', 'contract'],
    ['test/faults/window.test.ts', 'faults'],
    ['test/faults/deploy-kill.test.ts', 'deployment'],
    ['test/browser/pages.test.ts', 'browser'],
    ['test/fuzz/requests.test.ts', 'fuzz'],
  ])('of %s is %s', (path, suite) => {
    expect(suiteOf(path)?.name).toBe(suite);
  });

  // A file that is moved or renamed would leave its suite without a word.
  const tests = filesBelow('test').filter((path) => /\.test\.tsx?$/.test(path));
  test.each(SUITES.flatMap(({ files, again }) => [...files, ...(again?.files ?? [])]).flatMap(spelled))(
    '%s names a file',
    (glob) => {
      expect(tests.filter((path) => named([glob], path))).not.toEqual([]);
    },
  );
});

test('nothing of the quick suite opens a whole service', () => {
  const opened = new Map<string, boolean>();
  const opens = (path: string): boolean => {
    const known = opened.get(path);
    if (known !== undefined) return known;
    opened.set(path, path === 'test/setup/house.ts');
    const imported = [...readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm)]
      .map(([, to]) => join(dirname(path), to!))
      .filter((to) => to.startsWith('test/'));
    opened.set(path, path === 'test/setup/house.ts' || imported.map(opens).some(Boolean));
    return opened.get(path)!;
  };
  const tests = filesBelow('test').filter((path) => /\.test\.tsx?$/.test(path));
  expect(tests.filter((path) => suiteOf(path)?.name === 'service' && opens(path)).length).toBeGreaterThan(50);
  expect(tests.filter((path) => suiteOf(path)?.name === 'unit' && opens(path))).toEqual([]);
});

/** A glob once for each of the names that it holds in braces. */
function spelled(glob: string): string[] {
  const [whole, inside] = /\{(.*)\}/.exec(glob) ?? [];
  return inside === undefined ? [glob] : inside.split(',').map((name) => glob.replace(whole!, name));
}
