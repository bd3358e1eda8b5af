// The generated lists of operations, scheduled tasks and pages, on a small tree held in memory.
import { describe, expect, test } from '@jest/globals';
import { REGISTRIES, renderRegistry } from '../../build/registry.ts';
import { renderUnitList } from '../../build/unit-list.ts';

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

  test('a kind of job is found wherever it is declared', () => {
    const kinds = REGISTRIES.find(({ list }) => list === 'JOB_KINDS')!;
    const text = renderRegistry(
      kinds,
      new Map([
        ['shared/appliance/apply/apply-job.ts', "export const applyJob: JobKind = { kind: 'apply' };"],
        ['shared/kernel/jobs/kind.ts', 'export interface JobKind {}'],
        ['shared/vcf/scim/job.ts', "export const scimJob: JobKind = { kind: 'scim' };"],
      ]),
    );
    expect(text.match(/^import \{.*/gm)).toEqual([
      "import { applyJob as applianceApplyApplyJob } from './apply/apply-job.ts';",
      "import { scimJob as vcfScimJob } from '../vcf/scim/job.ts';",
    ]);
    expect(text).toContain(
      'export const JOB_KINDS: readonly JobKind[] = [\n  applianceApplyApplyJob,\n  vcfScimJob,\n];\n',
    );
  });

  test('the list of units is in their order, and nothing in it is said twice', () => {
    const unit = { id: 'ntp', order: 20, name: 'NTP', resources: { ntp: 'service-admin' } } as const;
    expect(renderUnitList([unit])).toContain("export const UNIT_IDS = [\n  'ntp',\n] as const;\n");
    expect(renderUnitList([unit])).toContain("  'ntp': 'service-admin',\n");
    expect(() => renderUnitList([unit, { ...unit, order: 30 }])).toThrow('two units say ntp');
    expect(() => renderUnitList([unit, { ...unit, id: 'kms', resources: {} }])).toThrow('two units say 20');
  });

  test('a handler without an operation is refused by name', () => {
    expect(() => renderRegistry(operations!, new Map([['handlers/dns/view.ts', '']]))).toThrow('handlers/dns/view.ts');
  });
});
