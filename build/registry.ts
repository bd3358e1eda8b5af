// Writes the static import lists of operations, scheduled tasks, pages, units and kinds of jobs from the file tree.
// The lists are checked in; `--check` compares them and writes nothing. Adding a file is all that adding one takes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { filesBelow, ROOT } from './source-tree.ts';
import { renderUnitList, UNIT_LIST, unitManifests } from './unit-list.ts';

interface Registry {
  /** Generated files, relative to the repository. */
  target: string;
  /** Which files are candidates. */
  from: RegExp;
  /** How each of them exports its member; the name is what it captures. */
  exported: RegExp;
  list: string;
  /** Element type and where it is declared, as seen from the target. */
  element: { type: string; from: string };
  /** True: a candidate that doesn't export one is an error; false: it just isn't one. */
  always: boolean;
}

/** Files of the folders that hold a unit each. */
const UNIT_FILES = /^shared\/(?:platform|services)\/[^/]+\/[^/]+\.ts$/;
const UNIT_MANIFESTS = /^shared\/(?:platform|services)\/[^/]+\/unit-manifest\.ts$/;

export const REGISTRIES: readonly Registry[] = [
  {
    target: 'runtime/generated/operations.ts',
    from: /^handlers\/(?!forms\/|scheduled\/)(?:[^/]+\/){1,2}[^/]+\.tsx?$/,
    exported: /^export const (operation)\b/m,
    list: 'operations',
    element: { type: 'Operation', from: '../../shared/kernel/operation/define-operation.ts' },
    always: true,
  },
  {
    target: 'runtime/generated/scheduled.ts',
    from: /^handlers\/scheduled\/[^/]+\.ts$/,
    exported: /^export const (scheduled)\b/m,
    list: 'scheduled',
    element: { type: 'Scheduled', from: '../../shared/kernel/operation/define-scheduled.ts' },
    always: true,
  },
  {
    target: 'runtime/generated/pages.ts',
    from: /^pages\/(?!components\/|islands\/|layout\/|styles\/)(?:[^/]+\/){1,2}[^/]+\.tsx$/,
    exported: /^export const (page)\b/m,
    list: 'pages',
    element: { type: 'Operation', from: '../../shared/kernel/operation/define-operation.ts' },
    always: false,
  },
  {
    target: 'shared/appliance/generated/manifests.ts',
    from: UNIT_MANIFESTS,
    exported: /^export const (manifest)\b/m,
    list: 'manifests',
    element: { type: 'UnitManifest', from: '../../platform/units/manifest.ts' },
    always: true,
  },
  {
    target: 'shared/appliance/generated/settings.ts',
    from: UNIT_FILES,
    exported: /^export const (\w+): UnitSettings</m,
    list: 'settings',
    element: { type: 'AnySettings', from: '../../platform/units/settings.ts' },
    always: false,
  },
  {
    target: 'shared/appliance/generated/units.ts',
    from: UNIT_FILES,
    exported: /^export const (\w+): UnitDefinition</m,
    list: 'units',
    element: { type: 'AnyUnit', from: '../../platform/units/unit.ts' },
    always: false,
  },
  {
    target: 'shared/appliance/generated/host-files.ts',
    from: /^shared\/(?:platform|services)\/(?!host\/)[^/]+\/host-files\.ts$/,
    exported: /^export const (hostFiles)\b/m,
    list: 'hostFiles',
    element: { type: 'HostFiles', from: '../../platform/host/host-files.ts' },
    always: true,
  },
  {
    // Not among `generated`: some kinds are of rooms that stand after it on its floor.
    target: 'shared/appliance/job-kinds.ts',
    from: /^shared\/.+\.ts$/,
    exported: /^export const (\w+): JobKind =/m,
    list: 'JOB_KINDS',
    element: { type: 'JobKind', from: '../kernel/jobs/kind.ts' },
    always: false,
  },
];

/**
 * `handlers/dns-dhcp/dns/create-record.ts` → `dnsDhcpDnsCreateRecord`; should two paths ever give one name, tsc and
 * esbuild refuse the list.
 */
function localName(path: string): string {
  const words = path.replace(/\.tsx?$/, '').split(/[^A-Za-z0-9]+/);
  return words
    .slice(1)
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

/** How the target names a file: `./apply/apply-job.ts`. */
function fromHere(target: string, path: string): string {
  const way = relative(dirname(target), path);
  return way.startsWith('.') ? way : `./${way}`;
}

/**
 * The text of one registry. Pure: `sources` maps paths to contents.
 * Throws when a file that must export a member doesn't.
 */
export function renderRegistry(registry: Registry, sources: ReadonlyMap<string, string>): string {
  const { element, list, target } = registry;
  const candidates = [...sources].filter(([path]) => registry.from.test(path)).sort(([a], [b]) => (a < b ? -1 : 1));
  const found = candidates.map(([path, source]) => ({
    path,
    exported: registry.exported.exec(source)?.[1],
    name: localName(path),
  }));
  const members = found.filter(({ exported }) => exported !== undefined);
  const silent = found.filter(({ exported }) => exported === undefined).map(({ path }) => path);
  if (registry.always && silent.length > 0) throw new Error(`no member of \`${list}\` in ${silent.join(', ')}`);
  const declaration = `export const ${list}: readonly ${element.type}[] =`;
  const lines = [
    '// Generated by `npm run registry` from the file tree and compared in CI: edit the tree, not this file.',
    '// biome-ignore-all format: one member a line, however long',
    '// biome-ignore-all assist/source/organizeImports: in the order of the tree',
    `import type { ${element.type} } from '${element.from}';`,
    ...members.map(({ path, exported, name }) => `import { ${exported} as ${name} } from '${fromHere(target, path)}';`),
    '',
    members.length === 0 ? `${declaration} [];` : `${declaration} [`,
    ...members.map(({ name }) => `  ${name},`),
    ...(members.length === 0 ? [] : ['];']),
  ];
  return `${lines.join('\n')}\n`;
}

/** Renders every registry from a checkout's files; keys are target paths. */
export function renderAll(root: string = ROOT): Map<string, string> {
  const sources = new Map<string, string>();
  for (const path of ['handlers', 'pages', 'shared'].flatMap((folder) => filesBelow(folder, root))) {
    sources.set(path, readFileSync(join(root, path), 'utf8'));
  }
  return new Map(REGISTRIES.map((registry) => [registry.target, renderRegistry(registry, sources)]));
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // not written yet: differs from whatever it should be
  }
}

async function main(check: boolean): Promise<number> {
  const units = renderUnitList(await unitManifests());
  const stale = [...renderAll(), [UNIT_LIST, units] as const].filter(
    ([target, text]) => contentOf(join(ROOT, target)) !== text,
  );
  for (const [target, text] of stale) {
    if (check) {
      console.log(`${target}:1 registry differs from the file tree: npm run registry`);
    } else {
      mkdirSync(dirname(join(ROOT, target)), { recursive: true });
      writeFileSync(join(ROOT, target), text);
      console.log(`wrote ${target}`);
    }
  }
  return check && stale.length > 0 ? 1 : 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.includes('--check'));
