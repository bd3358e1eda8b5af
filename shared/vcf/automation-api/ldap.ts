// The LDAP settings of an organization of VCF Automation: read, tested, written. The test and the settings have different
// models: flags begin with `is` in the test alone, and a user's shown name is `fullName` there and `displayName` here.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { AutomationSession } from './session.ts';

const SETTINGS = '/cloudapi/v1/orgSettings/ldap';
const LDAP = '/cloudapi/1.0.0/ldap';
/** For a test and a write, at which the product connects to the directory; milliseconds. */
const CONNECTS_MS = 90_000;
/** User names in the bodies are of the directory, and may be in messages. */
const CONNECTS = { timeout: CONNECTS_MS, names_known: true } as const;

/** A directory as both models are made from it. */
export interface DirectoryWish {
  host: string;
  port: number;
  search_base: string;
  group_search_base: string;
  /** DN that the product binds as. */
  user_name: string;
  /** Of our entries, by the members of the settings' model. */
  user_attributes: Readonly<Record<string, string>>;
  group_attributes: Readonly<Record<string, string>>;
}

const text = v.fallback(v.nullish(v.string(), ''), '');
const defined = v.looseObject({
  hostName: text,
  port: v.fallback(v.nullish(v.number(), 0), 0),
  ssl: v.fallback(v.nullish(v.boolean(), false), false),
  searchBase: text,
  userName: text,
});
const settingsSchema = v.looseObject({
  enabled: v.boolean(),
  settingsSource: v.string(),
  definedSettings: v.nullish(defined, null),
});

/** As the product has them, whole: they can be written back. No password is ever among them. */
export type LdapSettings = v.InferOutput<typeof settingsSchema>;

const SECRET = /passw|secret/i;
const withoutSecrets = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutSecrets)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, each]) => (SECRET.test(name) ? [] : [[name, withoutSecrets(each)]])),
        )
      : value;

export async function readLdap(session: AutomationSession, signal?: AbortSignal): Promise<LdapSettings> {
  const asked = { method: 'GET', path: SETTINGS, what: 'the LDAP settings', signal } as const;
  return withoutSecrets(await session.ask(asked, settingsSchema)) as LdapSettings;
}

/** Tells settings from others. */
export const settingsMark = (settings: LdapSettings): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('base64url');

/** Whether somebody set a directory. */
export const isSet = ({ enabled, settingsSource, definedSettings }: LdapSettings): boolean =>
  enabled || settingsSource === 'DEFINED' || (definedSettings?.hostName ?? '') !== '';

/** Whether they name this directory, by these accounts. */
export function isOurs({ enabled, definedSettings }: LdapSettings, wish: DirectoryWish): boolean {
  if (!enabled || !definedSettings) return false;
  const { hostName, port, searchBase, userName } = definedSettings;
  return hostName === wish.host && port === wish.port && searchBase === wish.search_base && userName === wish.user_name;
}

const BOUNDS = { pagedSearchDisabled: false, pageSize: 200, maxResults: 1000, maxUserGroups: 1000 } as const;
const common = ({ host, port, search_base, group_search_base, user_name }: DirectoryWish) => ({
  ...{ hostName: host, port, searchBase: search_base, groupSearchBase: group_search_base, userName: user_name },
  ...BOUNDS,
});

/** Body of the settings. */
export const writtenModel = (wish: DirectoryWish, password: string) => ({
  enabled: true,
  settingsSource: 'DEFINED',
  definedSettings: {
    ...common(wish),
    ...{ ssl: true, password, customUiButtonLabel: null },
    userAttributes: wish.user_attributes,
    groupAttributes: wish.group_attributes,
  },
});

/** Body of the test. */
export function testedModel(wish: DirectoryWish, password: string) {
  const { displayName: fullName, ...userAttributes } = wish.user_attributes;
  return {
    ...common(wish),
    ...{ isSsl: true, isSslAcceptAll: false, isGroupSearchBaseEnabled: true },
    ...{ authenticationMechanism: 'SIMPLE', connectorType: 'OPEN_LDAP', password },
    userAttributes: { ...userAttributes, fullName },
    groupAttributes: wish.group_attributes,
  };
}

const testSchema = v.looseObject({
  connectionTest: v.looseObject({ successful: v.boolean() }),
  settingsTest: v.nullish(v.array(v.looseObject({ attribute: text, successful: v.boolean() })), []),
});

export interface TestResult {
  connected: boolean;
  /** Attributes that it could not read of the user. */
  failed: string[];
}

/** Changes nothing there: the product connects, binds and looks one user up. */
export async function testLdap(
  session: AutomationSession,
  { wish, password, user }: { wish: DirectoryWish; password: string; user: string },
  signal?: AbortSignal,
): Promise<TestResult> {
  const path = `${LDAP}/test?${new URLSearchParams({ username: user })}`;
  const json = testedModel(wish, password);
  const { connectionTest, settingsTest } = await session.ask(
    { method: 'POST', path, json, what: 'the test of the LDAP settings', ...CONNECTS, signal },
    testSchema,
  );
  const failed = (settingsTest ?? []).filter(({ successful }) => !successful).map(({ attribute }) => attribute ?? '');
  // Whatever is no name of an attribute is not repeated.
  return {
    connected: connectionTest.successful,
    failed: failed.map((name) => (ATTRIBUTE.test(name) ? name : 'an attribute')),
  };
}

const ATTRIBUTE = /^\w{1,40}$/;

const ANYTHING = v.unknown();

export async function writeLdap(session: AutomationSession, json: object, signal?: AbortSignal): Promise<void> {
  const asked = { method: 'PUT', path: SETTINGS, json, what: 'the LDAP settings', ...CONNECTS, signal } as const;
  await session.ask(asked, ANYTHING, [200, 204]);
}

const foundSchema = v.looseObject({ name: text, username: text, userName: text, nameInSource: text });
const listSchema = v.array(foundSchema);
// Peers read an array; other lists of the product are pages.
const answerSchema = v.union([listSchema, v.looseObject({ values: listSchema })]);

/** The DN of an entry that the product finds in the directory; null: it finds none. `nameInSource` may be empty. */
export async function searchLdap(
  session: AutomationSession,
  kind: 'user' | 'group',
  name: string,
  signal?: AbortSignal,
): Promise<{ name_in_source: string } | null> {
  const path = `${LDAP}/search/${kind}?${new URLSearchParams({ q: name })}`;
  const asked = { method: 'GET', path, what: `the ${kind}s of the directory`, ...CONNECTS, signal } as const;
  const answer = await session.ask(asked, answerSchema);
  const rdn = `${kind === 'user' ? 'uid' : 'cn'}=${name},`.toLowerCase();
  const found = (Array.isArray(answer) ? answer : answer.values).find(
    (each) =>
      [each.name, each.username, each.userName].some((one) => one?.toLowerCase() === name.toLowerCase()) ||
      each.nameInSource?.toLowerCase().startsWith(rdn),
  );
  return found ? { name_in_source: found.nameInSource ?? '' } : null;
}
