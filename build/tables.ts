// The owner of each table: SQL on a table is in the room that owns it, and nowhere else.
import { posix } from 'node:path';
import type { Finding, Sources } from './lint-rules.ts';

/** Room → its tables that no manifest of a unit names. */
const OWNED: Readonly<Record<string, readonly string[]>> = {
  'shared/kernel/access': [
    'user',
    'session',
    'api_token',
    'sign_in_throttle',
    'known_network',
    'mutation_lock',
    'second_factor',
    'recovery_code',
    'sign_in_step',
    'passkey_registration',
    'second_factor_policy',
    'sign_in_provider',
    'external_person',
    'external_sign_in',
  ],
  'shared/kernel/audit': ['audit_event'],
  'shared/kernel/operation': ['idempotency_key'],
  'shared/kernel/jobs': ['job', 'task'],
  'shared/platform/interfaces': ['interface', 'former_interface'],
  'shared/platform/units': ['unit_settings'],
  'shared/platform/vaults': ['vault', 'vault_entry'],
  'shared/platform/applied': ['unit_state'],
  'shared/platform/certificate-authority': [
    'certificate_authority',
    'issued_certificate',
    'certificate_profile',
    'certificate_request',
    'ocsp_signer',
  ],
  'shared/services/dns-dhcp': ['address_block'],
  'shared/services/network-boot': ['boot_attempt'],
  'shared/services/kms': ['kms_provider', 'kms_client', 'kms_key', 'kms_request', 'kms_tombstone', 'kms_receiver'],
  'shared/services/web-terminal': ['terminal_host_key'],
  'shared/services/management-tls': ['management_certificate'],
  'shared/services/oidc': [
    'oidc_client',
    'oidc_signing_key',
    'oidc_artifact',
    'oidc_session',
    'scim_target',
    'scim_object',
  ],
  'shared/services/offline-depot': ['depot_identity', 'depot_upload'],
  'shared/vcf/alerts': ['alert', 'alert_receiver', 'alert_receiver_secret', 'alert_message'],
  'shared/appliance/archive': ['archive', 'archive_target', 'archive_copy', 'archive_clock'],
  'shared/appliance/apply': ['plan', 'unit_drift', 'unit_probe'],
};

/** Code that works on any table, by its name from a declaration, a manifest, or the owner itself. */
const TOLD_WHICH = new Set([
  'shared/platform/interfaces/refresh/row-texts.ts',
  'shared/platform/units/collection-store.ts',
  'shared/platform/vaults/kickstart-names.ts',
  'shared/platform/vaults/sealed-tables.ts',
  'shared/platform/certificate-authority/certificate-store.ts',
  'shared/appliance/apply/applied-rows.ts',
  'shared/appliance/apply/applied-rows-write.ts',
  'shared/appliance/archive/rows.ts',
  'shared/appliance/archive/bring-forward.ts',
  'shared/appliance/archive/many/many-rows.ts',
  'shared/appliance/archive/many/records.ts',
  'shared/appliance/archive/many/statements.ts',
  'shared/appliance/overview/audit-names.ts',
  'shared/appliance/overview/search.ts',
]);

const MIGRATION = /^shared\/ground\/store\/migrations\//;
const MANIFEST = /^shared\/.*\/unit-manifest\.ts$/;
/** What an archive has of the tables that no manifest names; of the others the manifest says it. */
const ARCHIVED = /^shared\/.*\/archived\.ts$/;
/** Generated files repeat the words of manifests. */
const PRODUCT = /^(?:shared|handlers|pages|runtime)\/(?!.*\bgenerated\/).*\.tsx?$/;

/**
 * Every table that a migration makes has one owner, which says what an archive has of it, and SQL on it lies in the room
 * of that owner.
 */
export function tableOwners(sources: Sources): Finding[] {
  const owners = ownersOf(sources);
  const archived = archivedIn(sources);
  const product = [...sources].filter(([path]) => PRODUCT.test(path));
  return product.flatMap(([path, text]) =>
    MIGRATION.test(path)
      ? [...unowned(path, text, owners), ...unarchived(path, text, owners, archived)]
      : [...foreign(path, text, owners), ...untold(path, text)],
  );
}

/** File → the tables whose place in archives it declares. */
const archivedIn = (sources: Sources): Owners =>
  new Map(
    [...sources].flatMap(([path, text]): [string, string[]][] => {
      if (ARCHIVED.test(path)) return [[path, [...text.matchAll(/^ {2}(\w+): \{/gm)].map(([, table = '']) => table)]];
      if (!MANIFEST.test(path)) return [];
      const tables = text.split(/\{\s*name: '/).filter((table) => table.includes('archive: {'));
      return [[path, tables.map((table) => table.slice(0, table.indexOf("'")))]];
    }),
  );

function unarchived(path: string, text: string, owners: Owners, archived: Owners): Finding[] {
  return [...text.matchAll(/\bCREATE TABLE (\w+)/g)].flatMap(({ 1: table = '', index }) => {
    const [room, ...others] = owners.get(table) ?? [];
    if (room === undefined || others.length > 0) return [];
    const said = [...archived].filter(([file, tables]) => file.startsWith(`${room}/`) && tables.includes(table));
    if (said.length === 1) return [];
    const message = `what an archive has of ${table} is said ${said.length === 0 ? 'nowhere' : 'twice'} in ${room}`;
    return [finding(path, text, index, message)];
  });
}

type Owners = ReadonlyMap<string, readonly string[]>;

function ownersOf(sources: Sources): Owners {
  const manifests = [...sources].filter(([path]) => MANIFEST.test(path));
  const pairs = [
    ...Object.entries(OWNED).flatMap(([room, tables]) => tables.map((table) => [room, table] as const)),
    ...manifests.flatMap(([path, text]) =>
      [...text.slice(text.indexOf('tables: [')).matchAll(/\{\s*name: '(\w+)'/g)].map(
        ([, table = '']) => [posix.dirname(path), table] as const,
      ),
    ),
  ];
  const rooms = Map.groupBy(pairs, ([, table]) => table);
  return new Map([...rooms].map(([table, all]) => [table, all.map(([room]) => room)]));
}

/** A migration may make a table again under another name, and then rename it to the old one. */
function unowned(path: string, text: string, owners: Owners): Finding[] {
  return [...text.matchAll(/\bCREATE TABLE (\w+)/g)].flatMap(({ 1: table = '', index }) => {
    const rooms = owners.get(table) ?? [];
    if (rooms.length === 1 || text.includes(`ALTER TABLE ${table} RENAME TO`)) return [];
    return [finding(path, text, index, `${table} belongs to ${rooms.join(' and ') || 'nobody'}: it needs one owner`)];
  });
}

const ITEM = String.raw`(?:main\.)?"?[\w.]+"?(?:\([^()]*\))?(?:\s+(?:AS\s+)?\w+)?`;
/** Where code names tables: in a statement, in a list after these words; as a knex builder's; in a declaration. */
const NAMED = [
  new RegExp(String.raw`\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:OR\s+\w+\s+)?((?:${ITEM}\s*,\s*)*(?:main\.)?"?\w+)`, 'g'),
  /\bbuild(?:<[^()]*>)?\(\s*'(\w+)/g,
  /\.(?:from|into|table|(?:\w+J|j)oin)(?:<[^()]*>)?\(\s*'(\w+)/g,
  /\b(?:raw|movesOf)\(\s*['`](\w+)/g,
  /\btable: '(\w+)'/g,
];
const TOLD = /\w\(\s*'(\w+)'/g;
const ANY = /\b(?:FROM|JOIN|INTO|UPDATE)\s+\$\{|\bbuild(?:<[^()]*>)?\(\s*(?!build\.raw)[a-z]/g;

function foreign(path: string, source: string, owners: Owners): Finding[] {
  const text = code(source);
  return (TOLD_WHICH.has(path) ? [...NAMED, TOLD] : NAMED).flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: { length }, 1: names = '', index }) =>
      names.split(',').flatMap((item) => {
        const [, table = ''] = /^\s*(?:main\.)?"?(\w+)/.exec(item) ?? [];
        const [room] = owners.get(table) ?? [];
        if (room === undefined || path.startsWith(`${room}/`)) return [];
        return [finding(path, text, index + length, `${table} belongs to ${room}: ask one of its functions`)];
      }),
    ),
  );
}

const untold = (path: string, source: string): Finding[] =>
  TOLD_WHICH.has(path)
    ? []
    : [...code(source).matchAll(ANY)].map(({ index }) =>
        finding(path, source, index, 'name the table in the statement'),
      );

const finding = (path: string, text: string, at: number, message: string): Finding => ({
  path,
  line: text.slice(0, at).split('\n').length,
  rule: 'table-owner',
  message,
});

/** Without comments, on the same lines. */
const code = (text: string): string =>
  text.replace(/^\s*(?:\/?\*|\/\/).*$|\s\/\/ .*$/gm, (comment) => comment.replace(/[^\n]/g, ' '));
