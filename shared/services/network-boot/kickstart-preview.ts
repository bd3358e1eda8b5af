// The redacted preview of a Kickstart: its structure with line numbers, and the values of host fields. Unknown words,
// comments, values of variables and vaults, and the bodies of scripts are hidden, since they could be secret. Pure.
import { SECTIONS, shownLine } from './kickstart-commands.ts';
import type { HostValues } from './kickstart-text.ts';

export interface PreviewLine {
  line: number;
  text: string;
}

const MARKER = /\{\{\s*(host|var|vault)\.([a-z0-9_.-]+)\s*\}\}/g;
const STANDS: Record<string, string> = { host: 'host', var: 'variable', vault: 'vault' };

/** The lines of a text; `values` of a host fill in its host fields. */
export function previewKickstart(text: string, values: Pick<HostValues, 'host'> | null): PreviewLine[] {
  let script = false;
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, at) => {
      const begins = SECTIONS.includes(line.trim().split(/\s+/)[0] ?? '');
      script ||= begins;
      return { line: at + 1, text: begins || !script ? shown(line, values) : hiddenBody(line) };
    });
}

function shown(line: string, values: Pick<HostValues, 'host'> | null): string {
  if (line.trim() === '') return '';
  if (line.trim().startsWith('#')) return '# [comment hidden]';
  const fields: Record<string, string> = { ...values?.host };
  const marks: [stand: string, text: string][] = [];
  const masked = line.replaceAll(MARKER, (_all, kind: string, name: string) => {
    const text = kind === 'host' ? fields[name] || `{{ host.${name} }}` : `[${STANDS[kind]} ${name}]`;
    // Without spaces, because the line is checked word by word.
    const stand = `[${STANDS[kind]}-${name}]`;
    marks.push([stand, text]);
    return stand;
  });
  return marks.reduce((all, [stand, text]) => all.replace(stand, () => text), shownLine(masked));
}

const hiddenBody = (line: string): string => (line.trim() === '' ? '' : '[script hidden]');
