// From desired state to slapd's whole configuration (slapd-config(5)), its URLs, and what its trees are to hold.
import type { RenderedFile } from '../../ground/machine/host.ts';
import { certificateFiles } from '../../platform/certificate-authority/daemon-certificate.ts';
import { keyPath } from '../../platform/host/key-files.ts';
import { type LdapDesired, listenersOf, placeOf } from './desired.ts';
import { writeEntries } from './entries.ts';
import {
  CERTIFICATE_FILE,
  CONFIG_FILE,
  dataFolder,
  ENTRIES_FILE,
  KEY_NAME,
  LISTEN_FILE,
  MODULE_FOLDER,
  PID_FILE,
  SCHEMA_FOLDER,
  SOCKET,
  TLS_PRIORITIES,
} from './files.ts';

const HEADER = '# Written by Groundcrew from its desired state; edits are lost with the next apply.\n';

/**
 * Whoever reaches the socket. Users and groups are numbers of this machine, and the folder of the socket decides who
 * reaches it, so that the file is the same on every machine.
 */
const MANAGERS = '^gidNumber=[0-9]+[+]uidNumber=[0-9]+,cn=peercred,cn=external,cn=auth$';
/** One name for them, given once a connection: held against each attribute of each entry, the pattern costs most of a search. */
const MANAGER_DN = 'cn=manager,cn=peercred,cn=external,cn=auth';
const MANAGER = `dn.exact="${MANAGER_DN}"`;
/** Of who is disabled: draft-behera-ldap-password-policy, 5.3.3. */
const LOCKED_FOR_GOOD = '000001010000Z';
/** RFC 9562 numbers below 2.25: a UUID of our own, which collides with nobody's. */
const ARC = '2.25.218537219411487420393718042973651870236';

/** Of cn=config: what a client needs before it binds. */
export const plainBindSecurity = (allowed: boolean): { olcSecurity?: string[] } =>
  allowed ? {} : { olcSecurity: ['simple_bind=112'] };

const globals = ({ settings }: LdapDesired, resolve: (path: string) => string): string[] => [
  'dn: cn=config',
  'objectClass: olcGlobal',
  'cn: config',
  `olcPidFile: ${resolve(PID_FILE)}`,
  `olcTLSCertificateFile: ${resolve(CERTIFICATE_FILE)}`,
  `olcTLSCertificateKeyFile: ${resolve(keyPath(KEY_NAME))}`,
  'olcTLSProtocolMin: 3.3',
  // Debian's slapd speaks TLS with GnuTLS, which does not read the line before.
  `olcTLSCipherSuite: ${TLS_PRIORITIES}`,
  'olcTLSVerifyClient: never',
  // A socket of this machine counts as encrypted.
  'olcLocalSSF: 128',
  ...(plainBindSecurity(settings.allow_plain_bind).olcSecurity ?? []).map((factors) => `olcSecurity: ${factors}`),
  'olcDisallows: bind_anon',
  `olcAuthzRegexp: {0}${MANAGERS} ${MANAGER_DN}`,
  'olcIdleTimeout: 600',
  'olcThreads: 8',
  // Names and filters, never a value that a client sent.
  'olcLogLevel: stats',
];

const MODULES = [
  'dn: cn=module{0},cn=config',
  'objectClass: olcModuleList',
  'cn: module{0}',
  `olcModulePath: ${MODULE_FOLDER}`,
  ...['back_mdb', 'ppolicy', 'argon2'].map((module) => `olcModuleLoad: ${module}.so`),
];

const SCHEMAS = ['core', 'cosine', 'inetorgperson'].map((schema) => `include: file://${SCHEMA_FOLDER}/${schema}.ldif`);

/**
 * What tells which password of ours an entry has, lets an account have one, and says the groups of an entry. memberOf is the
 * one that every directory has, by its number; slapd defines it in overlays alone, which work it out with each search.
 */
const OWN_SCHEMA = [
  'dn: cn=groundcrew,cn=schema,cn=config',
  'objectClass: olcSchemaConfig',
  'cn: groundcrew',
  `olcAttributeTypes: ( ${ARC}.1 NAME 'groundcrewPasswordMark' EQUALITY caseExactMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )`,
  "olcAttributeTypes: ( 1.2.840.113556.1.2.102 NAME 'memberOf' EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )",
  `olcObjectClasses: ( ${ARC}.2 NAME 'groundcrewEntry' SUP top AUXILIARY MAY ( userPassword $ groundcrewPasswordMark $ memberOf ) )`,
];

const FRONTEND = [
  'dn: olcDatabase={-1}frontend,cn=config',
  'objectClass: olcDatabaseConfig',
  'objectClass: olcFrontendConfig',
  'olcDatabase: {-1}frontend',
  'olcPasswordHash: {ARGON2}',
  'olcSizeLimit: 1000',
  'olcAccess: {0}to dn.base="" by * read',
  'olcAccess: {1}to dn.base="cn=Subschema" by * read',
  'olcAccess: {2}to * by * none',
];

/** The service may read what runs, and change nothing of it but whether a tree is written through to the disk. */
const CONFIG = [
  'dn: olcDatabase={0}config,cn=config',
  'objectClass: olcDatabaseConfig',
  'olcDatabase: {0}config',
  `olcAccess: {0}to attrs=olcDbNoSync by ${MANAGER} write by * none`,
  `olcAccess: {1}to * by ${MANAGER} read by * none`,
];

/** Tells the service who is connected, and nobody else. */
const monitor = (at: number): string[] => [
  `dn: olcDatabase={${at}}monitor,cn=config`,
  'objectClass: olcDatabaseConfig',
  'objectClass: olcMonitorConfig',
  `olcDatabase: {${at}}monitor`,
  `olcAccess: {0}to * by ${MANAGER} read by * none`,
];

// Of slapd's own: what was written since the tree was left is found by entryCSN. Another list needs another folder (files.ts).
const INDICES = [
  'objectClass eq',
  'entryUUID eq',
  'entryCSN eq',
  'uid eq,sub',
  'cn eq,sub',
  'sn eq,sub',
  'mail eq,sub',
  'uniqueMember eq',
  'memberOf eq',
];

function database(organization: { slug: string; suffix: string }, at: number, resolve: (path: string) => string) {
  const { suffix } = organization;
  const dn = `olcDatabase={${at}}mdb,cn=config`;
  const readers = `group/groupOfUniqueNames/uniqueMember.exact="cn=readers,ou=system,${suffix}"`;
  return [
    [
      `dn: ${dn}`,
      'objectClass: olcDatabaseConfig',
      'objectClass: olcMdbConfig',
      `olcDatabase: {${at}}mdb`,
      `olcSuffix: ${suffix}`,
      // Without one, the policy below could write down no failure, and would never lock anybody.
      `olcRootDN: cn=directory,${suffix}`,
      `olcDbDirectory: ${resolve(dataFolder(organization))}`,
      'olcDbMaxSize: 1073741824',
      'olcLastBind: TRUE',
      ...INDICES.map((index) => `olcDbIndex: ${index}`),
      `olcLimits: {0}${MANAGER} size=unlimited time=unlimited`,
      `olcLimits: {1}${readers.replace('.exact=', '=')} size=unlimited time=unlimited`,
      `olcAccess: {0}to attrs=userPassword by ${MANAGER} manage by anonymous auth by * none`,
      `olcAccess: {1}to attrs=groundcrewPasswordMark by ${MANAGER} manage by * none`,
      `olcAccess: {2}to dn.subtree="ou=system,${suffix}" by ${MANAGER} manage by self read by * none`,
      `olcAccess: {3}to * by ${MANAGER} manage by ${readers} read by * break`,
      // slapd looks at a lock when somebody signs in: who is signed in already reads himself no more either. Only here, since
      // readers would pay for it at each attribute of each entry.
      `olcAccess: {4}to filter=(!(pwdAccountLockedTime=${LOCKED_FOR_GOOD})) by self read by * none`,
    ],
    [
      `dn: olcOverlay={0}ppolicy,${dn}`,
      'objectClass: olcOverlayConfig',
      'objectClass: olcPPolicyConfig',
      'olcOverlay: {0}ppolicy',
      `olcPPolicyDefault: cn=password-policy,ou=system,${suffix}`,
    ],
  ];
}

/** The whole of cn=config. */
export function configuration(desired: LdapDesired, resolve: (path: string) => string): string {
  const entries = [
    globals(desired, resolve),
    MODULES,
    ['dn: cn=schema,cn=config', 'objectClass: olcSchemaConfig', 'cn: schema'],
    ...SCHEMAS.map((schema) => [schema]),
    OWN_SCHEMA,
    FRONTEND,
    CONFIG,
    ...desired.organizations.flatMap((organization, at) => database(organization, at + 1, resolve)),
    monitor(desired.organizations.length + 1),
  ];
  return `${HEADER}${entries.map((lines) => `${lines.join('\n')}\n`).join('\n')}`;
}

const listen = (desired: LdapDesired, resolve: (path: string) => string): string =>
  `${[...listenersOf(desired).map((url) => `${placeOf(url)}/`), `ldapi://${encodeURIComponent(resolve(SOCKET))}`].join(' ')}\n`;

/** The unit's files; none while the directory is off. */
export function render(desired: LdapDesired, resolve: (path: string) => string): RenderedFile[] {
  if (!desired.settings.enabled) return [];
  return [
    { path: CONFIG_FILE, content: configuration(desired, resolve), mode: 0o644 },
    { path: LISTEN_FILE, content: listen(desired, resolve), mode: 0o644 },
    // For the service alone: on the appliance its folder gives it that group.
    { path: ENTRIES_FILE, content: writeEntries(desired), mode: 0o640 },
    ...(desired.certificate ? certificateFiles(KEY_NAME, CERTIFICATE_FILE, desired.certificate) : []),
  ];
}
