// Kickstart texts: their markers, their faults by line, and the text of one host. Pure. A fault never quotes the line,
// which may contain a password.
import { readVaultName } from '../../platform/vaults/kickstart-names.ts';
import { COMMANDS, INSTALLS, SECTIONS } from './kickstart-commands.ts';

/** Bytes of a text, and characters of a line, at most. */
export const TEXT_MOST = 64 << 10;
const LINE_MOST = 4096;
export const VALUE_MOST = 1024;
/** Vault values of one text, at most: each is opened and recorded when the text is served. */
export const VAULT_VALUES_MOST = 32;

export const HOST_FIELDS = ['hostname', 'short_name', 'domain', 'mac_address', 'ip_address'] as const;
export type HostField = (typeof HOST_FIELDS)[number];
export const VARIABLE_NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** Line number of a fault of the whole text, such as a missing command. */
const WHOLE = 0;

/** A fault as a sentence, with its line where it has one. */
export const faultWords = ({ line, detail }: Pick<TextFault, 'line' | 'detail'>): string =>
  line === WHOLE ? detail : `Line ${line}: ${detail}`;

/** An error keeps the text from being saved; a warning does not. */
export interface TextFault {
  /** From 1; WHOLE for the text itself. */
  line: number;
  severity: 'error' | 'warning';
  detail: string;
}

export interface Marker {
  line: number;
  kind: string;
  name: string;
}

const MARKER = /\{\{\s*(host|var|vault)\.([^\s{}]*)\s*\}\}/g;
/** The beginning of a marker; other double braces belong to scripts. */
const BEGUN = /\{\{\s*(?:host|var|vault)\b/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, with tab and line feed.
export const CONTROL_IN_VALUE = /[\x00-\x1f\x7f\u0085\u2028\u2029]/;

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** All markers of a text, in order. */
export function markersOf(text: string): Marker[] {
  return text
    .split('\n')
    .flatMap((line, at) =>
      [...line.matchAll(MARKER)].map(([, kind, name]) => ({ line: at + 1, kind: kind!, name: name! })),
    );
}

export interface Uses {
  host_fields: HostField[];
  variables: string[];
  /** `<vault>.<key>` */
  vault_values: string[];
}

/** The values of hosts and vaults that a text needs, each once, in alphabetical order. */
export function usesOf(text: string): Uses {
  const markers = markersOf(text);
  const names = (wanted: string) => [...new Set(markers.flatMap(({ kind, name }) => (kind === wanted ? name : [])))];
  return {
    host_fields: names('host').sort() as HostField[],
    variables: names('var').sort(),
    vault_values: names('vault').sort(),
  };
}

/** Faults of a canonical text, by line. */
export function textFaults(text: string): TextFault[] {
  if (text.trim() === '') return [error(WHOLE, 'The text is empty.')];
  const long = Buffer.byteLength(text) > TEXT_MOST ? [error(WHOLE, `The text has more than ${TEXT_MOST} bytes.`)] : [];
  const lines = text.replace(/\n$/, '').split('\n');
  const faults = [
    ...long,
    ...lines.flatMap(lineFaults),
    ...markersOf(text).flatMap(markerFaults),
    ...tooManyValues(text),
    ...commandFaults(lines),
  ];
  return faults.sort((a, b) => a.line - b.line);
}

const error = (line: number, detail: string): TextFault => ({ line, severity: 'error', detail });
const warning = (line: number, detail: string): TextFault => ({ line, severity: 'warning', detail });

function lineFaults(text: string, at: number): TextFault[] {
  const line = at + 1;
  if (text.length > LINE_MOST) return [error(line, `The line has more than ${LINE_MOST} characters.`)];
  if (CONTROL.test(text)) return [error(line, 'The line holds a control character.')];
  if (count(text, BEGUN) === count(text, MARKER)) return [];
  return [
    error(
      line,
      'A marker is not complete: write it as {{ host.hostname }}, {{ var.name }} or {{ vault.name.key }}, on one line.',
    ),
  ];
}

function markerFaults({ line, kind, name }: Marker): TextFault[] {
  if (kind === 'vault' && readVaultName(name) === null) {
    return [error(line, 'A marker of vaults names a vault and a key, as in {{ vault.lab.esx01.root }}.')];
  }
  if (kind === 'host' && !HOST_FIELDS.includes(name as HostField)) {
    return [error(line, `A host has the fields ${HOST_FIELDS.join(', ')}; this marker names another one.`)];
  }
  if (kind === 'var' && !VARIABLE_NAME.test(name)) {
    return [error(line, 'A variable begins with a small letter; small letters, digits and underscores follow.')];
  }
  return [];
}

function tooManyValues(text: string): TextFault[] {
  const seen = new Set<string>();
  const over = markersOf(text).find(({ kind, name }) => kind === 'vault' && seen.add(name).size > VAULT_VALUES_MOST);
  return over ? [error(over.line, `A text takes at most ${VAULT_VALUES_MOST} values of vaults.`)] : [];
}

interface Command {
  line: number;
  name: string;
  rest: string;
}

/** The commands before the first section; scripts begin with the first section line. */
function commandsOf(lines: readonly string[]): Command[] {
  const end = lines.findIndex((line) => SECTIONS.includes(line.trim().split(/\s+/)[0] ?? ''));
  return lines.slice(0, end < 0 ? lines.length : end).flatMap((text, at) => {
    const [, name, rest = ''] = /^\s*([^\s#]\S*)\s*(.*)$/.exec(text) ?? [];
    return name === undefined ? [] : [{ line: at + 1, name: name.toLowerCase(), rest }];
  });
}

function commandFaults(lines: readonly string[]): TextFault[] {
  const commands = commandsOf(lines);
  const called = (...names: readonly string[]) => commands.filter(({ name }) => names.includes(name));
  const faults = commands.flatMap(oneCommand);
  if (called('vmaccepteula', 'accepteula').length === 0) {
    faults.push(error(WHOLE, 'The command vmaccepteula is missing: without it the installer stops and asks.'));
  }
  const [first, ...more] = called(...INSTALLS);
  if (!first) faults.push(error(WHOLE, 'One of install, upgrade and installorupgrade is missing.'));
  for (const { line } of more) {
    faults.push(
      error(line, `Only one of install, upgrade and installorupgrade may be there; line ${first!.line} has one.`),
    );
  }
  if (
    first &&
    first.name !== 'upgrade' &&
    called('rootpw').length === 0 &&
    called('include', '%include').length === 0
  ) {
    faults.push(error(first.line, 'rootpw is missing: an installation needs a password of root.'));
  }
  return faults;
}

function oneCommand({ line, name, rest }: Command): TextFault[] {
  if (name.startsWith('%') && name !== '%include') {
    return [error(line, `Sections are ${SECTIONS.join(', ')}; this line begins another one.`)];
  }
  if (!Object.hasOwn(COMMANDS, name))
    return [warning(line, 'This is no command that is known for Kickstarts of ESXi.')];
  if (/(?:^|\s)--[a-z]+\s+=|(?:^|\s)--[a-z]+=\s/.test(rest)) {
    return [error(line, 'An option and its value belong together: no spaces around the equals sign.')];
  }
  return name === 'rootpw' ? passwordFaults(line, rest) : [];
}

/**
 * The revision is a hash of the whole text without a key: people who see it could guess a weak password in the text.
 */
function passwordFaults(line: number, rest: string): TextFault[] {
  const words = rest.split(/\s+/).filter((word) => word !== '');
  if (words.every((word) => word === '--iscrypted')) return [error(line, 'rootpw has no password.')];
  if (words.includes('--iscrypted') || count(rest, BEGUN) > 0) return [];
  return [
    warning(
      line,
      'The password is in the text itself, and a weak one could be guessed from the revision: use --iscrypted with its hash, a variable, or a vault value.',
    ),
  ];
}

/** Values for the markers of one host. */
export interface HostValues {
  host: Readonly<Record<HostField, string>>;
  variables: Readonly<Record<string, string>>;
  /** By `<vault>.<key>`. */
  vault_values?: Readonly<Record<string, string>>;
}

export function hostValues(
  { hostname, mac_address, ip_address }: { hostname: string; mac_address: string; ip_address: string },
  variables: Readonly<Record<string, string>>,
): HostValues {
  const [short_name = '', ...domain] = hostname.split('.');
  return { host: { hostname, short_name, domain: domain.join('.'), mac_address, ip_address }, variables };
}

/**
 * The text of one host.
 * @throws Error naming the line, never a value, when a value is missing or contains a control character: after a line
 * feed it would be another command.
 */
export function renderKickstart(text: string, { host, variables, vault_values = {} }: HostValues): string {
  const known: Record<string, Readonly<Record<string, string>>> = { host, var: variables, vault: vault_values };
  const given = (kind: string, name: string): string | undefined => {
    const values = known[kind] ?? {};
    return Object.hasOwn(values, name) ? values[name] : undefined;
  };
  return text
    .split('\n')
    .map((line, at) =>
      line.replaceAll(MARKER, (_all, kind: string, name: string) => {
        const value = given(kind, name);
        if (value === undefined || value === '') throw new Error(`Line ${at + 1} needs a value that is missing.`);
        if (CONTROL_IN_VALUE.test(value)) throw new Error(`A value for line ${at + 1} holds a control character.`);
        return value;
      }),
    )
    .join('\n');
}

/** Values that a text needs and a host lacks: `ip_address`, or names of variables. */
export function missingFor(
  { host_fields, variables }: Pick<Uses, 'host_fields' | 'variables'>,
  host: { hostname: string; ip_address: string; variable_names: readonly string[] },
): { fields: HostField[]; variables: string[] } {
  const empty: Partial<Record<HostField, boolean>> = {
    ip_address: host.ip_address === '',
    domain: !host.hostname.includes('.'),
  };
  return {
    fields: host_fields.filter((field) => empty[field]),
    variables: variables.filter((name) => !host.variable_names.includes(name)),
  };
}
