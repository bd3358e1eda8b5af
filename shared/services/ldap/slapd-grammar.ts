// What slapd's files may contain: each line of cn=config, and the URLs that it listens at. slapd-config(5), slapd(8).
import {
  between,
  either,
  type Is,
  isAddress4,
  isAddress6,
  matching,
  oneOf,
} from '../../platform/host/grammar-words.ts';
import { TLS_PRIORITIES } from './files.ts';

/** ldif.c reads on; no line of ours is a quarter of it. */
export const SLAPD_PIECE = 8_192;

const PART = '(?:dc|o|ou)=[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const SUFFIX = `${PART}(?:,${PART}){0,7}`;
const MANAGER = String.raw`dn\.exact="cn=manager,cn=peercred,cn=external,cn=auth"`;
const READERS = (style: string) => `group/groupOfUniqueNames/uniqueMember${style}="cn=readers,ou=system,${SUFFIX}"`;
const DATABASE = String.raw`olcDatabase=\{[1-9]\d?\}mdb,cn=config`;
const UNLIMITED = 'size=unlimited time=unlimited';

const isFixed: Is = oneOf(
  ...['dn: cn=config', 'objectClass: olcGlobal', 'cn: config'],
  // Directives that name a file or folder, each with the only permitted one.
  'olcPidFile: /run/groundcrew/ldap/slapd.pid',
  'olcTLSCertificateFile: /etc/groundcrew/ldap/certificate.pem',
  'olcTLSCertificateKeyFile: /etc/groundcrew/private/ldap/tls.key',
  'olcModulePath: /usr/lib/ldap',
  ...['core', 'cosine', 'inetorgperson'].map((name) => `include: file:///etc/ldap/schema/${name}.ldif`),
  ...[
    'olcTLSProtocolMin: 3.3',
    `olcTLSCipherSuite: ${TLS_PRIORITIES}`,
    'olcTLSVerifyClient: never',
    'olcLocalSSF: 128',
    'olcSecurity: simple_bind=112',
  ],
  // Whoever enters the folder of the socket, and nobody else, is the manager below.
  'olcAuthzRegexp: {0}^gidNumber=[0-9]+[+]uidNumber=[0-9]+,cn=peercred,cn=external,cn=auth$ cn=manager,cn=peercred,cn=external,cn=auth',
  ...['olcDisallows: bind_anon', 'olcIdleTimeout: 600', 'olcThreads: 8', 'olcLogLevel: stats'],
  ...['dn: cn=module{0},cn=config', 'objectClass: olcModuleList', 'cn: module{0}'],
  // Modules run in slapd: these, and no other.
  ...['back_mdb', 'ppolicy', 'argon2'].map((module) => `olcModuleLoad: ${module}.so`),
  ...['dn: cn=schema,cn=config', 'objectClass: olcSchemaConfig', 'cn: schema'],
  ...['dn: cn=groundcrew,cn=schema,cn=config', 'cn: groundcrew'],
  ...['dn: olcDatabase={-1}frontend,cn=config', 'objectClass: olcDatabaseConfig', 'objectClass: olcFrontendConfig'],
  ...['olcDatabase: {-1}frontend', 'olcPasswordHash: {ARGON2}', 'olcSizeLimit: 1000'],
  ...['olcAccess: {0}to dn.base="" by * read', 'olcAccess: {1}to dn.base="cn=Subschema" by * read'],
  ...['olcAccess: {2}to * by * none', 'dn: olcDatabase={0}config,cn=config', 'olcDatabase: {0}config'],
  ...['objectClass: olcMdbConfig', 'objectClass: olcMonitorConfig', 'olcDbMaxSize: 1073741824', 'olcLastBind: TRUE'],
  ...['objectClass', 'entryUUID', 'entryCSN', 'uniqueMember', 'memberOf'].map((name) => `olcDbIndex: ${name} eq`),
  ...['uid', 'cn', 'sn', 'mail'].map((name) => `olcDbIndex: ${name} eq,sub`),
  ...['objectClass: olcOverlayConfig', 'objectClass: olcPPolicyConfig'],
  'olcOverlay: {0}ppolicy',
  "olcAttributeTypes: ( 1.2.840.113556.1.2.102 NAME 'memberOf' EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )",
);

const whole = (shape: string): Is => matching(new RegExp(`^(?:${shape})$`));

export const isConfigLine = either(
  isFixed,
  whole(String.raw`olcAttributeTypes: \( 2\.25\.\d+\.1 NAME 'groundcrewPasswordMark' [A-Za-z0-9. -]+ \)`),
  whole(String.raw`olcObjectClasses: \( 2\.25\.\d+\.2 NAME 'groundcrewEntry' [A-Za-z0-9. $()-]+ \)`),
  whole(`dn: (?:olcOverlay=\\{0\\}ppolicy,)?${DATABASE}`),
  whole(String.raw`olcDatabase: \{[1-9]\d?\}(?:mdb|monitor)`),
  whole(String.raw`dn: olcDatabase=\{[1-9]\d?\}monitor,cn=config`),
  whole(`olcSuffix: ${SUFFIX}`),
  whole(`olcRootDN: cn=directory,${SUFFIX}`),
  whole('olcDbDirectory: /var/lib/groundcrew/ldap/[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?[.][0-9a-f]{12}'),
  whole(`olcPPolicyDefault: cn=password-policy,ou=system,${SUFFIX}`),
  whole(String.raw`olcLimits: \{[01]\}(?:${MANAGER}|${READERS('')}) ${UNLIMITED}`),
  whole(String.raw`olcAccess: \{[01]\}to \* by ${MANAGER} read by \* none`),
  whole(String.raw`olcAccess: \{0\}to attrs=olcDbNoSync by ${MANAGER} write by \* none`),
  whole(String.raw`olcAccess: \{0\}to attrs=userPassword by ${MANAGER} manage by anonymous auth by \* none`),
  whole(String.raw`olcAccess: \{1\}to attrs=groundcrewPasswordMark by ${MANAGER} manage by \* none`),
  whole(String.raw`olcAccess: \{2\}to dn\.subtree="ou=system,${SUFFIX}" by ${MANAGER} manage by self read by \* none`),
  whole(String.raw`olcAccess: \{3\}to \* by ${MANAGER} manage by ${READERS(String.raw`\.exact`)} read by \* break`),
  whole(String.raw`olcAccess: \{4\}to filter=\(!\(pwdAccountLockedTime=000001010000Z\)\) by self read by \* none`),
);

const URL = /^ldaps?:\/\/(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d+)\/$/;
const SOCKET = 'ldapi://%2Frun%2Fgroundcrew%2Fldap%2Fldapi';
const isPort = between(1, 65_535);

/** URLs separated by blanks, the socket last. */
export const isListenLine: Is = (line) => {
  const urls = line.split(' ');
  if (urls.pop() !== SOCKET) return false;
  return urls.every((url) => {
    const [, six, four, port = ''] = URL.exec(url) ?? [];
    return isPort(port) && (six === undefined ? isAddress4(four ?? '') : isAddress6(six));
  });
};
