// boot.cfg of a medium: read into lines, and checked against the files of the medium.
import { LIMITS, MediaFault, shown } from './limits.ts';
import { folded } from './member-path.ts';

export type ShippedConfig = [key: string, value: string][];

const KEY = /^[A-Za-z][A-Za-z0-9_]{0,31}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/;

/** @throws MediaFault naming the line that can't be read. */
export function parseBootConfig(text: string): ShippedConfig {
  if (text.length > LIMITS.bootConfig) throw new MediaFault(`boot.cfg is larger than ${LIMITS.bootConfig} bytes.`);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.flatMap((line, at): ShippedConfig => {
    const said = line.trim();
    if (said === '' || said.startsWith('#')) return [];
    const cut = said.indexOf('=');
    const key = said.slice(0, cut).trim();
    if (cut < 1 || !KEY.test(key))
      throw new MediaFault(`Line ${at + 1} of boot.cfg is neither a setting nor a comment.`);
    // One space in place of many: splitting a value with a long run of spaces later would take quadratic time.
    const value = said
      .slice(cut + 1)
      .trim()
      .replaceAll(/\s+/g, ' ');
    if (CONTROL.test(value)) throw new MediaFault(`Line ${at + 1} of boot.cfg holds control characters.`);
    return [[key, value]];
  });
}

const settingOf = (config: ShippedConfig, key: string): string => config.find(([name]) => name === key)?.[1] ?? '';
const relative = (name: string): string => name.trim().replace(/^\/+/, '');

/** Kernel and modules of boot.cfg, in order. */
export function namedFiles(config: ShippedConfig): string[] {
  const modules = settingOf(config, 'modules').split(/\s*---\s*/);
  return [settingOf(config, 'kernel'), ...modules].map(relative).filter((name) => name !== '');
}

/** @throws MediaFault when there is no kernel, or a named file is not in the medium. */
export function refuseIncomplete(config: ShippedConfig, paths: ReadonlySet<string>): void {
  if (settingOf(config, 'kernel') === '') throw new MediaFault('boot.cfg names no kernel.');
  const missing = namedFiles(config).filter((name) => !paths.has(folded(name)));
  if (missing.length > 0) {
    const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
    throw new MediaFault(`boot.cfg names ${missing.slice(0, 3).map(shown).join(', ')}${more}, which the medium lacks.`);
  }
}

/** Product and version by boot.cfg: `VMware ESXi 8.0.3`; empty when it has none. */
export function productOf(config: ShippedConfig): string {
  const title = settingOf(config, 'title')
    .replace(/^Loading\s+/i, '')
    .replace(/\s*installer$/i, '');
  return title.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 80);
}
