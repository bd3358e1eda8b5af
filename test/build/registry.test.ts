// The generated lists of operations, scheduled tasks and pages, on a small tree held in memory.
import { describe, expect, test } from '@jest/globals';
import { REGISTRIES, renderRegistry } from '../../build/registry.ts';

describe('registries', () => {
  const [operations, scheduled, pages] = REGISTRIES;
  const sources = new Map([
    ['handlers/dns/create-record.ts', 'export const operation = defineOperation({});'],
    ['handlers/apply/start.ts', 'export const operation = defineOperation({});'],
    ['handlers/scheduled/prune.ts', 'export const scheduled = 1;'],
    ['pages/dns/records.tsx', 'export const page = definePage({});'],
    ['pages/dns/record-row.tsx', 'export function RecordRow() {}'],
    ['pages/components/page.tsx', 'export const page = 1;'],
  ]);

  test('operations are imported in the order of the tree and typed', () => {
    const text = renderRegistry(operations!, sources);
    expect(text).toContain("import { operation as dnsCreateRecord } from '../../handlers/dns/create-record.ts';\n");
    expect(text).toContain(
      'export const operations: readonly Operation[] = [\n  applyStart,\n  dnsCreateRecord,\n];\n',
    );
    expect(text).not.toContain('prune');
  });

  test('scheduled tasks and pages have lists of their own', () => {
    expect(renderRegistry(scheduled!, sources)).toContain('  scheduledPrune,\n');
    expect(renderRegistry(pages!, sources).match(/^import \{.*/gm)).toEqual([
      "import { page as dnsRecords } from '../../pages/dns/records.tsx';",
    ]);
  });

  test('a handler without an operation is refused by name', () => {
    expect(() => renderRegistry(operations!, new Map([['handlers/dns/view.ts', '']]))).toThrow('handlers/dns/view.ts');
  });
});
