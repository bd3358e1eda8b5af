// Rows that an applied plan kept, read back: those of a release in which an empty list of servers gave none say none.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { loadUnitRows } from '../../../../shared/appliance/apply/applied-rows.ts';
import { sha256 } from '../../../../shared/platform/applied/baseline.ts';

const ROWS = {
  unit: 'dns-dhcp',
  tables: {
    dns_zone: { columns: ['name'], rows: [['zone_a', 'lab.test', 1, '']] },
    dhcp_scope: { columns: ['name', 'dns_servers', 'ntp_servers'], rows: [['s', 'lab', '["8.8.8.8"]', '[]', 1, '']] },
  },
  documents: { dhcp: null, 'dhcp-legacy-binding': '{"interface":"a","dns_servers":[],"ntp_servers":["8.8.8.8"]}' },
  interfaces: [],
};
const NONE = '["none"]';

test.each([
  ['of an earlier release', {}, NONE, ['none']],
  ['of this release', { follows: true }, '[]', []],
])('rows %s', async (_whose, more, ntp_servers, dns_servers) => {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-rows-'));
  const text = JSON.stringify({ ...ROWS, ...more });
  mkdirSync(join(data, 'apply', 'rows'), { recursive: true });
  writeFileSync(join(data, 'apply', 'rows', `${sha256(text)}.gz`), gzipSync(text));
  const { tables, documents } = await loadUnitRows(data, sha256(text));
  expect(tables.dns_zone).toEqual(ROWS.tables.dns_zone);
  expect(tables.dhcp_scope!.rows).toEqual([['s', 'lab', '["8.8.8.8"]', ntp_servers, 1, '']]);
  expect(documents.dhcp).toBeNull();
  const binding = JSON.parse(documents['dhcp-legacy-binding']!);
  expect(binding).toEqual({ interface: 'a', dns_servers, ntp_servers: ['8.8.8.8'] });
  rmSync(data, { recursive: true, force: true });
});
